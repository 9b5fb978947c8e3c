import {
  appendFileSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Secrets } from '../../domain/text/secrets/secrets.ts';
import { systemWords } from '../../domain/text/system-words.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TraceEntry, Tracer } from '../../ports/tracer.ts';
import { formatRecord } from './trace-lines.ts';
import { withoutSecrets } from './trace-secrets.ts';

/** Bytes of a file; a request as sent is written with every step. */
const mostBytes = 512 * 1024 * 1024;

export interface FileTracerOptions {
  path: string;
  clock: Clock;
  /** What must not appear, as known by now: key commands add to it. */
  secrets: Pick<Secrets, 'values'>;
  /** Bytes that the file may have. */
  mostBytes?: number;
}

/** Where what `--debug` records of a session is kept, beside the session's own file (spec: sessions). */
export function traceFile(session: string): string {
  return join(dirname(session), `${basename(session, '.jsonl')}.trace`, 'events.jsonl');
}

/** Opens for appending, for the user alone; a link in its place, or in its folder's, is not followed. */
function openTrace(path: string): { file: number; size: number; torn: boolean } {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!lstatSync(folder).isDirectory()) throw new Error('its folder is a link');
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = openSync(path, flags, 0o600);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error('it is not a regular file');
    fchmodSync(file, 0o600);
    const last = Buffer.alloc(1);
    const read = stats.size === 0 ? 0 : readSync(file, last, 0, 1, stats.size - 1);
    return { file, size: stats.size, torn: read === 1 && last[0] !== 0x0a };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/**
 * Records to a file, one JSON object a line, each written before the next thing happens, so that a
 * process that dies loses none and their order is the one in which things happened. Secrets are taken
 * out here, by their value, whatever the record (threats: E13).
 */
class FileTracer implements Tracer {
  readonly path: string;
  readonly #options: FileTracerOptions;
  #file: number | null = null;
  #size = 0;
  #seq = 0;
  #problem: string | null = null;

  constructor(options: FileTracerOptions) {
    this.path = options.path;
    this.#options = options;
    this.#attempt(() => {
      const { file, size, torn } = openTrace(options.path);
      [this.#file, this.#size] = [file, size];
      // A process that died left a part of a line, which what follows must not be glued to.
      if (torn) this.#write('\n');
    });
  }

  record(entry: TraceEntry): void {
    this.#attempt(() => {
      if (this.#file === null) return;
      const line = this.#line(entry);
      const most = this.#options.mostBytes ?? mostBytes;
      if (this.#size + Buffer.byteLength(line) <= most) {
        this.#write(line);
        return;
      }
      this.#write(this.#line({ type: 'full', bytes: this.#size }));
      this.#stop(`${this.path} holds all that it may`);
    });
  }

  problem(): string | null {
    const problem = this.#problem;
    this.#problem = null;
    return problem;
  }

  close(): void {
    const file = this.#file;
    this.#file = null;
    if (file !== null) this.#attempt(() => closeSync(file));
  }

  #line(entry: TraceEntry): string {
    this.#seq += 1;
    const time = new Date(this.#options.clock.now()).toISOString();
    const clean = withoutSecrets(entry, this.#options.secrets.values()) as TraceEntry;
    return formatRecord({ time, seq: this.#seq, ...clean });
  }

  #write(text: string): void {
    if (this.#file === null) return;
    appendFileSync(this.#file, text);
    this.#size += Buffer.byteLength(text);
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#stop(`${this.path} cannot be written: ${systemWords(error)}`);
    }
  }

  #stop(why: string): void {
    this.close();
    this.#problem = `${why}; the run goes on, and is not recorded any more`;
  }
}

/** A tracer that appends to a file, which it makes; what goes wrong is its `problem`. */
export function fileTracer(options: FileTracerOptions): Tracer {
  return new FileTracer(options);
}
