import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSettings, settingsFiles } from '../../../adapters/settings/load.ts';
import { configCommand } from '../../../apps/commands/config.ts';

const base = await mkdtemp(join(tmpdir(), 'larik-config-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const config = `{
  "model": "local/qwen3",
  "providers": { "local": { "preset": "vllm", "api_key": "s3cret", "headers": { "x-key": "s3cret" } } },
  "models": { "local/qwen3:4.5": { "context_window": 32768 } },
  "permissions": { "deny": ["bash(rm *)"] },
  "limits": { "max_steps": 5 }
}`;

async function setup(personal = config) {
  const root = await mkdtemp(join(base, 'case-'));
  const where = { project: join(root, 'project'), places: { config: join(root, 'config') } };
  const files = settingsFiles(where);
  for (const path of [files.personal[0] ?? '', files.shared]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, path === files.shared ? '{}' : personal);
  }
  const settings = await loadSettings({ ...where, env: {}, flags: {} });
  return async (...line: string[]) => {
    const seen = { stdout: '', stderr: '' };
    const [action, ...operands] = line.filter((word) => word !== '--json');
    const code = await configCommand(
      { action, operands, json: line.includes('--json') },
      { settings, files },
      { stdout: (text) => (seen.stdout += text), stderr: (text) => (seen.stderr += text) },
    );
    return { code, out: seen.stdout.replaceAll(root, 'R'), err: seen.stderr };
  };
}

describe('larik config', () => {
  it('prints the value that holds, under the name that files use', async () => {
    const run = await setup();
    expect(await run('get', 'model')).toEqual({ code: 0, out: 'local/qwen3\n', err: '' });
    expect(await run('get', 'model', '--json')).toEqual({ code: 0, out: '"local/qwen3"\n', err: '' });
    expect(await run('get', 'limits.max_steps')).toEqual({ code: 0, out: '5\n', err: '' });
    expect(await run('get', 'effort')).toEqual({ code: 0, out: 'not set\n', err: '' });
    expect(await run('get', 'effort', '--json')).toEqual({ code: 0, out: 'null\n', err: '' });
    expect(await run('get', 'providers.local.base_url', '--json')).toEqual({
      code: 0,
      out: 'null\n',
      err: '',
    });
    expect((await run('get', 'models.local/qwen3:4.5.context_window')).out).toBe('32768\n');
    expect(JSON.parse((await run('get', 'permissions')).out)).toEqual({
      allow: [],
      ask: [],
      deny: ['bash(rm *)'],
    });
  });

  it('says what happens when no model is set', async () => {
    const run = await setup('{}');
    expect(await run('get', 'model')).toEqual({
      code: 0,
      out: 'not set\n',
      err: 'larik config get: without a model, a run takes what is there: a key in the environment, else LM Studio, else demo/demo\n',
    });
    expect(await run('get', 'model', '--json')).toEqual({ code: 0, out: 'null\n', err: '' });
  });

  it.each([
    ['http://user:pw@h.example:8000/v1', 'http://user:(hidden)@h.example:8000/v1'],
    ['https://s3cret@h.example/v1', 'https://(hidden)@h.example/v1'],
    ['https://a:p@w@h.example', 'https://a:(hidden)@h.example'],
    [
      'https://h.example/v1?api_key=s3cret&api-version=2',
      'https://h.example/v1?api_key=(hidden)&api-version=2',
    ],
    ['http://h.example/a@b:c', 'http://h.example/a@b:c'],
  ])('hides what is secret in the address %s', async (address, shown) => {
    const run = await setup(JSON.stringify({ providers: { own: { base_url: address } } }));
    expect((await run('get', 'providers.own.base_url')).out).toBe(`${shown}\n`);
    expect((await run('get', 'providers', '--json')).out).not.toMatch(/pw|s3cret|p@w/);
  });

  it('never prints a secret', async () => {
    const run = await setup();
    const { out } = await run('get', 'providers');
    expect(JSON.parse(out)).toEqual({
      local: {
        type: 'openai-compatible',
        preset: 'vllm',
        api_key: '(hidden)',
        headers: { 'x-key': '(hidden)' },
      },
    });
  });

  it('names the nearest setting for one that there is not', async () => {
    const run = await setup();
    const near = 'larik config get: there is no setting limits.max_step; did you mean limits.max_steps?\n';
    expect(await run('get', 'limits.max_step')).toEqual({ code: 2, out: '', err: near });
    expect((await run('get', 'constructor')).code).toBe(2);
    expect((await run('get')).code).toBe(2);
    expect((await run('path', 'x')).code).toBe(2);
    expect((await run('sing')).code).toBe(2);
  });

  it('lists the files of each layer', async () => {
    const run = await setup();
    const own = /R[/\\]config[/\\]projects[/\\]project-[0-9a-f]{8}\.json/;
    const rows = JSON.parse((await run('path', '--json')).out) as unknown;
    expect(rows).toEqual([
      { layer: 'personal', path: join('R', 'config', 'config.json'), exists: true },
      { layer: 'shared', path: join('R', 'project', '.larik', 'settings.json'), exists: true },
      { layer: 'project', path: expect.stringMatching(own), exists: false },
    ]);
    const lines = (await run('path')).out.split('\n');
    expect(lines[0]).toBe(`personal  ${join('R', 'config', 'config.json')}`);
    expect(lines[2]).toMatch(/^project {3}R.*\.json {2}\(does not exist\)$/);
  });
});
