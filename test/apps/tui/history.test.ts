import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { History } from '../../../apps/tui/history.ts';

describe('History', () => {
  let root: string;
  let file: string;
  const history = () =>
    new History({ file, redact: (text) => text.replaceAll('sk-123', '…'), lock: takeFileLock });
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'larik-history-'));
    file = join(root, 'history', 'project.jsonl');
  });
  afterEach(() => rm(root, { recursive: true }));

  it('keeps prompts over processes, readable by the user alone', async () => {
    const first = history();
    first.add('one');
    first.add('two\nlines');
    await first.written();
    expect(await history().all()).toEqual(['one', 'two\nlines']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('keeps no secret, no blank, no long paste and no repetition', async () => {
    const one = history();
    for (const text of ['use sk-123', 'use sk-123', '  \n', 'x'.repeat(20_001), 'then']) one.add(text);
    await one.written();
    expect(await readFile(file, 'utf8')).toBe('{"prompt":"use …"}\n{"prompt":"then"}\n');
  });

  it('passes over what is no prompt', async () => {
    const one = history();
    one.add('mine');
    await one.written();
    const lines = ['{"prompt":7}', 'null', '[]', '{"prompt":"cut', '{"prompt":"also"}'];
    await writeFile(file, `${await readFile(file, 'utf8')}${lines.join('\n')}\n`);
    expect(await history().all()).toEqual(['mine', 'also']);
  });

  it('is written anew once it holds twice as many as are kept', async () => {
    const one = history();
    one.add('first');
    await one.written();
    const lines = Array.from({ length: 1998 }, (_, at) => JSON.stringify({ prompt: `p${at}` }));
    await writeFile(file, `${lines.join('\n')}\n`);
    const other = history();
    other.add('p-last-but-one');
    other.add('p-last');
    await other.written();
    const kept = (await readFile(file, 'utf8')).trim().split('\n');
    expect([kept.length, kept.at(0), kept.at(-1)]).toEqual([
      1000,
      '{"prompt":"p1000"}',
      '{"prompt":"p-last"}',
    ]);
  });

  it('does without a file that cannot be read or written', async () => {
    await writeFile(join(root, 'history'), 'a file where the folder should be');
    const one = history();
    one.add('lost');
    await one.written();
    expect(await one.all()).toEqual([]);
  });
});
