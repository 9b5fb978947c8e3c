import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureServer, fixturesOf } from '../wire/fixture-server.ts';
import { program, sandbox, type Sandbox } from './larik.ts';

/** A word that is in one vendor's client only. */
const marks: Record<string, string> = {
  anthropic: 'ANTHROPIC_LOG',
  openai: 'OPENAI_LOG',
  gemini: 'x-goog-api-client',
};

/** Tells at the end which files of the program were read. */
const spy = `
const fs = require('node:fs');
const read = new Set();
const { readFileSync } = fs;
fs.readFileSync = function (file, ...rest) {
  if (typeof file === 'string') read.add(file);
  return readFileSync.call(this, file, ...rest);
};
process.on('exit', () => fs.writeFileSync(process.env.READ_FILES, JSON.stringify([...read])));
`;

const server = new FixtureServer();
let box: Sandbox;
beforeAll(async () => {
  box = await sandbox({ 'a.txt': 'one\n' });
  await writeFile(join(box.home, 'spy.cjs'), spy);
  await server.start();
});
afterAll(async () => {
  await box.dispose();
  await server.stop();
});

/** The vendors whose client a run loads. */
async function loadedBy(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const list = join(box.home, 'read.json');
  const options = { NODE_OPTIONS: `--require ${join(box.home, 'spy.cjs')}`, READ_FILES: list };
  const { code, err } = await box.run(args, { env: { ...env, ...options } });
  expect([code, err]).toEqual([0, expect.anything()]);
  const files = JSON.parse(readFileSync(list, 'utf8')) as string[];
  const own = files.filter((file) => file.startsWith(dirname(program)) && file.endsWith('.cjs'));
  const sources = own.map((file) => readFileSync(file, 'utf8'));
  return Object.keys(marks).filter((vendor) => sources.some((source) => source.includes(marks[vendor]!)));
}

describe('the client of a vendor', () => {
  it.each([
    ['--version', ['--version']],
    ['permissions explain', ['permissions', 'explain', 'bash(ls)']],
    ['the demo', ['-p', 'show a.txt', '--model', 'demo/demo']],
  ])('is not loaded by %s', async (_, args) => {
    expect(await loadedBy(args)).toEqual([]);
  });

  it.each([
    ['anthropic', 'anthropic', 'ANTHROPIC_BASE_URL', ['anthropic']],
    ['openai', 'openai-responses', 'OPENAI_BASE_URL', ['openai']],
    ['gemini', 'gemini', 'GOOGLE_GEMINI_BASE_URL', ['gemini']],
    ['ollama', 'ollama', 'OLLAMA_HOST', []],
  ])('is loaded by a request to %s only', async (provider, protocol, variable, vendors) => {
    server.answers([fixturesOf(protocol).find(({ name }) => name === 'plain-text')!]);
    const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    const env = { ...keys, [variable]: server.url };
    expect(await loadedBy(['-p', 'hi', '--model', `${provider}/m`], env)).toEqual(vendors);
  });
});
