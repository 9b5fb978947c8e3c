import { execFileSync } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { jsonlSessionStore } from '../../../adapters/sessions/jsonl-session-store.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { readContent } from '../../../adapters/sessions/session-content.ts';
import { formatLine } from '../../../adapters/sessions/session-lines.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { memorySessions } from '../../../plugins/testing/memory-sessions.ts';
import { contractMeta, testSessionStore } from '../../../plugins/testing/contracts/session-store-contract.ts';
import type { Message } from '../../../ports/message.ts';
import type { SessionStore } from '../../../ports/session.ts';

const base = await mkdtemp(join(tmpdir(), 'larik-sessions-'));
afterAll(() => rm(base, { recursive: true, force: true }));

async function setup() {
  const folder = join(await mkdtemp(join(base, 'data-')), 'sessions', 'project-0');
  const clock = fakeClock();
  const ids = fakeIds();
  const reopen = (): SessionStore => jsonlSessionStore({ folder, clock, ids, lock: takeFileLock });
  return { folder, store: reopen(), reopen, tick: () => void clock.advance(1000) };
}

testSessionStore('files', { describe, it, expect }, setup);

testSessionStore('memory', { describe, it, expect }, async () => {
  const clock = fakeClock();
  const store = memorySessions(clock, fakeIds());
  return { store, reopen: () => store, tick: () => void clock.advance(1000) };
});

const prompt = (text: string): Message => ({ role: 'user', blocks: [{ type: 'text', text }] });

/** A session with so many prompts, closed; its prompts are `prompt 1` and so on, from line 2. */
async function sessionOf(prompts: number) {
  const one = await setup();
  const log = await one.store.create(contractMeta);
  for (let n = 1; n <= prompts; n += 1)
    await log.append({ type: 'message', message: prompt(`prompt ${n} ü`) });
  await log.close();
  return { ...one, id: log.id, path: log.path };
}

async function textsOf(store: SessionStore, id: string): Promise<string[]> {
  const { entries } = await store.read(id);
  return entries.flatMap(({ entry }) =>
    'message' in entry ? entry.message.blocks.map((block) => (block.type === 'text' ? block.text : '')) : [],
  );
}

describe('session files', () => {
  it.skipIf(process.platform !== 'linux')('leave nothing behind where the disk is full at once', async () => {
    const { store, folder } = await setup();
    const limitFiles = (size: string) =>
      execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`]);
    // Too little for the lock, then for the first line.
    for (const size of ['10', '200']) {
      limitFiles(size);
      try {
        await expect(store.create(contractMeta)).rejects.toMatchObject({ kind: 'io' });
      } finally {
        limitFiles('unlimited');
      }
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('are regular files: a pipe, a folder and a link of such a name are none', async () => {
    const { store, folder, id, path } = await sessionOf(1);
    const others = {
      pipe: '20240101-000000-00000a',
      folder: '20240101-000000-00000b',
      link: '20240101-000000-00000c',
    };
    const at = (other: string) => join(folder, `${other}.jsonl`);
    execFileSync('mkfifo', [at(others.pipe)]);
    await mkdir(at(others.folder));
    await symlink(path, at(others.link));
    expect((await store.list()).map((one) => one.id)).toEqual([id]);
    await expect(store.find('20240101')).rejects.toMatchObject({ kind: 'not_found' });
    for (const other of Object.values(others)) {
      await expect(store.read(other)).rejects.toMatchObject({ port: 'session', kind: 'broken' });
      await expect(store.open(other)).rejects.toMatchObject({ port: 'session', kind: 'broken' });
    }
    expect((await readdir(folder)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('SESS-01 keep all before a torn last line, and go on behind it on a new line', async () => {
    const { store, path, id } = await sessionOf(3);
    const whole = await readFile(path);
    // Inside the ü of the last prompt.
    const cut = whole.lastIndexOf(Buffer.from('ü')) + 1;
    await writeFile(path, whole.subarray(0, cut));
    const { log, entries, problems } = await store.open(id);
    expect(entries.length).toBe(3);
    expect(problems).toEqual([
      'line 4 is not a whole record (cut off when it was written); 1 record is lost, the file is left as it is',
    ]);
    expect(await readFile(path)).toEqual(whole.subarray(0, cut));
    await log.append({ type: 'message', message: prompt('next') });
    await log.close();
    const after = await readFile(path);
    expect(after.subarray(0, cut)).toEqual(whole.subarray(0, cut));
    expect(after[cut]).toBe(0x0a);
    expect(await textsOf(store, id)).toEqual(['prompt 1 ü', 'prompt 2 ü', 'next']);
    expect((await store.read(id)).problems).toEqual([
      'line 4 is not a whole record: it could not be used and is left in the file',
    ]);
  });

  it('SESS-01 keep all before the zeros that a loss of power left', async () => {
    const { store, path, id } = await sessionOf(2);
    await appendFile(path, Buffer.alloc(5000));
    const { log, entries, problems } = await store.open(id);
    expect([entries.length, problems.length]).toEqual([3, 1]);
    await log.append({ type: 'message', message: prompt('next') });
    await log.close();
    expect(await textsOf(store, id)).toEqual(['prompt 1 ü', 'prompt 2 ü', 'next']);
  });

  it.skipIf(process.platform !== 'linux')(
    'SESS-01 go on behind what a full disk took of an entry',
    async () => {
      const { store, path, id } = await sessionOf(1);
      const { log } = await store.open(id);
      const limit = (size: string) =>
        execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${size}:`]);
      limit(String((await stat(path)).size + 50));
      try {
        for (let n = 0; n < 2; n += 1) {
          await expect(log.append({ type: 'message', message: prompt('lost') })).rejects.toMatchObject({
            port: 'session',
            kind: 'io',
          });
        }
      } finally {
        limit('unlimited');
      }
      expect(await textsOf(store, id)).toEqual(['prompt 1 ü']);
      await log.append({ type: 'message', message: prompt('next') });
      await log.close();
      expect(await textsOf(store, id)).toEqual(['prompt 1 ü', 'next']);
    },
  );

  it('SESS-01 take a last record that only lacks its line end', async () => {
    const { store, path, id } = await sessionOf(2);
    const whole = await readFile(path);
    await writeFile(path, whole.subarray(0, -1));
    const { log, problems } = await store.open(id);
    expect(problems).toEqual([]);
    await log.append({ type: 'message', message: prompt('next') });
    await log.close();
    expect(await textsOf(store, id)).toEqual(['prompt 1 ü', 'prompt 2 ü', 'next']);
    expect((await store.read(id)).problems).toEqual([]);
  });

  /** A session of 80 lines, of which line 40 was changed by `change`, given itself and the next line. */
  async function brokenAt40(change: (line: string, next: string) => string[]) {
    const one = await sessionOf(79);
    const lines = (await readFile(one.path, 'utf8')).split('\n');
    lines.splice(39, 2, ...change(lines[39] ?? '', lines[40] ?? ''));
    await writeFile(one.path, lines.join('\n'));
    return one;
  }

  const half = (line: string): string => line.slice(0, line.length / 2);

  it.each([
    ['half a record with the next one behind it', (line: string, next: string) => [half(line) + next]],
    ['half a record', (line: string, next: string) => [half(line), next]],
    ['other bytes within a record', (line: string, next: string) => [`${half(line)}\u0000\u0000`, next]],
  ])('SESS-02 lose one record only to %s', async (_what, change) => {
    const { store, path, id } = await brokenAt40(change);
    const before = await readFile(path);
    const { log, entries, problems } = await store.open(id);
    expect(entries.length).toBe(79);
    expect(problems).toEqual(['line 40 is not a whole record: it could not be used and is left in the file']);
    await log.append({ type: 'message', message: prompt('after the break') });
    await log.close();
    expect((await readFile(path)).subarray(0, before.length)).toEqual(before);
    const again = await textsOf(store, id);
    expect([again.length, again[37], again[38], again.at(-1)]).toEqual([
      79,
      'prompt 38 ü',
      'prompt 40 ü',
      'after the break',
    ]);
  });

  it.each([
    ['that cannot be told', (line: string, next: string) => [line.slice(9), next]],
    [
      'without which the rest means something else',
      (line: string, next: string) => [half(line.replace('"type":"message"', '"type":"context"')), next],
    ],
  ])('SESS-02 are opened up to a broken record %s', async (_what, change) => {
    const { store, path, id } = await brokenAt40(change);
    const before = await readFile(path);
    const { log, entries, problems } = await store.open(id);
    expect(entries.length).toBe(39);
    expect(problems).toEqual([
      'line 40 is not a whole record: it and the 40 records behind it could not be used and are left in the file; the session is opened up to line 39',
    ]);
    await log.append({ type: 'message', message: prompt('after the break') });
    await log.close();
    expect((await readFile(path)).subarray(0, before.length)).toEqual(before);
    const again = await textsOf(store, id);
    expect([again.length, again.at(-1)]).toEqual([39, 'after the break']);
  });

  it('SESS-02 do not take a record for the next one whose own is missing', async () => {
    const { store, path, id } = await sessionOf(5);
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines.splice(3, 1);
    await writeFile(path, lines.join('\n'));
    expect(await textsOf(store, id)).toEqual(['prompt 1 ü', 'prompt 2 ü']);
    expect((await store.read(id)).problems).toEqual([
      'line 4 does not follow the record before it: it and the record behind it could not be used and are left in the file; the session is opened up to line 3',
    ]);
  });

  it('SESS-04 are split at line feeds only, by any reader', async () => {
    const { store } = await setup();
    const text = 'a\u2028b\u2029c\u0085d';
    const log = await store.create(contractMeta);
    await log.append({ type: 'message', message: prompt(text) });
    await log.close();
    expect(await textsOf(store, log.id)).toEqual([text]);
    const raw = await readFile(log.path, 'utf8');
    expect(raw.split(/\r\n|[\n\v\f\r\u001c\u001d\u001e\u0085\u2028\u2029]/).length).toBe(3);
    const seen: string[] = [];
    for await (const line of createInterface({
      input: (await import('node:fs')).createReadStream(log.path),
    })) {
      seen.push(line);
    }
    expect(seen.map((line) => JSON.parse(line).type)).toEqual(['meta', 'message']);
  });

  it('SESS-06 are not changed by opening, whatever is missing at their end', async () => {
    const { store } = await setup();
    const log = await store.create(contractMeta);
    const uses = ['t1', 't2', 't3'].map((id) => ({ type: 'tool_use', id, name: 'read', input: {} }) as const);
    await log.append({ type: 'message', message: { role: 'assistant', blocks: uses } });
    await log.close();
    const before = await readFile(log.path);
    const opened = await store.open(log.id);
    expect([opened.entries.length, opened.problems]).toEqual([2, []]);
    await opened.log.close();
    expect(await readFile(log.path)).toEqual(before);
  });

  it('keep entries of types that are not known here', async () => {
    const { store, path, id } = await sessionOf(1);
    const last = JSON.parse((await readFile(path, 'utf8')).trim().split('\n').at(-1) ?? '') as { id: string };
    const custom = {
      id: 'c1',
      parent_id: last.id,
      type: 'custom',
      time: '2026-01-01T00:00:00Z',
      plugin: 'x',
      data: 1,
    };
    await appendFile(path, `${JSON.stringify(custom)}\n`);
    const { log, entries, problems } = await store.open(id);
    expect(problems).toEqual([]);
    expect(entries.at(-1)?.entry).toEqual({ type: 'custom', plugin: 'x', data: 1 });
    await log.append({ type: 'message', message: prompt('next') });
    await log.close();
    expect((await store.read(id)).entries.at(-1)?.parent_id).toBe('c1');
  });

  it('of a newer format are shown, and not written to', async () => {
    const { store, path, id } = await sessionOf(1);
    await writeFile(path, (await readFile(path, 'utf8')).replace('"version":1', '"version":2'));
    const before = await readFile(path);
    await expect(store.open(id)).rejects.toMatchObject({ port: 'session', kind: 'version' });
    expect(await textsOf(store, id)).toEqual(['prompt 1 ü']);
    expect((await store.read(id)).problems.length).toBe(1);
    expect(await readFile(path)).toEqual(before);
  });

  it('that hold something else are told apart', async () => {
    const { store, path, id, folder } = await sessionOf(1);
    for (const text of [
      '',
      'x',
      '{}\n',
      '[]\n',
      '{"id":"a","parent_id":null,"type":"turn","time":"","n":1}\n',
    ]) {
      await writeFile(path, text);
      await expect(store.open(id)).rejects.toMatchObject({ port: 'session', kind: 'broken' });
      expect(await store.list()).toEqual([]);
    }
    expect((await readdir(folder)).filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('are private', async () => {
    const { path, folder } = await sessionOf(1);
    const modes = [(await stat(folder)).mode & 0o777, (await stat(path)).mode & 0o777];
    expect(modes).toEqual(process.platform === 'win32' ? modes : [0o700, 0o600]);
  });

  it('cut at every byte give the records before the cut, and take the next', async () => {
    const { path } = await sessionOf(3);
    const whole = await readFile(path);
    const first = whole.indexOf(0x0a);
    for (let cut = first; cut < whole.length; cut += 1) {
      const left = whole.subarray(0, cut);
      const complete = 1 + whole.subarray(first + 1, cut + 1).filter((byte) => byte === 0x0a).length;
      const { entries, torn } = readContent(left);
      const head = { id: 'next', parent_id: entries.at(-1)?.id ?? null, time: '2026-01-01T00:00:00Z' };
      const line = formatLine(head, { type: 'message', message: prompt('next') });
      const again = readContent(Buffer.concat([left, Buffer.from(torn ? `\n${line}` : line)]));
      expect([cut, entries.length, again.entries.length, again.entries.at(-1)?.id]).toEqual([
        cut,
        complete,
        complete + 1,
        'next',
      ]);
    }
  });

  it('are listed by their heads and tails', async () => {
    const { store, path, id } = await sessionOf(1);
    const { log } = await store.open(id);
    await log.append({ type: 'message', message: prompt('x'.repeat(3_000_000)) });
    await log.append({ type: 'model', model: 'mock/two' });
    await log.append({ type: 'title', title: 'a title' });
    await log.close();
    const size = (await stat(path)).size;
    expect(await store.list()).toMatchObject([
      { id, path, title: 'a title', model: 'mock/two', bytes: size },
    ]);
  });
});
