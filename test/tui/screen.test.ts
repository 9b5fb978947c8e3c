import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandbox, type Sandbox } from '../e2e/larik.ts';
import { quiet, startLarik } from './larik-screen.ts';
import type { ProgramInTerminal } from './pty.ts';

const answers = [
  { calls: [{ name: 'read', input: { path: 'sum.ts' } }] },
  {
    text: 'There is the mistake: `add` subtracts.',
    calls: [
      { name: 'edit', input: { path: 'sum.ts', old_string: 'return a - b;', new_string: 'return a + b;' } },
    ],
  },
  { text: '# Done\n\n`add` **adds** 你好 now.\n\n| file | was |\n| --- | --- |\n| sum.ts | `a - b` |' },
];

describe('larik in a terminal', () => {
  let box: Sandbox;
  let screen: ProgramInTerminal;

  beforeEach(async () => {
    box = await sandbox({ 'sum.ts': 'export function add(a, b) {\n  return a - b;\n}\n' });
    writeFileSync(join(box.project, 'answers.json'), JSON.stringify(answers));
  });
  afterEach(async () => {
    screen.kill('SIGKILL');
    await screen.exited;
    await box.dispose();
  });

  function start(args: string[] = [], columns = 80, rows = 24): void {
    screen = startLarik(box, ['--model', 'script/answers.json', ...args], { columns, rows });
  }

  it('says on the empty screen what to type, which model answers, and how to leave', async () => {
    start();
    await screen.waitFor('ctrl+c twice leaves');
    const text = screen.screen().join('\n');
    expect(text).toContain('Say what is to be done');
    expect(text).toContain('script/answers.json answers');
  });

  it('takes a prompt, asks before an edit, shows the answer, and leaves the terminal as it was', async () => {
    start();
    await screen.waitFor('Say what is to be done');
    screen.write('please fix add');
    await screen.waitFor('please fix add');
    screen.write('\r');
    await screen.waitFor('Allow edit?');
    expect(screen.screen().join('\n')).toContain('+ return a + b;');
    // Keys that come too early answer nothing.
    screen.write('y');
    await quiet(screen);
    expect(screen.screen().join('\n')).toContain('Allow edit?');
    screen.write('y');
    await screen.waitFor('adds 你好 now');
    screen.write('/quit\r');
    const { code } = await screen.exited;
    expect(code).toBe(0);
    expect(screen.modes()).toMatchObject({ alternate: false, paste: false, mouse: 'none' });
    const left = screen.screen().join('\n');
    expect(left).toContain('please fix add');
    expect(left).toContain('adds 你好 now');
    expect(left).toMatch(/larik --resume \d{8}-\d{6}-/);
  });

  it('begins with the prompt of the command line, as a turn like any other', async () => {
    start(['please fix add']);
    await screen.waitFor('Working');
    await screen.waitFor('Allow edit?');
    expect(screen.screen().join('\n')).toContain('please fix add');
  });

  it('TUI-06 keeps a paste in the input until enter is pressed', async () => {
    start();
    await screen.waitFor('Say what is to be done');
    screen.write('\u001b[200~l1\rl2\nl3\u001b[201~');
    await screen.waitFor((rows) => rows.some((row) => row.includes('l3')));
    const rows = screen.screen().map((row) => row.trimEnd());
    expect(rows.filter((row) => /^\W*l[123]$/.test(row))).toHaveLength(3);
    expect(rows.join('\n')).toContain('Say what is to be done');
  });

  it('TUI-05 puts the cursor behind wide characters', async () => {
    start();
    await screen.waitFor('Say what is to be done');
    screen.write('你好');
    await screen.waitFor('你好');
    expect(screen.cursor().x).toBe(7);
  });

  it('TUI-13 gives the terminal back when it is ended from outside', async () => {
    start();
    await screen.waitFor('Say what is to be done');
    screen.kill('SIGTERM');
    const { code } = await screen.exited;
    expect(code).toBe(143);
    expect(screen.modes()).toMatchObject({ alternate: false, paste: false, mouse: 'none' });
    const end = screen.bytes().slice(screen.bytes().lastIndexOf('\u001b[?1049l') - 200);
    for (const mode of ['?1049l', '?25h', '?1000l', '?1002l', '?1003l', '?1006l', '?2004l', '?1004l'])
      expect(end).toContain(mode);
  });

  it('completes commands, and lists keys behind a question mark', async () => {
    start();
    await screen.waitFor('Say what is to be done');
    screen.write('/und');
    await screen.waitFor('/undo');
    screen.write('\u0015?');
    await screen.waitFor('Keys and commands');
    expect(screen.screen().join('\n')).toContain('send, or steer the');
  });
});
