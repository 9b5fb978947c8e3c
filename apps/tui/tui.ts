import type { PlainFrontEnd } from '../../adapters/frontends/plain/plain-front-end.ts';
import { systemClock } from '../../adapters/system/system-clock.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import type { Mode } from '../../ports/mode.ts';
import { UsageError, type ParsedLine } from '../command-line/parse.ts';
import type { Folder } from '../folder/folder.ts';
import { abortOnSignals } from '../start-up/signals.ts';
import { timeoutOf } from '../start-up/time-limit.ts';
import { askedModel } from '../session-model.ts';
import { isFirstStart } from './first-start.ts';
import { TuiHost } from './host.ts';
import { Program } from './program.ts';

const frontEnds = ['blessed', 'plain'] as const;
type Name = (typeof frontEnds)[number];

/** Options that only one turn without a screen can follow. */
const ofHeadless = ['output', 'fail-on-deny'] as const;

const oneTask = 'give it one task with larik -p "…", or see larik --help';

/** What the process has at its ends. */
export interface Streams {
  stdin: { isTTY?: boolean };
  stdout: { isTTY?: boolean };
}

/** Which front end a line asks for; throws `UsageError` where it cannot run here. */
export function frontEndOf(
  { flags }: Pick<ParsedLine, 'flags'>,
  { stdin, stdout }: Streams,
  env: Readonly<Record<string, string | undefined>>,
): Name {
  for (const name of ofHeadless) {
    if (flags[name] !== undefined) throw new UsageError(`--${name} goes with -p only; ${oneTask}`);
  }
  const asked = flags['ui'] ?? (flags['plain'] === true ? 'plain' : undefined);
  const named = frontEnds.find((name) => name === asked);
  if (asked !== undefined && named === undefined)
    throw new UsageError(`--ui: expected ${frontEnds.join(' or ')}, got ${oneLine(JSON.stringify(asked))}`);
  if (flags['plain'] === true && named === 'blessed')
    throw new UsageError('--plain and --ui blessed exclude each other; leave one out');
  if (named === 'plain') return 'plain';
  if (stdin.isTTY !== true || stdout.isTTY !== true) {
    const which = stdin.isTTY === true ? 'standard output' : 'standard input';
    throw new UsageError(`${which} is no terminal, so larik cannot show its screen; ${oneTask}`);
  }
  return named ?? (env['TERM'] === 'dumb' ? 'plain' : 'blessed');
}

/** The full-screen UI with its first frame shown, before a session is there. */
async function shownBlessed(
  host: TuiHost,
  prompt: string,
  firstStart: boolean,
  known: { model: string | null; mode: Mode },
) {
  const { BlessedFrontEnd } = await import('../../adapters/frontends/blessed/front-end.ts');
  const { stdin, stdout, env } = process;
  const frontEnd = new BlessedFrontEnd({
    host,
    stdin,
    stdout,
    env,
    now: () => systemClock.now(),
    ...(prompt === '' ? {} : { prompt }),
    firstStart,
    known,
  });
  // Before a session is opened: that looks for programs, and may wait for a server.
  frontEnd.start();
  return frontEnd;
}

async function plain(host: TuiHost, prompt: string): Promise<PlainFrontEnd> {
  const { PlainFrontEnd: Plain } = await import('../../adapters/frontends/plain/plain-front-end.ts');
  const { stdin, stdout } = process;
  return new Plain({
    host,
    stdin,
    stdout,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
    ...(prompt === '' ? {} : { prompt }),
  });
}

/**
 * `larik [prompt]` (spec: tui): a conversation on the screen. `onScreen` is called before the terminal is
 * taken. Returns the exit code; throws `UsageError` and what opening a session throws.
 */
export async function runTui(
  { flags, operands }: ParsedLine,
  folder: Folder,
  version: string,
  onScreen: () => void,
): Promise<number> {
  const { env } = process;
  const name = frontEndOf({ flags }, process, env);
  const timeout = timeoutOf(flags['timeout']);
  const firstStart = await isFirstStart(folder, flags, env);
  const program = new Program({ folder, flags, version, env });
  if (!['auto', 'dark', 'light'].includes(folder.settings.screen.theme)) await program.loadThemes();
  const host = new TuiHost(program);
  const abort = new AbortController();
  const signals = abortOnSignals(abort);
  const timer = timeout === null ? undefined : setTimeout(() => abort.abort('timeout'), timeout);
  try {
    const prompt = operands.join(' ');
    if (name === 'blessed') onScreen();
    const frontEnd =
      name === 'plain'
        ? await plain(host, prompt)
        : await shownBlessed(host, prompt, firstStart, {
            // A session that is gone on with may have another.
            model: askedModel(flags, env) ?? folder.settings.model,
            mode: folder.settings.mode,
          });
    const code = await frontEnd.runOpening(() => program.open(), abort.signal);
    return signals.code() ?? (abort.signal.reason === 'timeout' ? 4 : code);
  } finally {
    clearTimeout(timer);
    signals.stop();
    await host.dispose();
    await program.dispose();
  }
}
