import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runInSandbox } from '../../../../apps/commands/sandbox/run.ts';
import { showSandbox, type SandboxState } from '../../../../apps/commands/sandbox/state.ts';
import { noSandbox } from '../../../../adapters/sandbox/none.ts';
import { fakeSandbox } from '../../../../plugins/testing/fakes/fake-sandbox.ts';
import { programPath } from '../../../installed.ts';

const state: SandboxState = {
  name: 'bubblewrap',
  works: true,
  problem: null,
  required: false,
  project: '/p',
  writable: ['/data'],
  hidden: ['/home/a/.ssh', '/home/a/.aws'],
  network: false,
  domains: [],
  env: ['MY_VAR'],
};

function shown(more: Partial<SandboxState>, json = false): string {
  let text = '';
  const code = showSandbox({ ...state, ...more }, json, {
    stdout: (one) => (text += one),
    stderr: () => undefined,
  });
  expect(code).toBe(0);
  return text;
}

describe('larik sandbox', () => {
  it('shows what commands may do', () => {
    expect(shown({})).toBe(
      'sandbox    bubblewrap works\n' +
        'writable   /p, a private $TMPDIR that is also /tmp, /data\n' +
        'hidden     /home/a/.ssh, /home/a/.aws\n' +
        'network    none but loopback of its own\n' +
        'variables  the usual ones of build tools, and MY_VAR\n',
    );
    expect(shown({ domains: ['example.com'] })).toContain('network    only example.com\n');
    expect(shown({ network: true })).toContain('network    all, also what listens on this machine\n');
  });

  it('says why it does not work, and what that means', () => {
    const off = { name: 'none', works: false };
    expect(shown({ ...off, problem: 'It is missing.\nInstall it.' })).toBe(
      'sandbox    It is missing.\n           Install it.\n',
    );
    expect(shown(off)).toMatch(/^sandbox {4}none: commands run with your rights, and are asked about/);
  });

  it('is one JSON value with --json', () => {
    expect(JSON.parse(shown({}, true))).toEqual(state);
  });
});

describe.skipIf(process.platform === 'win32')('larik sandbox run', () => {
  let folder: string;
  let told: string;

  beforeEach(() => {
    folder = realpathSync(mkdtempSync('/var/tmp/larik-run-'));
    told = '';
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = (sandbox: Parameters<typeof runInSandbox>[0]['sandbox'], ...command: string[]) =>
    runInSandbox({
      sandbox,
      command,
      cwd: folder,
      bash: programPath('bash'),
      environment: { PATH: process.env['PATH'], KEY: 'k' },
      hiddenVariables: ['KEY'],
      stderr: (text) => (told += text),
    });

  it('ends with the exit code of the command, or what its signal stands for', async () => {
    const sandbox = fakeSandbox({ works: true });
    expect(await run(sandbox, 'sh', '-c', 'exit 7')).toBe(7);
    expect(await run(sandbox, 'sh', '-c', 'kill -TERM $$')).toBe(143);
    expect(await run(sandbox, 'sh', '-c', '[ -z "$KEY" ] && [ "$LARIK" = 1 ]')).toBe(0);
    expect(told).toBe('');
  });

  it('hands arguments on as they are', async () => {
    const sandbox = fakeSandbox({ works: true });
    expect(await run(sandbox, 'sh', '-c', '[ "$1" = "a b" ] && [ "$2" = \'$x\' ]', 'sh', 'a b', '$x')).toBe(
      0,
    );
  });

  it('runs nothing where the sandbox does not work', async () => {
    expect(await run(noSandbox('It is missing.'), 'touch', 'made')).toBe(1);
    expect(await run(noSandbox(), 'touch', 'made')).toBe(1);
    expect(told).toBe(
      'larik: nothing was run: It is missing.\n' +
        'larik: nothing was run: the settings switch the sandbox off; set sandbox.type to auto\n',
    );
    expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).toBe('');
  });
});
