import { execFile, spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, describe, expect, it } from 'vitest';
import { parseJsonDocument } from '../../../../adapters/settings/documents/settings-document.ts';
import { setSetting as setUnderLock } from '../../../../adapters/settings/writing/set-setting.ts';
import { takeFileLock } from '../../../../adapters/system/file-lock.ts';

const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-set-')));
afterAll(() => rm(base, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;
const onPosix = process.platform !== 'win32';

const setSetting = (file: string, path: readonly string[], value: unknown): Promise<boolean> =>
  setUnderLock(file, path, value, takeFileLock);

async function fileWith(text: string | null, name = 'config.json'): Promise<string> {
  const file = join(await mkdtemp(join(base, 'case-')), 'config', name);
  if (text === null) return file;
  await mkdir(dirname(file));
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** The error's kind and text, with the folder written as `R`. */
async function refusal(file: string, path: string[], value: unknown): Promise<[string, string]> {
  try {
    await setSetting(file, path, value);
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return [kind, message.replaceAll(dirname(file), 'R')];
  }
  throw new Error('it was written');
}

describe('setting a value', () => {
  it('makes the file and its folder, for the user alone', async () => {
    const file = await fileWith(null);
    expect(await setSetting(file, ['model'], 'a/b')).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('{\n  "model": "a/b"\n}\n');
    expect(await readdir(dirname(file))).toEqual(['config.json']);
    if (!onPosix) return;
    const bits = async (path: string) => (await stat(path)).mode & 0o777;
    expect([await bits(file), await bits(dirname(file))]).toEqual([0o600, 0o700]);
  });

  it('keeps the permissions of a file that is there, and says when nothing changed', async () => {
    const file = await fileWith('{ "model": "a/b", "odd": 1 }');
    await chmod(file, 0o640);
    expect(await setSetting(file, ['model'], 'a/b')).toBe(false);
    expect(await setSetting(file, ['mode'], undefined)).toBe(false);
    expect(await setSetting(file, ['model'], undefined)).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('{ "odd": 1 }');
    expect((await stat(file)).mode & 0o777).toBe(onPosix ? 0o640 : 0o666);
  });

  it.skipIf(!onPosix)('follows links, and leaves them links', async () => {
    const file = await fileWith('{}');
    const elsewhere = join(dirname(file), '..', 'dotfiles.json');
    const link = join(dirname(file), 'linked.json');
    for (const text of ['{ "mode": "plan" }', null]) {
      await rm(link, { force: true });
      await rm(elsewhere, { force: true });
      if (text !== null) await writeFile(elsewhere, text, { mode: 0o600 });
      await symlink('../dotfiles.json', link);
      await setSetting(link, ['mode'], 'yolo');
      expect(await readlink(link)).toBe('../dotfiles.json');
      expect(JSON.parse(await readFile(elsewhere, 'utf8'))).toEqual({ mode: 'yolo' });
    }
    await rm(link);
    await symlink('linked.json', link);
    expect(await refusal(link, ['mode'], 'yolo')).toEqual(['broken', expect.stringContaining('ELOOP')]);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  it('CONF-02 never writes to a file that does not parse', async () => {
    const text =
      '{\n  "model": "a/b",\n  "mode": "yolo",\n\n  "effort": "high",\n  "roles": {},\n  "limits" {},\n}';
    const file = await fileWith(text);
    expect(await refusal(file, ['model'], 'c/d')).toEqual([
      'broken',
      'R/config.json:7:12: colon expected; nothing was written, since the file must be mended first (larik config edit)',
    ]);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(await readdir(dirname(file))).toEqual(['config.json']);
    const texts: [Buffer, RegExp][] = [
      [Buffer.from('{"a":1}', 'utf16le'), /^R\/config.json: it is written in UTF-16; save it as UTF-8;/],
      [
        Buffer.from('\ufeff{"a":1}', 'utf16le'),
        /^R\/config.json: it is written in UTF-16; save it as UTF-8;/,
      ],
      [Buffer.from('7b22ff223a317d', 'hex'), /^R\/config.json: it is not text in UTF-8;/],
    ];
    for (const [bytes, text] of texts) {
      await writeFile(file, bytes);
      expect((await refusal(file, ['model'], 'c/d'))[1]).toMatch(text);
      expect(await readFile(file)).toEqual(bytes);
    }
  });

  it.each([
    [['limits', 'max_steps'], 0, 'limits.max_steps: expected more than 0, got 0'],
    [['mode'], 'wild', 'mode: expected one of "default", "accept-edits", "plan", "auto", "yolo", got "wild"'],
    [['efort'], 'a/b', 'unknown key efort; did you mean effort?'],
    [['limits', 'max_step'], 1, 'unknown key limits.max_step; did you mean max_steps?'],
    [['limits'], { max_step: 1 }, 'unknown key limits.max_step; did you mean max_steps?'],
    [['odd'], 2, 'unknown key odd; it has no effect'],
    [['guard'], 'maybe', 'guard: expected one of "on", "off", got "maybe"'],
    [
      ['sandbox', 'allowed_domains'],
      ['example.com', '*'],
      'sandbox.allowed_domains: "*": it is not a host name such as example.com',
    ],
    [
      ['sandbox', 'deny_read'],
      [''],
      'sandbox.deny_read: "": it is empty or has blanks around it, so it would hide nothing that is meant',
    ],
    [['model', 'x'], 1, 'R/config.json:2:12: model is no object, so it holds no keys'],
    [['providers', 'a.b', 'api_key'], 77, 'providers."a.b".api_key: expected a string, got a number'],
    [['permissions', 'allow'], 'bash', 'permissions.allow: expected a list, got a string'],
    [['models', 'a/b', 'prices', 'input'], 1, 'models.a/b.prices.output: expected a number, got nothing'],
  ])('refuses %j = %j', async (path, value, text) => {
    const before = '{\n  "model": "a/b",\n  "odd": 1\n}';
    const file = await fileWith(before);
    expect(await refusal(file, path, value)).toEqual(['invalid', text]);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('mends a wrong value, and writes nothing beside one', async () => {
    const file = await fileWith('{\n  "mode": "wild"\n}');
    expect(await refusal(file, ['model'], 'a/b')).toEqual([
      'broken',
      expect.stringMatching(/^R\/config.json:2:11: mode: expected .*; nothing was written/),
    ]);
    expect(await setSetting(file, ['mode'], 'plan')).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('{\n  "mode": "plan"\n}');
  });

  it('keeps the comments, the order and the line ends of YAML', async () => {
    const yaml = `# mine
odd: [1,  2]
model: a/b # that one
limits:
  # few
  max_steps: 5
permissions:
  deny: ["bash(rm *)"]
`.replaceAll('\n', '\r\n');
    const file = await fileWith(yaml, 'config.yaml');
    await setSetting(file, ['model'], 'c/d');
    await setSetting(file, ['limits', 'bash_timeout'], 9);
    await setSetting(file, ['providers', 'local', 'base_url'], 'http://a');
    const text = await readFile(file, 'utf8');
    expect(text.replaceAll('\r\n', '\n')).toBe(`# mine
odd: [ 1, 2 ]
model: c/d # that one
limits:
  # few
  max_steps: 5
  bash_timeout: 9
permissions:
  deny: [ "bash(rm *)" ]
providers:
  local:
    base_url: http://a
`);
    expect(text).not.toMatch(/[^\r]\n/);
    await setSetting(file, ['limits', 'bash_timeout'], undefined);
    expect(await readFile(file, 'utf8')).not.toContain('bash_timeout');
    expect((await refusal(file, ['model', 'x'], 1))[0]).toBe('invalid');
    await writeFile(file, 'limits:\n');
    await setSetting(file, ['limits', 'max_steps'], 1);
    expect(await readFile(file, 'utf8')).toBe('limits:\n  max_steps: 1\n');
    await writeFile(file, 'mode: [\n');
    expect((await refusal(file, ['model'], 'a/b'))[1]).toMatch(
      /^R\/config.yaml:\d:\d+: it is not valid YAML/,
    );
  });

  it.skipIf(!onPosix || isRoot)('says when the system refuses, and leaves nothing behind', async () => {
    const file = await fileWith('{}');
    await chmod(dirname(file), 0o500);
    expect(await refusal(file, ['model'], 'a/b')).toEqual([
      'io',
      'R/config.json: it was not written: you may not write there; look at the rights of the file and its folder',
    ]);
    await chmod(dirname(file), 0o700);
    expect(await readdir(dirname(file))).toEqual(['config.json']);
  });

  it('says when a file stands where the folder should be', async () => {
    const file = await fileWith('{}');
    expect(await refusal(join(file, 'x.json'), ['model'], 'a/b')).toEqual([
      'io',
      expect.stringMatching(/x\.json: it was not written: a file stands where its folder should be$/),
    ]);
  });

  it('goes on after a process that was killed while it wrote, and clears away what it left', async () => {
    const file = await fileWith('{}');
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const stale = JSON.stringify({ pid: ended, host: hostname(), started: '1', token: 'x' });
    for (const path of [`${file}.lock`, `${file}.lock.0123456789ab`, `${file}.larik-new`])
      await writeFile(path, stale);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => setSetting(file, ['models', `p/${n}`, 'images'], true)),
    );
    expect(Object.keys((JSON.parse(await readFile(file, 'utf8')) as { models: object }).models).length).toBe(
      8,
    );
    expect(await readdir(dirname(file))).toEqual(['config.json']);
  });

  it('writes nothing while others hold the lock for too long, and says who does', async () => {
    const file = await fileWith('{}');
    const held = () => Promise.resolve({ heldBy: 'process 1 (larik)' });
    await expect(setUnderLock(file, ['model'], 'a/b', held)).rejects.toMatchObject({
      kind: 'io',
      message: `${file}: it is being written by process 1 (larik)`,
    });
    expect(await readFile(file, 'utf8')).toBe('{}');
  });

  it('SESS-13 keeps every key of 8 processes that write at once, and parses at every read', async () => {
    const file = await fileWith('{\n  // mine\n  "mode": "plan",\n}\n');
    const here = dirname(fileURLToPath(import.meta.url));
    const output = join(dirname(file), '..', 'program');
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        ssr: join(here, 'set-keys.ts'),
        outDir: output,
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: 'set-keys.mjs' } },
      },
    });
    const run = promisify(execFile);
    const progress = { writing: true };
    let reads = 0;
    const reader = async () => {
      let last = '';
      while (progress.writing) {
        // The readers leave the writers some of the machine.
        await setTimeout(20);
        const text = await readFile(file, 'utf8');
        if (text === last) continue;
        last = text;
        const parsed = parseJsonDocument(text);
        expect(parsed.ok && (parsed.document.value as { mode?: unknown }).mode).toBe('plan');
        reads += 1;
      }
    };
    const readers = Array.from({ length: 8 }, reader);
    const writers = Array.from({ length: 8 }, (_, at) =>
      run(process.execPath, [join(output, 'set-keys.mjs'), file, String(at * 50), '50']),
    );
    await Promise.all(writers).finally(() => (progress.writing = false));
    await Promise.all(readers);
    expect(reads).toBeGreaterThan(8);
    const text = await readFile(file, 'utf8');
    const parsed = parseJsonDocument(text);
    const models = Array.from({ length: 400 }, (_, n) => [`p/${n}`, { context_window: n + 1 }]);
    expect(parsed.ok && parsed.document.value).toEqual({ mode: 'plan', models: Object.fromEntries(models) });
    expect(text).toContain('// mine');
    expect(await readdir(dirname(file))).toEqual(['config.json']);
  }, 60_000);
});
