import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { program, sandbox, type Sandbox } from '../e2e/larik.ts';
import { modelServer, type ModelServer } from '../e2e/model-server.ts';
import { programPath } from '../installed.ts';
import { larikEnvironment } from './larik-screen.ts';
import { startInTerminal, type ProgramInTerminal } from './pty.ts';
import { settingsFor } from './streamed-model.ts';

/** Makes a fault of the program's own when it is told to: it must run into no handler of anybody's. */
const faults = `process.on('SIGUSR2', () => {
  if (process.env.FAULT === 'exception') throw new Error('an exception of a test');
  void Promise.reject(new Error('a rejection of a test'));
});`;

/**
 * Runs larik once for each argument, in the same terminal. Without job control, so that nobody but larik
 * itself brings the terminal back into order.
 */
const script = `
stty -a > tty
for run in "$@"; do
  FAULT=$run sh -c 'echo $$ > pid; exec "$LARIK_NODE" "$LARIK_PROGRAM" "look around"'
  echo "$run: $?"
  stty -a > tty-$run
done
`;

interface Ending {
  code: number;
  /** What the normal screen shows of it. */
  told?: RegExp;
  end(screen: ProgramInTerminal, pid: number): void;
}

const endings: Record<string, Ending> = {
  quit: { code: 0, end: (screen) => screen.write('/quit\r') },
  keys: { code: 0, end: (screen) => screen.write('\u0003\u0003') },
  terminated: { code: 143, end: (_, pid) => process.kill(pid, 'SIGTERM') },
  cut: { code: 143, end: (_, pid) => process.kill(pid, 'SIGHUP') },
  exception: {
    code: 1,
    told: /Go on: larik --resume \S+[^]*larik: unexpected: Error: an exception of a test/,
    end: (_, pid) => process.kill(pid, 'SIGUSR2'),
  },
  rejection: {
    code: 1,
    told: /Go on: larik --resume \S+[^]*larik: unexpected: Error: a rejection of a test/,
    end: (_, pid) => process.kill(pid, 'SIGUSR2'),
  },
};

/** The end of what is written, in any order: the normal screen, the cursor, no mouse, no reports. */
const modesBack = ['?1049l', '?25h', '?1000l', '?1002l', '?1003l', '?1006l', '?2004l', '?1004l', '<u'];

const asBefore = { alternate: false, focus: false, mouse: 'none', wrap: true };

describe.skipIf(programPath('stty') === null)('under a shell', () => {
  let server: ModelServer;
  let box: Sandbox;
  let screen: ProgramInTerminal;

  beforeEach(async () => {
    server = await modelServer([{ text: 'Something to read. ', hang: true }]);
    box = await sandbox({}, true, settingsFor(server.url));
    writeFileSync(join(box.home, 'faults.mjs'), faults);
  });
  afterEach(async () => {
    screen.kill('SIGKILL');
    await screen.exited;
    await server.close();
    await box.dispose();
  });

  function start(command: string, args: readonly string[]): void {
    screen = startInTerminal({
      command,
      args,
      env: {
        ...larikEnvironment(box),
        LARIK_NODE: process.execPath,
        LARIK_PROGRAM: program,
        NODE_OPTIONS: `--import=${pathToFileURL(join(box.home, 'faults.mjs')).href}`,
        PS1: '$ ',
        HISTFILE: undefined,
      },
      cwd: box.project,
    });
  }

  const written = (name: string): string => readFileSync(join(box.project, name), 'utf8');

  it('TUI-13 leaves the terminal as it was, however it ends', async () => {
    start('sh', ['-c', script, 'sh', ...Object.keys(endings)]);
    for (const [name, { code, told, end: bring }] of Object.entries(endings)) {
      const before = screen.bytes().length;
      await screen.waitFor(() => screen.modes().alternate);
      await screen.waitFor('Something to read.');
      bring(screen, Number(written('pid')));
      await screen.waitFor(new RegExp(`^${name}: \\d+`, 'm'));
      expect(screen.screen()).toContain(`${name}: ${code}`);
      if (told !== undefined) expect(screen.screen().join('\n')).toMatch(told);
      expect(screen.modes()).toMatchObject(asBefore);
      const end = screen.bytes().lastIndexOf('\u001b[?1049l');
      expect(end).toBeGreaterThan(before);
      for (const mode of modesBack) expect(screen.bytes().slice(end - 200)).toContain(mode);
    }
    await screen.exited;
    const states = Object.keys(endings).map((name) => [name, written(`tty-${name}`)]);
    expect(states).toEqual(Object.keys(endings).map((name) => [name, written('tty')]));
  });

  it('is stopped by ctrl+z and from outside with the terminal as it was, and drawn anew by fg', async () => {
    start('bash', ['--norc', '--noprofile', '-i']);
    await screen.waitFor('$ ');
    screen.write('stty -a > tty; "$LARIK_NODE" "$LARIK_PROGRAM" look around\r');
    await screen.waitFor('Something to read.');
    screen.write('a draft');
    await screen.waitFor('a draft');
    screen.write('\u001a');
    await screen.waitFor('Stopped');
    expect(screen.modes()).toMatchObject(asBefore);
    screen.write('stty -a > tty-stopped; jobs -p > pid; echo loo"ked"\r');
    await screen.waitFor('looked');
    expect(written('tty-stopped')).toBe(written('tty'));

    // The screen is another one meanwhile, and the draft still there.
    screen.resize(100, 30);
    screen.write('fg\r');
    await screen.waitFor(
      (shown) => shown[28]?.length === 100 && shown[28].trim() === '› a draft' && shown[29] !== '',
    );
    expect(screen.screen().slice(0, 3)).toEqual([' ▌ look around', '', ' ● Something to read.']);
    expect(screen.modes()).toMatchObject({ alternate: true, paste: true, focus: true, wrap: false });

    // Told to stop, and to go on where it may not have the terminal: it goes on when the shell gives it.
    const pid = Number(written('pid'));
    process.kill(pid, 'SIGTSTP');
    await screen.waitFor((shown) => shown.join('\n').split('Stopped').length === 3);
    expect(screen.modes()).toMatchObject(asBefore);
    screen.write('kill -CONT %1; echo con"tinued"\r');
    await screen.waitFor('continued');
    expect(screen.modes()).toMatchObject(asBefore);
    screen.write('fg\r');
    await screen.waitFor((shown) => shown[28]?.trim() === '› a draft' && shown[29] !== '');
    screen.write('\u0015/quit\r');
    await screen.waitFor('Go on: larik --resume');
    screen.write('stty -a > tty-after; exit 7\r');
    expect(await screen.exited).toMatchObject({ code: 7 });
    expect(written('tty-after').replace('rows 30; columns 100', 'rows 24; columns 80')).toBe(written('tty'));
  });
});
