import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { UsageError } from '../command-line/parse.ts';

/** Milliseconds that a pipe gets to deliver its first byte when there is a prompt already (spec: headless). */
const firstByteWait = 200;

export interface InputSource {
  stream: Readable & { isTTY?: boolean };
  /** What the descriptor is: a terminal and a device deliver nothing by themselves, a file ends by itself. */
  kind: 'terminal' | 'file' | 'pipe' | 'none';
}

/** Standard input, looked at without reading it. */
export function standardInput(): InputSource {
  try {
    const stat = fstatSync(0);
    const stream = process.stdin;
    if (stream.isTTY === true) return { stream, kind: 'terminal' };
    if (stat.isFile()) return { stream, kind: 'file' };
    return { stream, kind: stat.isCharacterDevice() ? 'none' : 'pipe' };
  } catch {
    return { stream: process.stdin, kind: 'none' }; // closed, as under some supervisors
  }
}

/** Bytes of standard input that can be a prompt; no model takes more. */
const largestInput = 16 * 1024 * 1024;
/** Milliseconds after which it is said that the end of standard input is waited for. */
const patience = 2000;

async function readAll(stream: Readable, say: (text: string) => void): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => say('reading standard input until it ends'), patience);
  try {
    for await (const chunk of stream) {
      const piece = Buffer.from(chunk as Uint8Array);
      bytes += piece.length;
      if (bytes > largestInput) {
        throw new UsageError(
          `standard input is larger than ${largestInput / 1024 / 1024} MB; put it in a file and name the file in the prompt`,
        );
      }
      chunks.push(piece);
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** True as soon as there is something to read, or the end; false when the wait is over first. */
function delivers(stream: Readable, wait: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (value: boolean): void => {
      clearTimeout(timer);
      stream.removeListener('readable', ready);
      stream.removeListener('end', ready);
      stream.removeListener('error', gone);
      resolve(value);
    };
    const ready = (): void => settle(true);
    const gone = (): void => settle(false);
    const timer = setTimeout(gone, wait);
    stream.once('readable', ready);
    stream.once('end', ready);
    stream.once('error', gone);
  });
}

/** What a run is about; `material` is what was piped in beside a prompt. */
export interface PromptInput {
  prompt: string;
  material: string;
}

/**
 * The prompt of a run: the words of the command line, and beside them what was piped in; without
 * words, what was piped in. `-` among the words reads standard input to its end; otherwise, with words
 * given, a pipe that is silent for `firstByteWait` is left alone, and that is said. An aborted signal
 * ends the reading. Throws `UsageError`.
 */
export async function readPrompt(
  words: readonly string[],
  input: InputSource,
  signal: AbortSignal,
  say: (text: string) => void,
): Promise<PromptInput> {
  const wanted = words.includes('-');
  const typed = words.filter((word) => word !== '-').join(' ');
  if (!wanted && (input.kind === 'none' || input.kind === 'terminal')) return { prompt: typed, material: '' };
  if (!wanted && typed !== '' && input.kind === 'pipe' && !(await delivers(input.stream, firstByteWait))) {
    input.stream.destroy();
    say('standard input says nothing and is not used; add "-" to the prompt to wait for it');
    return { prompt: typed, material: '' };
  }
  const stop = (): void => void input.stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const piped = (await readAll(input.stream, say)).replace(/\s+$/, '');
    return typed === '' ? { prompt: piped, material: '' } : { prompt: typed, material: piped };
  } catch (error) {
    if (signal.aborted) return { prompt: typed, material: '' };
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
