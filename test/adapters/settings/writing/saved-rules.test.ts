import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSettings, settingsFiles } from '../../../../adapters/settings/load.ts';
import { savedRules } from '../../../../adapters/settings/writing/saved-rules.ts';
import { takeFileLock } from '../../../../adapters/system/file-lock.ts';

const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-rules-')));
afterAll(() => rm(base, { recursive: true, force: true }));

const isRoot = process.getuid?.() === 0;

/** A project's private settings, with a text or not there, and how to add to them. */
async function project(text: string | null) {
  const places = { config: join(await mkdtemp(join(base, 'case-')), 'config') };
  const source = { project: '/p/app', places, env: {}, flags: {} };
  const file = settingsFiles(source).project;
  if (text !== null) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o600 });
  }
  return {
    file,
    allow: (rule: string) => savedRules(file, takeFileLock).allow(rule),
    text: () => readFile(file, 'utf8'),
    load: () => loadSettings(source),
  };
}

/** The error's kind and text, with the file written as `F`. */
async function refusal(adding: Promise<void>, file: string): Promise<[string, string]> {
  try {
    await adding;
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return [kind, message.replaceAll(file, 'F')];
  }
  throw new Error('it was written');
}

describe('rules that are kept', () => {
  it('make the file and its folders, for the user alone, and come back with their place', async () => {
    const { file, allow, text, load } = await project(null);
    await allow('bash(git commit*)');
    await allow('web_fetch(domain:example.com)');
    await allow('bash(git commit*)');
    const lines = ['"bash(git commit*)",', '"web_fetch(domain:example.com)"'].map(
      (line) => `      ${line}\n`,
    );
    expect(await text()).toBe(`{\n  "permissions": {\n    "allow": [\n${lines.join('')}    ]\n  }\n}\n`);
    const { rules, problems } = await load();
    expect(problems).toEqual([]);
    expect(rules.allow).toEqual([
      { text: 'bash(git commit*)', origin: `${file}:4` },
      { text: 'web_fetch(domain:example.com)', origin: `${file}:5` },
    ]);
    if (process.platform === 'win32') return;
    const bits = async (path: string) => (await stat(path)).mode & 0o777;
    expect([await bits(file), await bits(dirname(file)), await bits(dirname(dirname(file)))]).toEqual([
      0o600, 0o700, 0o700,
    ]);
  });

  it.each([
    [
      '// mine\n{\n  "permissions": {\n    "allow": [\n      "read", // all\n      // none\n    ],\n  },\n  "mode": "plan", "odd": 1\n}\n',
      '// mine\n{\n  "permissions": {\n    "allow": [\n      "read", // all\n      "bash(x*)",\n      // none\n    ],\n  },\n  "mode": "plan", "odd": 1\n}\n',
    ],
    ['{ "permissions": { "allow": ["read"] } }', '{ "permissions": { "allow": ["read", "bash(x*)"] } }'],
    ['{ "permissions": { "allow": [] } }', '{ "permissions": { "allow": [\n  "bash(x*)"\n] } }'],
    ['{ "permissions": { "deny": ["x"] } }', '{ "permissions": { "deny": ["x"], "allow": ["bash(x*)"] } }'],
    ['{ "permissions": { "allow": ["bash(x*)"] } }', '{ "permissions": { "allow": ["bash(x*)"] } }'],
  ])('keep comments, order and unknown keys of %j', async (before, after) => {
    const { allow, text } = await project(before);
    await allow('bash(x*)');
    expect(await text()).toBe(after);
  });

  it.each([
    ['{\n  "mode": "plan",\n  "limits" {}\n}', 'broken', /^F:3:12: colon expected; nothing was written, /],
    ['{ "permissions": { "allow": "read" } }', 'invalid', /^F:1:29: permissions\.allow is no list/],
    ['{ "permissions": [] }', 'invalid', /^F:1:18: permissions is no object/],
    ['{ "limits": { "max_steps": 0 } }', 'broken', /^F:1:28: limits\.max_steps: expected /],
  ])('CONF-02 never write to a file that is not sound, such as %j', async (before, kind, message) => {
    const { file, allow, text } = await project(before);
    expect(await refusal(allow('bash(x*)'), file)).toEqual([kind, expect.stringMatching(message)]);
    expect(await text()).toBe(before);
  });

  it.skipIf(isRoot || process.platform === 'win32')('say what the system refuses', async () => {
    const { file, allow } = await project('{}');
    await chmod(file, 0o400);
    const rights =
      'it was not written: you may not write there; look at the rights of the file and its folder';
    expect(await refusal(allow('read'), file)).toEqual(['io', `F: ${rights}`]);
  });

  it('say where a file stands in the place of their folder', async () => {
    const { file, allow } = await project(null);
    await mkdir(dirname(dirname(file)), { recursive: true });
    await writeFile(dirname(file), '');
    expect(await refusal(allow('read'), file)).toEqual([
      'io',
      'F: it was not written: a file stands where its folder should be',
    ]);
  });

  it('are all there when several are added at once', async () => {
    const { allow, load } = await project('{}');
    const texts = Array.from({ length: 8 }, (_, at) => `bash(tool${at}*)`);
    await Promise.all(texts.map(allow));
    expect((await load()).rules.allow.map(({ text }) => text).sort()).toEqual(texts);
  });
});
