import { execFileSync } from 'node:child_process';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../../../tui/build-program.ts';
import { startInTerminal, type ProgramInTerminal } from '../../../../tui/pty.ts';

let program: string;
let running: ProgramInTerminal | null = null;

beforeAll(async () => {
  program = await buildProgram(new URL('screen-program.ts', import.meta.url).pathname);
});

afterEach(async () => {
  running?.kill('SIGKILL');
  await running?.exited;
  running = null;
});

/** The program under a shell that tells the state of the terminal before and after. */
async function start(): Promise<ProgramInTerminal> {
  const script = `stty -g; "$0" "$1"; echo "ended $?"; stty -g`;
  const started = startInTerminal({
    command: 'bash',
    args: ['--norc', '-mc', script, process.execPath, program],
    env: { TMUX: undefined, STY: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined },
  });
  running = started;
  await started.waitFor('screen of the test');
  return started;
}

const modesOff = ['?1049l', '?25h', '?1000l', '?1002l', '?1003l', '?1006l', '?2004l', '?1004l'];
const givenBack = modesOff.map((mode) => `\u001b[${mode}`).join('');

/** The lines of `stty -g` that the shell printed. */
function states(bytes: string): string[] {
  return bytes.match(/^[\da-f]+(?::[\da-f]+){10,}/gm) ?? [];
}

function processUnder(shell: ProgramInTerminal): number {
  return Number(execFileSync('pgrep', ['-P', String(shell.pid)], { encoding: 'utf8' }).trim());
}

describe('a terminal that was taken', () => {
  it.each([
    ['the program is through', 'q', 'ended 3'],
    ['the process exits', 'x', 'ended 4'],
    ['an exception is not caught', 'u', 'thrown on purpose'],
    ['a promise is rejected', 'r', 'rejected on purpose'],
  ])('TUI-13 is as it was before when %s', async (_, key, shown) => {
    const shell = await start();
    expect(shell.modes()).toEqual({ paste: true, focus: true, mouse: 'drag', alternate: true, wrap: false });
    shell.write(key);
    await shell.exited;
    expect(shell.bytes()).toContain(givenBack);
    expect(shell.bytes()).toContain('\u001b[<u\u001b[>4;0m');
    expect(shell.screen().join('\n')).toContain(shown);
    expect(shell.modes()).toEqual({
      paste: false,
      focus: false,
      mouse: 'none',
      alternate: false,
      wrap: true,
    });
    const [before, after] = states(shell.bytes());
    expect(after).toBe(before);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('TUI-13 is as it was before after %s', async (signal) => {
    const shell = await start();
    process.kill(processUnder(shell), signal);
    await shell.waitFor(/ended \d+/);
    await shell.exited;
    expect(shell.bytes()).toContain(givenBack);
    expect(states(shell.bytes())[1]).toBe(states(shell.bytes())[0]);
  });

  it('keeps what is printed after the screen is closed', async () => {
    const shell = await start();
    shell.write('q');
    await shell.exited;
    const rows = shell.screen();
    const row = rows.indexOf('goodbye');
    expect(row).toBeGreaterThanOrEqual(0);
    expect(shell.cells(row)[0]).toMatchObject({ text: 'g', foreground: '#ff5050' });
    expect(shell.bytes()).toContain(';https://example.org/\u001b\\goodbye\u001b]8;;\u001b\\');
  });

  it('is the shell’s while the program is stopped, and taken again when it goes on', async () => {
    const started = startInTerminal({ command: 'bash', args: ['--norc', '-i'], env: { PS1: 'ready> ' } });
    running = started;
    await started.waitFor('ready> ');
    started.write(`'${process.execPath}' '${program}'\r`);
    await started.waitFor('screen of the test');
    started.write('z');
    await started.waitFor('Stopped');
    expect(started.modes()).toMatchObject({ mouse: 'none', alternate: false });
    started.write('fg\r');
    await started.waitFor('screen of the test');
    expect(started.modes()).toMatchObject({ mouse: 'drag', alternate: true });
    started.write('k');
    await started.waitFor('{"type":"text","text":"k"}');
    started.write('q');
    await started.waitFor('goodbye');
    started.write('exit\r');
    await started.exited;
  });

  it('is another program’s while that one works, and taken again afterwards', async () => {
    const shell = await start();
    shell.write('e');
    await shell.waitFor('the editor is here');
    expect(shell.modes()).toMatchObject({ mouse: 'none', alternate: false });
    process.kill(processUnder(shell), 'SIGUSR2');
    await shell.waitFor('screen of the test');
    expect(shell.modes()).toMatchObject({ mouse: 'drag', alternate: true });
  });

  it('sends its mouse only as long as that is on', async () => {
    const shell = await start();
    shell.write('\u001b[<64;3;4M');
    await shell.waitFor('{"type":"mouse","what":"wheel_up","x":2,"y":3}');
    shell.write('m');
    await shell.waitFor('"text":"m"');
    expect(shell.modes().mouse).toBe('none');
  });

  it('tells its new size', async () => {
    const shell = await start();
    shell.resize(50, 12);
    await shell.waitFor('50 by 12');
    expect(shell.cursor()).toEqual({ x: 2, y: 0 });
  });

  it('tells an escape by itself after a moment, and no reply that was cut', async () => {
    const shell = await start();
    shell.write('\u001b');
    await shell.waitFor('{"type":"key","name":"escape"}');
    shell.write('\u001b]11;rgb:0000/00');
    shell.write('00/ffff\u0007');
    await shell.waitFor('{"type":"background","red":0,"green":0,"blue":255}');
  });
});
