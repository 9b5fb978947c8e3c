import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileTracer, traceFile } from '../../../adapters/trace/file-tracer.ts';
import { readTrace } from '../../../adapters/trace/read-trace.ts';
import { formatRecord } from '../../../adapters/trace/trace-lines.ts';
import { Secrets } from '../../../domain/text/secrets/secrets.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import type { TraceEntry, TraceRecord } from '../../../ports/tracer.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-trace-'));
  path = traceFile(join(folder, '20261130-120000-abcdef.jsonl'));
});
afterEach(() => rm(folder, { recursive: true }));

function tracer(keys: string[] = [], mostBytes?: number) {
  const secrets = new Secrets();
  for (const key of keys) secrets.addKey(key);
  return fileTracer({ path, clock: fakeClock(), secrets, ...(mostBytes === undefined ? {} : { mostBytes }) });
}

const start: TraceEntry = { type: 'start', larik: '1', session: 's' };
const failure = (text: string): TraceEntry => ({ type: 'failure', request: 1, kind: 'server', text });

async function read() {
  const problems: string[] = [];
  const records: TraceRecord[] = [];
  for await (const record of readTrace(path, (text) => problems.push(text))) records.push(record);
  return { records, problems };
}

describe('a tracer of files', () => {
  it('writes a line for each entry at once, numbered, for the user alone', async () => {
    const one = tracer();
    one.record(start);
    one.record(failure('odd\n\u2028text'));
    // Before it is closed: a process that dies loses nothing.
    expect(await read()).toEqual({
      records: [
        { time: '2026-01-02T03:04:05.000Z', seq: 1, ...start },
        { time: '2026-01-02T03:04:05.000Z', seq: 2, ...failure('odd\n\u2028text') },
      ],
      problems: [],
    });
    one.close();
    one.record(start);
    expect((await read()).records).toHaveLength(2);
    expect(one.problem()).toBe(null);
    if (process.platform === 'win32') return;
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  it('goes on after half a line, which is passed over and told', async () => {
    tracer().record(start);
    const whole = await readFile(path, 'utf8');
    await writeFile(path, `${whole}${whole.slice(0, 30)}`);
    await chmod(path, 0o644);
    expect(await read()).toMatchObject({
      records: [start],
      problems: [expect.stringContaining('line 2 of ')],
    });
    tracer().record(failure('later'));
    expect(await read()).toMatchObject({
      records: [start, failure('later')],
      problems: [expect.any(String)],
    });
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('takes secrets out of every text and name, in each form', async () => {
    const secret = 'sk-"quoted\\secret/+0123456789';
    const one = tracer([secret, 'short']);
    const body = JSON.stringify({ text: `a ${secret} b`, [secret]: 1 });
    const base64 = Buffer.from(secret).toString('base64');
    one.record(failure(`${body} ?key=${encodeURIComponent(secret)} ${base64} short`));
    one.record({ type: 'http_response', request: 1, attempt: 1, status: 200, headers: { [secret]: secret } });
    const text = await readFile(path, 'utf8');
    for (const form of [
      secret,
      secret.slice(0, 16),
      JSON.stringify(secret).slice(1, 12),
      base64.slice(0, 24),
      encodeURIComponent(secret),
    ]) {
      expect(text).not.toContain(form);
      expect(text).not.toContain(JSON.stringify(form).slice(1, -1));
    }
    expect((await read()).records).toMatchObject([
      { text: '{"text":"a [key] b","[key]":1} ?key=[key] [key] short' },
      { headers: { '[key]': '[key]' } },
    ]);
  });

  it('ends when the file has its size, says so in it, and tells it once', async () => {
    const one = tracer([], 500);
    for (let n = 0; n < 20; n += 1) one.record(failure(`number ${n}`));
    const { records, problems } = await read();
    expect(records.length).toBeLessThan(10);
    expect(records.at(-1)).toMatchObject({ type: 'full' });
    expect(problems).toEqual([]);
    expect(one.problem()).toMatch(/holds all that it may; the run goes on/);
    expect(one.problem()).toBe(null);
  });

  it('tells once that it cannot write, and throws nothing', async () => {
    await writeFile(dirname(path), 'a file where the folder would be');
    const one = tracer();
    one.record(start);
    expect(one.problem()).toMatch(/cannot be written: .*; the run goes on, and is not recorded any more/);
    one.record(start);
    expect(one.problem()).toBe(null);
    one.close();
  });

  it.skipIf(process.platform === 'win32')('follows no link in place of its folder', async () => {
    const other = join(folder, 'elsewhere');
    await mkdir(other);
    await symlink(other, dirname(path));
    const one = tracer();
    one.record(start);
    expect(one.problem()).toContain('its folder is a link; the run goes on');
    expect(await readdir(other)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('follows no link', async () => {
    const other = join(folder, 'other');
    await writeFile(other, 'kept');
    await mkdir(dirname(path));
    await symlink(other, path);
    const one = tracer();
    one.record(start);
    expect(one.problem()).toContain('cannot be written');
    expect(await readFile(other, 'utf8')).toBe('kept');
  });
});

describe('a record', () => {
  it.each([
    [
      'one long text',
      {
        type: 'http_end',
        request: 1,
        attempt: 1,
        status: 200,
        bytes: 1,
        body: 'x'.repeat(400_000),
        error: null,
      },
      300_000,
    ],
    [
      'very many texts',
      { type: 'context', reason: Array.from({ length: 2000 }, () => 'x'.repeat(2000)) },
      2_300_000,
    ],
    ['more fields than fit', { type: 'context', reason: Array.from({ length: 100_000 }, () => 1) }, 1000],
  ])('of %s is cut to its size, and says how long it was', (_name, entry, most) => {
    const record = { time: 't', seq: 7, ...entry } as TraceRecord;
    const line = formatRecord(record, most);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(most);
    const size = Buffer.byteLength(`${JSON.stringify(record)}\n`);
    expect(JSON.parse(line)).toMatchObject({ time: 't', seq: 7, type: entry.type, cut: size });
  });
});
