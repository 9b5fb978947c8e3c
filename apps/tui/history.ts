import { appendFile, chmod, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TakeLock } from '../../adapters/settings/writing/changed-file.ts';

/** Prompts that are kept; the file is written anew once it holds twice as many. */
const kept = 1000;
/** Characters of the longest prompt that is kept: a large paste is nothing to look for again. */
const longest = 20_000;
/** Bytes of the file that are read, from its end. */
const readBytes = 4 * 1024 * 1024;

export interface HistoryOptions {
  /** A line of JSON for each prompt; readable by the user alone. */
  file: string;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  lock: TakeLock;
}

/** The prompts of a project, over all its sessions and processes. What cannot be read or written is passed over. */
export class History {
  private last: Promise<void> = Promise.resolve();
  private lines: number | null = null;
  private newest: string | null = null;

  constructor(private readonly options: HistoryOptions) {}

  /** Oldest first; of a prompt that was repeated at once, one. */
  async all(): Promise<string[]> {
    await this.last;
    const lines = await this.read();
    this.lines = lines.length;
    const prompts = lines.flatMap((line) => promptOf(line) ?? []);
    const once = prompts.filter((prompt, at) => prompt !== prompts[at - 1]).slice(-kept);
    this.newest = once.at(-1) ?? null;
    return once;
  }

  /** Keeps a prompt; what follows waits for it. */
  add(prompt: string): void {
    const text = this.options.redact(prompt);
    if (text.trim() === '' || text.length > longest || text === this.newest) return;
    this.newest = text;
    this.last = this.last.then(() => this.append(text)).catch(() => undefined);
  }

  /** Resolves when all that was added has been written. */
  written(): Promise<void> {
    return this.last;
  }

  private async append(text: string): Promise<void> {
    const { file } = this.options;
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await appendFile(file, `${JSON.stringify({ prompt: text })}\n`, { mode: 0o600 });
    this.lines = this.lines === null ? (await this.read()).length : this.lines + 1;
    if (this.lines >= 2 * kept) await this.shorten();
  }

  /** Other processes append meanwhile; what comes between the reading and the renaming is lost, which is a prompt at most. */
  private async shorten(): Promise<void> {
    const { file, lock } = this.options;
    const held = await lock(`${file}.lock`, 1000);
    if ('heldBy' in held) return;
    try {
      const lines = (await this.read()).slice(-kept);
      const temporary = `${file}.new`;
      const handle = await open(temporary, 'w', 0o600);
      try {
        await handle.writeFile(`${lines.join('\n')}\n`);
      } finally {
        await handle.close();
      }
      await chmod(temporary, 0o600);
      await rename(temporary, file);
      this.lines = lines.length;
    } finally {
      await held.release();
    }
  }

  private async read(): Promise<string[]> {
    const bytes = await readFile(this.options.file).catch(() => Buffer.alloc(0));
    const cut = Math.max(0, bytes.length - readBytes);
    const lines = bytes.subarray(cut).toString('utf8').split('\n');
    // The first of what was cut is the rest of a line.
    return (cut > 0 ? lines.slice(1) : lines).filter((line) => line !== '');
  }
}

function promptOf(line: string): string | null {
  try {
    const { prompt } = JSON.parse(line) as { prompt?: unknown };
    return typeof prompt === 'string' && prompt.trim() !== '' && prompt.length <= longest ? prompt : null;
  } catch {
    return null; // cut off, or not ours
  }
}
