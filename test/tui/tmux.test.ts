import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, sandbox, type Sandbox } from '../e2e/larik.ts';
import { programPath } from '../installed.ts';
import { larikEnvironment, quiet } from './larik-screen.ts';
import { startInTerminal, type ProgramInTerminal } from './pty.ts';

const answers = [
  { calls: [{ name: 'read', input: { path: 'sum.ts' } }] },
  {
    text: 'There is the mistake.',
    calls: [{ name: 'edit', input: { path: 'sum.ts', old_string: 'a - b', new_string: 'a + b' } }],
  },
  { text: 'It **adds** 你好 now.' },
];

describe.skipIf(programPath('tmux') === null)('in tmux', () => {
  let box: Sandbox;
  let screen: ProgramInTerminal;

  /** What tmux itself says, of the server of this test only. */
  async function tmux(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('tmux', ['-S', join(box.home, 'tmux'), ...args]);
    return stdout;
  }

  beforeEach(async () => {
    box = await sandbox({ 'sum.ts': 'export const add = (a, b) => a - b;\n' });
    writeFileSync(join(box.project, 'answers.json'), JSON.stringify(answers));
    writeFileSync(join(box.home, 'tmux.conf'), 'set -g status off\nset -g set-clipboard on\n');
    screen = startInTerminal({
      command: 'tmux',
      args: [
        '-S',
        join(box.home, 'tmux'),
        '-f',
        join(box.home, 'tmux.conf'),
        'new-session',
        'env',
        'PS1=$ ',
        'sh',
      ],
      env: {
        ...larikEnvironment(box),
        LARIK: `${process.execPath} ${program} --model script/answers.json`,
        TMUX: undefined,
      },
      cwd: box.project,
    });
    await screen.waitFor('$ ');
  });
  afterEach(async () => {
    await tmux('kill-server').catch(() => undefined);
    screen.kill('SIGKILL');
    await screen.exited;
    await box.dispose();
  });

  it('works, copies, survives another size, and leaves prompt, answer and the way on', async () => {
    screen.write('$LARIK\r');
    await screen.waitFor('Say what is to be done');
    screen.write('please fix add\r');
    await screen.waitFor('Allow edit?');
    screen.resize(60, 20);
    await screen.waitFor((shown) => shown[18]?.includes('Say more') === true && shown[19]?.trim() !== '');
    await quiet(screen);
    screen.write('y');
    await screen.waitFor('It adds 你好 now.');
    await screen.waitFor('? for shortcuts');
    expect(readFileSync(join(box.project, 'sum.ts'), 'utf8')).toBe('export const add = (a, b) => a + b;\n');
    screen.write('/copy\r');
    await screen.waitFor('the last answer copied');
    screen.write('/quit\r');
    await screen.waitFor('Go on: larik --resume');
    await screen.waitFor((shown) => shown.findLastIndex((row) => row !== '') === 6);
    // What was written to tmux before has come there too.
    expect(await tmux('show-buffer')).toBe('It **adds** 你好 now.');
    const left = await tmux('capture-pane', '-p');
    expect(
      left
        .trimEnd()
        .replace(/\d{8}-\d{6}-\w+/, 'ID')
        .split('\n'),
    ).toEqual(['$ $LARIK', '▌ please fix add', '', 'It adds 你好 now.', '', 'Go on: larik --resume ID', '$']);
    expect(await tmux('display', '-p', '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')).toBe('0 0 1\n');
  });
});
