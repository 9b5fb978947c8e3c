import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Ids } from '../../ports/clock.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import { PortError } from '../../ports/errors.ts';
import type { SessionEntry, SessionLog } from '../../ports/session.ts';
import { formatLine } from './session-lines.ts';

export interface LogStart {
  id: string;
  path: string;
  /** Opened for appending. */
  handle: FileHandle;
  /** The last entry, or null for a new file. */
  parent: string | null;
  /** The file ends within a line. */
  torn: boolean;
  release(): Promise<void>;
}

/** Makes the names in a folder last; Windows has no such call, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Appends to one session's file: one `write` for each entry, in the order of the calls. */
export class JsonlSessionLog implements SessionLog {
  readonly id: string;
  readonly path: string;
  private parent: string | null;
  private torn: boolean;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;
  /** The disk has the file's name too. */
  private named = false;

  constructor(
    private readonly start: LogStart,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.id = start.id;
    this.path = start.path;
    this.parent = start.parent;
    this.torn = start.torn;
  }

  append(entry: SessionEntry): Promise<void> {
    return this.inOrder(() => this.write(entry));
  }

  sync(): Promise<void> {
    return this.inOrder(async () => {
      await this.start.handle.sync();
      if (!this.named) await syncFolder(dirname(this.path));
      this.named = true;
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.last;
    try {
      await this.start.handle.close();
    } finally {
      await this.start.release();
    }
  }

  private async write(entry: SessionEntry): Promise<void> {
    const id = this.ids.hex(12);
    const time = new Date(this.clock.now()).toISOString();
    const line = formatLine({ id, parent_id: this.parent, time }, entry);
    const bytes = Buffer.from(this.torn ? `\n${line}` : line);
    // Until it is known to be whole: what follows a part of a line must not be glued to it.
    this.torn = true;
    const { bytesWritten } = await this.start.handle.write(bytes, 0, bytes.length);
    if (bytesWritten !== bytes.length) throw new Error('the disk took only a part of the entry; is it full?');
    this.torn = false;
    this.parent = id;
  }

  private inOrder(work: () => Promise<void>): Promise<void> {
    const { id, path } = this;
    if (this.closed) {
      return Promise.reject(new PortError('session', 'io', `session ${id} is closed`, { id, path }));
    }
    const result = this.last.then(work).catch((error: unknown) => {
      throw new PortError(
        'session',
        'io',
        `cannot write the session file ${path}: ${systemWords(error)}; what it holds is kept, so mend that, then go on with larik -p -c`,
        {
          id,
          path,
        },
      );
    });
    this.last = result.catch(() => undefined); // its caller hears of it
    return result;
  }
}
