import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { presets } from '../../adapters/providers/openai-compatible/presets.ts';
import { isInstalled } from '../installed.ts';
import { beside, sandbox, type Sandbox } from './larik.ts';
import { modelServer, type ModelServer, type Reply } from './model-server.ts';

/** Keys that no text may repeat, by what they were planted as. */
const planted = new Map<string, string>();

/** A key; its beginning tells it from all others. */
function key(name: string): string {
  const made = planted.get(name) ?? `${createHash('sha256').update(name).digest('hex').slice(0, 32)}-${name}`;
  planted.set(name, made);
  return made;
}

const keyVariables = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'OPENAI_API_KEY',
  'OPENAI_ADMIN_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'NAMED_BY_SETTINGS',
  ...Object.values(presets).flatMap((preset) => preset.keyVariables),
];

let box: Sandbox;
let server: ModelServer;
let next: Reply[] = [];
/** All that was printed, by command line. */
const printed = new Map<string, string>();

const environment = (): Record<string, string> => ({
  ...Object.fromEntries(keyVariables.map((name) => [name, key(name)])),
  ANTHROPIC_CUSTOM_HEADERS: `x-gateway: ${key('custom-header')}`,
  OPENAI_CUSTOM_HEADERS: `x-gateway: ${key('custom-header-2')}`,
  ANTHROPIC_BASE_URL: server.url,
  OPENAI_BASE_URL: server.url.replace('//', `//user:${key('variable-address')}@`),
  HTTPS_PROXY: `http://user:${key('proxy')}@127.0.0.1:9`,
  COPY_OF_A_KEY: `Bearer ${key('ANTHROPIC_API_KEY')}`,
  COPY_OF_ONE_IN_THE_SETTINGS: key('api_key'),
  TMPDIR: join(box.home, 'tmp'),
});

async function larik(args: string[], replies: Reply[] = [], env: Record<string, string> = {}) {
  next = replies;
  const { out, err, code } = await box.run(args, { env: { ...environment(), ...env } });
  printed.set(`${args.join(' ')} #${printed.size}`, `${out}\n${err}`);
  return { out, err, code };
}

const settings = (): string => join(box.home, 'larik', 'config', 'config.json');

function settingsText(type: 'none' | 'auto'): string {
  const own = { type: 'openai-compatible', base_url: server.url };
  const printing = [process.execPath, '-e', 'console.log(process.argv[1])', key('api_key_command')];
  const failing = [process.execPath, '-e', 'console.error(process.argv[1]); process.exit(3)', key('failing')];
  return JSON.stringify({
    sandbox: { type },
    providers: {
      written: {
        ...own,
        api_key: key('api_key'),
        headers: { 'x-team': `Token ${key('header')}`, cookie: `session=${key('cookie')}` },
      },
      named: { ...own, api_key_env: 'NAMED_BY_SETTINGS' },
      command: { ...own, api_key_command: printing },
      failing: { ...own, api_key_command: failing },
      address: { ...own, base_url: server.url.replace('//', `//user:${key('address')}@`) },
      query: { ...own, base_url: `${server.url}/v1?api_key=${key('query')}` },
      wrong: { ...own, base_url: `http//user:${key('wrong-address')}@host`, api_key: 'x' },
    },
  });
}

/** An answer that repeats all that the server knows, and headers in a form of its own. */
function echo(status: number, known: readonly string[], headers: Record<string, string> = {}): Reply {
  const basic = Buffer.from(`user:${key('address')}`).toString('base64');
  const odd = `authorization: Basic ${basic}; {"x-api-key":"${key('unknown-form')}"}`;
  const message = `refused: ${known.map(key).join(' ')}; ${odd}`;
  return {
    status,
    headers: { 'x-should-retry': 'false', ...headers },
    body: JSON.stringify({ error: { message, type: 'odd' } }),
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Where a key stands, whole, from its beginning on, or as a header has it. */
function leaks(place: string, text: string): string[] {
  return [...planted].flatMap(([name, value]) => {
    const forms = [value.slice(0, 24), Buffer.from(value).toString('base64').slice(0, 24)];
    return forms.some((form) => text.includes(form)) ? [`${name} in ${place}`] : [];
  });
}

/** Files that the keys were put into on purpose. */
const own = (path: string): boolean => path.endsWith('config.json') || path.endsWith('crash.cjs');

async function allLeaks(): Promise<string[]> {
  const found = [...printed].flatMap(([place, text]) => leaks(place, text));
  for (const path of await filesBelow(join(box.home, '..'))) {
    if (!own(path)) found.push(...leaks(path, await readFile(path, 'utf8')));
  }
  return found;
}

beforeAll(async () => {
  server = await modelServer(() => next.shift() ?? { text: 'done' });
  box = await sandbox({ 'a.txt': 'a' });
  await mkdir(join(box.home, 'tmp'));
  await writeFile(settings(), settingsText('none'));
});
afterAll(async () => {
  await server.close();
  await box.dispose();
});

it('no error repeats a key', async () => {
  const known = ['api_key', 'header', 'cookie', 'address', 'query', 'ANTHROPIC_API_KEY', 'proxy'];
  const page = `<!doctype html><title>${known.map(key).join(' ')}</title>`;
  const html = {
    status: 502,
    headers: { 'content-type': 'text/html', 'x-should-retry': 'false' },
    body: page,
  };
  const moved = echo(307, known, { location: `${server.url}/?key=${key('api_key')}` });
  for (const reply of [echo(429, known), html, moved])
    await larik(['-p', 'go', '--model', 'written/m'], [reply]);
  const command = [echo(401, ['api_key_command', ...known])];
  await larik(['-p', 'go', '--model', 'command/m', '--output', 'json'], command);
  expect([...printed.values()].filter((text) => !text.includes('[key]'))).toEqual([]);
  const models = [
    'failing/m',
    'wrong/m',
    'address/m',
    'query/m',
    'openai/m',
    'openrouter/x',
    `nobody/m?key=${key('ANTHROPIC_API_KEY')}`,
  ];
  await beside(models, (model) => larik(['-p', 'go', '--model', model]));
  expect(await allLeaks()).toEqual([]);
});

it('TRUST-06 no command of the model gets a key', async () => {
  const looks = 'unset HTTPS_PROXY; env; printenv; cat /proc/self/environ | tr "\\0" "\\n"; sh -c export';
  const calls = [
    { name: 'bash', input: { command: `${looks} | grep -v PROXY` } },
    { name: 'bash', input: { command: 'unset HTTPS_PROXY; env; echo begun', background: true } },
    { name: 'grep', input: { pattern: 'a' } },
  ];
  const env = { COPY_OF_WHAT_A_COMMAND_PRINTS: key('api_key_command') };
  for (const [model, more] of [
    ['anthropic/claude-x', {}],
    ['command/m', env],
  ] as const) {
    const line = ['-p', 'go', '--mode', 'yolo', '--output', 'json', '--model', model];
    expect((await larik(line, [{ calls }], more)).out).toContain('LARIK_SESSION_ID');
  }
  expect(server.headers.flatMap((headers) => headers['x-gateway'] ?? [])).toEqual([]);
  expect(await allLeaks()).toEqual([]);
});

it.skipIf(!isInstalled('bwrap'))('a command in the sandbox finds no key of any process', async () => {
  await writeFile(settings(), settingsText('auto'));
  const looks = 'env; cat /proc/*/environ /proc/$PPID/environ 2>/dev/null | tr "\\0" "\\n"; echo looked';
  const calls = [{ name: 'bash', input: { command: looks } }];
  const { out } = await larik(['-p', 'go', '--output', 'json', '--model', 'written/m'], [{ calls }]);
  expect(out).toContain('looked');
  expect(await allLeaks()).toEqual([]);
});

it('no command shows a key, and no program that it starts gets one', async () => {
  const { out } = await larik(['sessions', 'list', '--json']);
  const [session] = JSON.parse(out) as { id: string }[];
  const lines = [
    'config list',
    'config get providers --json',
    'config explain providers --json',
    'doctor --json',
    `sessions show ${session?.id}`,
    `sessions export ${session?.id} --json`,
    'context --json',
    'trust list',
    `config set sandbox.type ${key('ANTHROPIC_API_KEY')}`,
  ];
  await beside(lines, (line) => larik(line.split(' ')));
  const edited = await larik(['config', 'edit'], [], { EDITOR: 'env | grep -v PROXY; true' });
  expect(edited.out).toContain('LARIK_HOME=');
  expect(await allLeaks()).toEqual([]);
});

it('what larik itself breaks by is told without keys', async () => {
  const file = join(box.home, 'crash.cjs');
  const text = `${key('ANTHROPIC_API_KEY')}\u001b]52;c;x\u0007 ${key('header')}`;
  const breaks = `setTimeout(() => { throw new Error(${JSON.stringify(text)}); })`;
  const code = `const http = require('http'); const { request } = http;
    http.request = (...all) => { ${breaks}; return request(...all); };`;
  await writeFile(file, code);
  const ended = await larik(['-p', 'go', '--model', 'written/m'], [{ text: 'wait', hang: true }], {
    NODE_OPTIONS: `--require ${file}`,
  });
  const first = ended.err.split('\n').find((line) => line.startsWith('larik:'));
  expect([ended.code, first]).toEqual([1, 'larik: unexpected: Error: [key] [key]']);
  expect(await allLeaks()).toEqual([]);
});
