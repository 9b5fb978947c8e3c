import { fileURLToPath } from 'node:url';

/** The folder of this project. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
