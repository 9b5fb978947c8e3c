import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadLayers, loadSettings, settingsFiles } from '../../../adapters/settings/load.ts';
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

async function setup(personal = config, shared = '{}', env: Record<string, string> = {}) {
  const root = await mkdtemp(join(base, 'case-'));
  const where = { project: join(root, 'project'), places: { config: join(root, 'config') } };
  const files = settingsFiles(where);
  for (const path of [files.personal[0] ?? '', files.shared]) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, path === files.shared ? shared : personal);
  }
  const source = { ...where, env, flags: {} };
  const run = async (...line: string[]) => {
    const seen = { stdout: '', stderr: '' };
    const [action, ...operands] = line.filter((word) => !word.startsWith('--'));
    const code = await configCommand(
      { action, operands, json: line.includes('--json'), project: line.includes('--project') },
      {
        settings: await loadSettings(source),
        files,
        env,
        editorEnv: {},
        layers: async () => (await loadLayers(source)).layers,
      },
      { stdout: (text) => (seen.stdout += text), stderr: (text) => (seen.stderr += text) },
    );
    const plain = (text: string) =>
      text.replaceAll(root, 'R').replaceAll(/project-[0-9a-f]{8}/g, 'project-ID');
    return { code, out: plain(seen.stdout), err: plain(seen.stderr) };
  };
  return Object.assign(run, {
    read: (file: 'personal' | 'project') =>
      readFile(file === 'personal' ? (files.personal[0] ?? '') : files.project, 'utf8'),
  });
}

describe('larik config', () => {
  it('prints the value that holds, under the name that files use', async () => {
    const run = await setup();
    expect(await run('get', 'model')).toEqual({ code: 0, out: 'local/qwen3\n', err: '' });
    expect(await run('get', 'model', '--json')).toEqual({ code: 0, out: '"local/qwen3"\n', err: '' });
    expect(await run('get', 'limits.max_steps')).toEqual({ code: 0, out: '5\n', err: '' });
    const none = 'larik config get: effort is not set\n';
    expect(await run('get', 'effort')).toEqual({ code: 1, out: '', err: none });
    expect(await run('get', 'effort', '--json')).toEqual({ code: 1, out: 'null\n', err: '' });
    expect(await run('get', 'providers.local.base_url', '--json')).toEqual({
      code: 1,
      out: 'null\n',
      err: '',
    });
    for (const key of ['models.local/qwen3:4.5.context_window', 'models."local/qwen3:4.5".context_window'])
      expect((await run('get', key)).out).toBe('32768\n');
    expect(JSON.parse((await run('get', 'permissions')).out)).toEqual({
      allow: [],
      ask: [],
      deny: ['bash(rm *)'],
    });
  });

  it('says what happens when no model is set', async () => {
    const run = await setup('{}');
    expect(await run('get', 'model')).toEqual({
      code: 1,
      out: '',
      err: 'larik config get: model is not set; without a model, a run takes what is there: a key in the environment, else LM Studio, else demo/demo\n',
    });
    expect(await run('get', 'model', '--json')).toEqual({ code: 1, out: 'null\n', err: '' });
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
        api_key: '(set)',
        headers: { 'x-key': '(set)' },
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
    const own = /R[/\\]config[/\\]projects[/\\]project-ID\.json/;
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

  const shared =
    '{ "model": "evil/m", "limits": { "max_steps": 3, "bash_timeout": 900 }, "permissions": { "ask": ["write"] } }';

  it('lists every value with its layers, and no secret', async () => {
    const run = await setup(config, shared, { LARIK_MODE: 'plan' });
    const { out } = await run('list');
    expect(out).not.toContain('s3cret');
    for (const row of [
      'model                                      local/qwen3  (personal)',
      'mode                                       plan  (environment)',
      'effort                                     not set  (default)',
      'providers.local.api_key                    (set)  (personal)',
      'models."local/qwen3:4.5".context_window    32768  (personal)',
      'permissions.ask                            ["write"]  (shared)',
      'limits.max_steps                           3  (shared)',
      'limits.bash_timeout                        120  (default)',
    ]) {
      expect(out.split('\n').map((line) => line.replace(/ +/, ' '))).toContain(row.replace(/ +/, ' '));
    }
    const rows = JSON.parse((await run('list', '--json')).out) as unknown[];
    expect(rows).toContainEqual({ key: 'limits.max_steps', value: 3, layers: ['shared'] });
  });

  it('explains which layer gave a value, and what was ignored and why', async () => {
    const run = await setup(config, shared, { LARIK_MODEL: 'a/env' });
    const personal = join('R', 'config', 'config.json');
    const own = join('R', 'project', '.larik', 'settings.json');
    expect((await run('explain', 'limits.max_steps')).out).toBe(
      `limits.max_steps: 3\n  Model requests of one turn.\n  in force    shared       3  ${own}\n  overridden  personal     5  ${personal}\n  overridden  default      200\n`,
    );
    expect(JSON.parse((await run('explain', 'model', '--json')).out)).toEqual([
      {
        key: 'model',
        value: 'a/env',
        layers: [
          { layer: 'environment', source: 'LARIK_MODEL', value: 'a/env', status: 'in_force' },
          {
            layer: 'shared',
            source: own,
            value: 'evil/m',
            status: 'ignored',
            why: "no project's settings may set it",
          },
          { layer: 'personal', source: personal, value: 'local/qwen3', status: 'overridden' },
          { layer: 'default', source: null, value: null, status: 'overridden' },
        ],
      },
    ]);
    expect((await run('explain', 'limits.bash_timeout')).out).toContain(
      `  ignored     shared       900  ${own} (may only be lowered)\n`,
    );
    expect((await run('explain', 'providers')).out).not.toContain('s3cret');
    expect((await run('explain', 'permissions')).out).toContain(
      `in force    personal     ["bash(rm *)"]  ${personal}`,
    );
    expect(await run('explain', 'limits.max_step')).toMatchObject({ code: 2, out: '' });
  });

  it('sets and unsets values, in the personal file or the private one of the project', async () => {
    const run = await setup('{\n  // mine\n  "model": "a/b"\n}\n');
    const personal = join('R', 'config', 'config.json');
    const own = join('R', 'config', 'projects', 'project-ID.json');
    expect(await run('set', 'model', 'c/d')).toEqual({
      code: 0,
      out: `${personal}: model is set\n`,
      err: '',
    });
    expect((await run('set', 'model', 'c/d')).out).toBe(`${personal}: model was so already\n`);
    await run('set', 'models."x/y:1.5".context_window', '1000');
    await run('set', 'permissions.allow', '["read(**)"]');
    expect(await run('set', 'limits.max_steps', '7', '--project', '--json')).toMatchObject({
      code: 0,
      out: `${JSON.stringify({ file: own, key: 'limits.max_steps', changed: true })}\n`,
    });
    expect(await run.read('personal')).toBe(
      '{\n  // mine\n  "model": "c/d",\n  "models": { "x/y:1.5": { "context_window": 1000 } },\n  "permissions": { "allow": ["read(**)"] }\n}\n',
    );
    expect(await run.read('project')).toBe('{\n  "limits": { "max_steps": 7 }\n}\n');
    expect(await run('set', 'limits.max_steps', '9')).toMatchObject({
      code: 0,
      err: `larik config: what holds here comes from ${own} (project)\n`,
    });
    expect(await run('unset', 'limits.max_steps', '--project')).toMatchObject({
      code: 0,
      out: `${own}: limits.max_steps is gone\n`,
      err: `larik config: it is still set in ${personal} (personal)\n`,
    });
    expect((await run('unset', 'effort')).out).toBe(`${personal}: effort was not set there\n`);
  });

  it.each([
    [['set', 'limits.max_steps', '0'], 'larik config set: limits.max_steps: expected more than 0, got 0\n'],
    [['set', 'efort', 'high'], 'larik config set: unknown key efort; did you mean effort?\n'],
    [
      ['set', 'model', '5'],
      `larik config set: model: expected a string, got 5; for a text, quote it twice: '"…"'\n`,
    ],
    [['set', 'permissions.deny', '["bash("]'], expect.stringContaining('bash(')],
    [['set', 'permissions.deny', '["bahs(rm)"]'], expect.stringContaining('did you mean bash?')],
    [
      ['set', 'models."a', '1'],
      'larik config set: there is no setting models."a; larik config list shows all\n',
    ],
    [['set', 'model'], expect.stringContaining('set KEY VALUE')],
  ])('%j is refused, and nothing is written', async (line, err) => {
    const run = await setup();
    expect(await run(...line)).toEqual({ code: 2, out: '', err });
    expect(await run.read('personal')).toBe(config);
  });

  it('CONF-02 writes nothing to a broken file, and shows nothing where deny rules may be lost', async () => {
    const text = '{\n  "permissions": { "deny": ["bash(rm*)"] },\n  "mode" "plan"\n}\n';
    const run = await setup(text);
    expect((await run('set', 'model', 'a/b')).err).toMatch(/config\.json:3:\d+: .*nothing was written/);
    expect(await run.read('personal')).toBe(text);
    for (const line of [['list'], ['get', 'model'], ['explain', 'model']])
      expect(await run(...line)).toEqual({ code: 2, out: '', err: '' });
    expect((await run('path')).code).toBe(0);
  });

  it.skipIf(process.platform === 'win32')(
    'edits in the editor, and says what is wrong afterwards',
    async () => {
      const none = await setup();
      expect(await none('edit')).toMatchObject({
        code: 1,
        err: expect.stringContaining('set VISUAL or EDITOR'),
      });
      const good = await setup('{}', '{}', { EDITOR: `sh -c 'printf "{ }" > "$0"'` });
      expect(await good('edit')).toEqual({ code: 0, out: '', err: '' });
      expect(await good('edit', '--project')).toEqual({ code: 0, out: '', err: '' });
      expect(await good.read('project')).toBe('{ }');
      const bad = await setup('{}', '{}', { VISUAL: `sh -c 'printf "{ 1" > "$0"'`, EDITOR: 'false' });
      expect(await bad('edit')).toMatchObject({ code: 2, err: expect.stringMatching(/config\.json:1:3: /) });
      const failing = await setup('{}', '{}', { EDITOR: 'false' });
      expect(await failing('edit')).toMatchObject({
        code: 1,
        err: expect.stringContaining('it ended with 1'),
      });
    },
  );
});
