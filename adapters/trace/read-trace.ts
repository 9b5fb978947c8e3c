import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { TraceRecord } from '../../ports/tracer.ts';
import { parseRecord } from './trace-lines.ts';

const newline = 0x0a;

/** Lines of a file as bytes come, each decoded as a whole; a `\n` alone ends one. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let held: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      yield Buffer.concat([...held, chunk.subarray(from, end)]).toString('utf8');
      held = [];
      from = end + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  }
  if (held.length > 0) yield Buffer.concat(held).toString('utf8');
}

/**
 * What was recorded, one after the other; `problem` gets what cannot be read, such as the end of a line
 * at which a process died. Throws what the system does, `ENOENT` where nothing was recorded.
 */
export async function* readTrace(path: string, problem: (text: string) => void): AsyncGenerator<TraceRecord> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) throw new Error('it is not a regular file');
    let number = 0;
    for await (const line of linesOf(file.createReadStream({ autoClose: false }))) {
      number += 1;
      const record = line === '' ? null : parseRecord(line);
      if (record !== null) yield record;
      else if (line !== '') problem(`line ${number} of ${path} is no whole record and was passed over`);
    }
  } finally {
    await file.close();
  }
}
