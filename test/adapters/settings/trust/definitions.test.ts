import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changeApprovals, readApprovals } from '../../../../adapters/settings/trust/approvals.ts';
import { definitionFiles } from '../../../../adapters/settings/trust/definition-files.ts';
import { loadDefinitions, type Definitions } from '../../../../adapters/settings/trust/definitions.ts';
import { takeFileLock } from '../../../../adapters/system/file-lock.ts';

let root: string;
let project: string;
let home: string;
let approvals: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'larik-trust-')));
  project = join(root, 'project');
  home = join(root, 'home');
  approvals = join(root, 'config', 'approvals.json');
  await mkdir(project);
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(name: string, value: unknown, folder = project): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true });
  await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
}

const load = async (inFull = true): Promise<Definitions> =>
  loadDefinitions({ project, files: await definitionFiles({ project, home }), approvals }, inFull);

const states = async (inFull = true): Promise<string[]> =>
  (await load(inFull)).definitions.map(({ name, state }) => `${name} ${state}`);

/** Approves all that is there, as it is. */
async function approve(): Promise<void> {
  const { definitions } = await load();
  await changeApprovals(approvals, takeFileLock, () =>
    definitions.map(({ folder, kind, name, hash }) => ({
      folder,
      kind,
      name,
      hash: hash ?? '',
      approved: 'then',
    })),
  );
}

const server = {
  command: 'node',
  args: ['tools/server.js', '--port', '1'],
  env: { A: 'b' },
  cwd: '.',
  headers: { H: 'i' },
};

describe('definitions', () => {
  it('are found in each file, with what would run made visible', async () => {
    await write('.mcp.json', { mcpServers: { a: { command: 'sh', args: ['-c', 'x\u202e y'] } } });
    await write('.larik/settings.json', {
      mcp_servers: { b: { url: 'https://h/', headers: { T: '${T}' } } },
      hooks: { Stop: [{ matcher: 'x', hooks: [{ type: 'prompt', prompt: 'is it?' }] }] },
      plugins: { 'a.b': { enabled: true }, 'a.off': { enabled: false } },
    });
    await write('.claude/settings.json', {
      hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'a\nb' }] }] },
    });
    await write(
      '.claude/settings.json',
      { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'own' }] }] } },
      home,
    );
    const { definitions, stale, problems } = await load();
    expect([stale, problems]).toEqual([[], []]);
    expect(
      definitions.map(({ kind, name, folder, state, runs }) => [kind, name, folder === project, state, runs]),
    ).toEqual([
      ['mcp_server', 'a', true, 'waiting', [expect.stringMatching(/^runs sh -c "x.+ y"$/)]],
      ['mcp_server', 'b', true, 'waiting', ['url https://h/', 'headers T=${T}']],
      ['hooks', '.larik/settings.json', true, 'waiting', ['Stop (x) asks a model "is it?"']],
      ['plugin', 'a.b', true, 'unusable', ['loads the plugin a.b with {"enabled":true}']],
      ['hooks', '.claude/settings.json', true, 'waiting', ['PreToolUse runs a\\nb']],
      ['hooks', '~/.claude/settings.json', false, 'waiting', ['Stop runs own']],
    ]);
    expect(definitions[0]?.runs[0]).not.toContain('\u202e');
  });

  it('are approved as they are, whatever the order of keys', async () => {
    await write('.mcp.json', { mcpServers: { a: server } });
    await approve();
    expect(await states(false)).toEqual(['a approved']);
    await write('.mcp.json', { mcpServers: { a: Object.fromEntries(Object.entries(server).reverse()) } });
    expect(await states(false)).toEqual(['a approved']);
    expect((await stat(approvals)).mode & 0o777).toBe(0o600);
  });

  it.each([
    { command: 'nodejs' },
    { args: ['tools/server.js', '--port', '2'] },
    { args: [...server.args, ''] },
    { env: { A: 'c' } },
    { env: { A: 'b', LD_PRELOAD: './x.so' } },
    { cwd: 'tools' },
    { headers: { H: 'j' } },
    { type: 'stdio' },
  ])('lose their approval when they change: %j', async (change) => {
    await write('.mcp.json', { mcpServers: { a: server } });
    await approve();
    await write('.mcp.json', { mcpServers: { a: { ...server, ...change } } });
    expect(await states()).toEqual(['a changed']);
    expect(await states(false)).toEqual(['a changed']);
  });

  it('lose it when the address changes', async () => {
    await write('.mcp.json', { mcpServers: { a: { url: 'https://a/' } } });
    await approve();
    await write('.mcp.json', { mcpServers: { a: { url: 'https://a/b' } } });
    expect(await states()).toEqual(['a changed']);
  });

  it.each([
    ['node', ['scripts/run.js']],
    ['./scripts/run.js', []],
    ['sh', ['-c', 'cd . && "./scripts/run.js" --x']],
    ['node', ['--require=scripts/run.js', '-e', '0']],
    ['node', ['${CLAUDE_PROJECT_DIR}/scripts/run.js']],
    ['node', ['scripts/run']],
    ['sh', ['-c', 'cd scripts && ./run.js']],
    ['node', ['x'], { NODE_OPTIONS: '--require ./scripts/run.js' }],
  ])(
    'lose it when a file of the project that they name changes: %s %j %j',
    async (command, args, env: Record<string, string> = {}) => {
      await write('scripts/run.js', 'one');
      await write('.mcp.json', { mcpServers: { a: { command, args, env } } });
      expect((await load()).definitions[0]?.files.map(({ path }) => path)).toEqual(['scripts/run.js']);
      await approve();
      expect(await states(false)).toEqual(['a approved']);
      await write('scripts/run.js', 'two');
      expect(await states(false)).toEqual(['a changed']);
      await rm(join(project, 'scripts/run.js'));
      expect(await states(false)).toEqual(['a changed']);
    },
  );

  it.each([
    ['npm', ['run', 'mcp'], 'package.json'],
    ['/usr/bin/npx', ['server'], 'package.json'],
    ['sh', ['-c', 'cd tools && make serve'], 'tools/Makefile'],
  ])('lose it when the file changes that says what they run: %s %j', async (command, args, file) => {
    await write(file, 'one');
    await write('.mcp.json', { mcpServers: { a: { command, args } } });
    await approve();
    expect(await states(false)).toEqual(['a approved']);
    await write(file, 'two');
    expect(await states(false)).toEqual(['a changed']);
  });

  it('pin scripts of hooks, also behind a link, and what appears later', async () => {
    await write('real.sh', 'one');
    await symlink('real.sh', join(project, 'hook.sh'));
    const hook = { type: 'command', command: '"$CLAUDE_PROJECT_DIR"/hook.sh; later.sh' };
    await write('.claude/settings.json', { hooks: { Stop: [{ hooks: [hook] }] } });
    await approve();
    expect(await states()).toEqual(['.claude/settings.json approved']);
    await write('later.sh', '');
    expect(await states()).toEqual(['.claude/settings.json changed']);
    await rm(join(project, 'later.sh'));
    await write('real.sh', 'two');
    expect(await states()).toEqual(['.claude/settings.json changed']);
  });

  it('are approved in one project only, and the personal ones everywhere', async () => {
    const hooks = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } };
    await write('.claude/settings.json', hooks);
    await write('.claude/settings.json', hooks, home);
    await approve();
    const before = project;
    project = join(root, 'other');
    await write('.claude/settings.json', hooks);
    expect(await states()).toEqual(['.claude/settings.json waiting', '~/.claude/settings.json approved']);
    project = before;
    await rm(join(project, '.claude'), { recursive: true });
    expect((await load()).stale.map(({ name }) => name)).toEqual(['.claude/settings.json']);
  });

  it('are the project’s where the home folder is the project', async () => {
    home = project;
    await write('.claude/settings.json', {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] },
    });
    expect((await load()).definitions.map(({ folder }) => folder)).toEqual([project]);
  });

  it.each([
    [{ mcpServers: [] }, 'mcp_servers: expected an object with servers by name'],
    [{ mcpServers: { a: null } }, 'a: expected an object with either command or url'],
    [{ mcpServers: { a: {} } }, 'a: expected an object with either command or url'],
    [{ mcpServers: { a: { command: 'x', url: 'y' } } }, 'a: expected an object with either command or url'],
    [{ mcpServers: { a: { command: 'x', args: 'y' } } }, 'a: args is not in a form that larik knows'],
    [{ mcpServers: { a: { command: 'x', env: { A: 1 } } } }, 'a: env.A is not in a form that larik knows'],
    [{ mcpServers: { a__b: { command: 'x' } } }, 'a__b: its name may not hold __'],
    [{ mcpServers: { 'a b': { command: 'x' } } }, 'a b: its name may hold letters, digits, _ and - only'],
    ['{"mcpServers":{"__proto__":{"command":"x"}}}', '__proto__: its name may not hold __'],
    [
      '{"mcpServers":{"a":{"command":"x","env":{"__proto__":{}}}}}',
      'a: it holds a key __proto__, which has no meaning there',
    ],
  ])('that cannot be approved say why: %j', async (content, told) => {
    await write('.mcp.json', content);
    const { definitions, problems } = await load();
    expect(problems).toEqual([]);
    expect(definitions.map((one) => ('why' in one ? `${one.name}: ${one.why}` : one.state))).toEqual([told]);
  });

  it('of hooks show what each would do by its type, and none behind another', async () => {
    const hook = { type: 'prompt', prompt: 'is it?', command: 'true', timeout: 1 };
    await write('.larik/settings.json', { hooks: { Stop: [{ hooks: [hook] }] } });
    await write('.claude/settings.json', '{"hooks":{"__proto__":[{"hooks":[]}]}}');
    const { definitions } = await load();
    expect(definitions.map(({ state, runs }) => [state, runs])).toEqual([
      ['waiting', ['Stop asks a model "is it?", command true, timeout 1']],
      ['unusable', []],
    ]);
  });

  it('of one name in two files are one definition, the first', async () => {
    await write('.mcp.json', { mcpServers: { a: { command: 'x' } } });
    await write('.larik/settings.json', { mcp_servers: { a: { command: 'y' } } });
    expect(await states()).toEqual(['a waiting', 'a unusable']);
    await approve();
    expect(await states()).toEqual(['a approved', 'a unusable']);
  });

  it('in a file that cannot be read are told with the file', async () => {
    await write('.mcp.json', '{"mcpServers": {,}');
    await write('.claude/settings.json', '[]');
    await mkdir(join(home, '.claude', 'settings.json'), { recursive: true });
    const { definitions, problems } = await load();
    expect(definitions).toEqual([]);
    expect(problems.map((text) => text.replace(root, 'R'))).toEqual([
      expect.stringMatching(/^R\/project\/\.mcp\.json:1:\d+: .+; nothing in it counts$/),
      'R/project/.claude/settings.json: expected an object; nothing in it counts',
      'R/home/.claude/settings.json: it is not a file; nothing in it counts',
    ]);
  });

  it('that name more than can be read at each start cannot be approved', async () => {
    await write('big.bin', '');
    await truncate(join(project, 'big.bin'), 17 * 1024 * 1024);
    await write('.mcp.json', {
      mcpServers: { a: { command: './big.bin' }, b: { command: 'x', args: [' y'.repeat(9)] } },
    });
    await write('.larik/settings.json', {
      mcp_servers: { c: { command: 'x', args: Array.from({ length: 3000 }, (_, at) => `w${at}`) } },
    });
    expect(await states()).toEqual(['a unusable', 'b waiting', 'c unusable']);
  });
});

describe('approvals', () => {
  it.each([
    ['{', /approvals\.json:1:2: .*; no approval in it holds$/],
    ['{"version":2,"approvals":[]}', /:1:12: it is not in a form that larik knows; no approval in it holds$/],
    ['{"version":1,"approvals":[{"folder":1}]}', /it is not in a form that larik knows/],
  ])('in a broken file hold nothing, and are not overwritten: %s', async (text, told) => {
    await write('approvals.json', text, dirname(approvals));
    expect(await readApprovals(approvals)).toEqual({ problem: expect.stringMatching(told) });
    await expect(changeApprovals(approvals, takeFileLock, () => [])).rejects.toMatchObject({
      port: 'settings',
      kind: 'broken',
    });
    expect(await readFile(approvals, 'utf8')).toBe(text);
  });

  it.skipIf(process.platform === 'win32')('in a file that others may write hold nothing', async () => {
    await write('.mcp.json', { mcpServers: { a: server } });
    await approve();
    await chmod(approvals, 0o646);
    const { definitions, problems } = await load(false);
    expect(definitions.map(({ state }) => state)).toEqual(['waiting']);
    expect(problems).toEqual([expect.stringContaining('everyone may write it')]);
  });

  it('of two processes at once are all kept', async () => {
    const one = (name: string) => ({
      folder: null,
      kind: 'hooks' as const,
      name,
      hash: 'h',
      approved: 'then',
    });
    await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        changeApprovals(approvals, takeFileLock, (before) => [...before, one(`n${at}`)]),
      ),
    );
    expect(await readApprovals(approvals)).toHaveLength(8);
  });
});
