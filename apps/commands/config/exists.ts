import { stat } from 'node:fs/promises';

/** Whether a settings file is there. One that cannot be looked at is not used; to write it tells why. */
export async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch {
    return false;
  }
}
