import { setTimeout as pause } from 'node:timers/promises';
import { median, percentile, timed } from '../measure.mjs';
import { startInTerminal } from './in-terminal.mjs';
import { lastMark } from './markdown.mjs';
import { processorTime, residentMemory, tellsOfProcesses, waits } from './process-facts.mjs';

const larik = (play, make) => {
  const { args, options } = make('larik', play, 'none');
  return { args: args.slice(0, 1), options };
};
const lastTyped = '¤';
const firstText = 'Say what is to be done';
const megabyte = 1_000_000;

/** Starts the program, calls `work` with it once its first frame is there, and ends it. */
async function withScreen({ args, options }, work) {
  const screen = startInTerminal(args, options);
  try {
    const first = await screen.seen(firstText);
    return await work(screen, first - screen.began);
  } finally {
    await screen.leave();
  }
}

async function start({ repetitions, make }) {
  const program = larik('short', make);
  const node = [];
  const first = [];
  for (let run = 0; run <= repetitions * 2; run += 1) {
    const { took } = await timed(['-e', '0'], program.options);
    const shown = await withScreen(program, (_screen, time) => time);
    // The first run compiles.
    if (run === 0) continue;
    node.push(took);
    first.push(shown);
  }
  const detail = `node -e 0: ${median(node).toFixed(0)} ms`;
  return [{ name: 'start to the first frame', goal: 350, unit: 'ms', figure: median(first), detail }];
}

const idleTime = 3000;

/** Resolves when a process has had no processor time for a second. */
async function quiet(pid) {
  for (let look = 0, before = -1; look < 20 && processorTime(pid) !== before; look += 1) {
    before = processorTime(pid);
    await pause(1000);
  }
}

async function idle({ make }) {
  if (!tellsOfProcesses) return [];
  return withScreen(larik('short', make), async ({ pid }) => {
    await quiet(pid);
    const before = { time: processorTime(pid), waits: waits(pid) };
    await pause(idleTime);
    const figure = processorTime(pid) - before.time;
    const detail = `woken ${waits(pid) - before.waits} times`;
    const memory = residentMemory(pid) / megabyte;
    return [
      { name: 'idle screen, processor time in 3 s', goal: 0, unit: 'ms', figure, detail },
      { name: '  its memory', goal: null, unit: 'MB', figure: memory },
    ];
  });
}

/** Letters that the screen has nowhere else, one after the other (U+0100 to U+017F). */
const letter = (number) => String.fromCharCode(0x100 + (number % 128));
/** Keys after which the input is emptied, so that it stays in one row. */
const mostTyped = 40;
/** Keys that make a percentile of the slowest one in a hundred. */
const enoughKeys = 200;

/**
 * Types letters, 50 to 100 ms apart whether or not the one before is on the screen, until `isOver`: the
 * milliseconds from each key to the bytes that show it.
 */
async function typedInto(screen, isOver) {
  const waiting = [];
  for (let key = 0; !isOver(key); key += 1) {
    if (key % mostTyped === mostTyped - 1) {
      await Promise.all(waiting);
      screen.type('\u0015');
      await pause(50);
    }
    const pressed = performance.now();
    const seen = screen.seen(letter(key)).then((at) => at - pressed);
    // A failure is told at the end.
    seen.catch(() => undefined);
    waiting.push(seen);
    screen.type(letter(key));
    await pause(50 + ((key * 37) % 51));
  }
  return Promise.all(waiting);
}

/** One answer of 2 MB with somebody typing from its beginning to half a second after its end. */
async function stream(screen) {
  const atRest = await typedInto(screen, (key) => key === 30);
  // One letter is looked for: what is typed may come apart, and be drawn apart.
  screen.type(`\u0015Do it${lastTyped}`);
  await screen.seen(lastTyped);
  const ended = screen.seen(lastMark);
  const began = performance.now();
  screen.type('\r');
  const before = tellsOfProcesses ? processorTime(screen.pid) : Number.NaN;
  let last = Number.POSITIVE_INFINITY;
  ended.then(
    (at) => (last = at),
    // Thrown below; nobody types for longer.
    () => (last = Number.NEGATIVE_INFINITY),
  );
  const streaming = await typedInto(screen, () => performance.now() > last + 500);
  await ended;
  const processor = tellsOfProcesses ? processorTime(screen.pid) - before : Number.NaN;
  const memory = tellsOfProcesses ? residentMemory(screen.pid) : Number.NaN;
  return { atRest, streaming, took: last - began, processor, memory };
}

async function typing({ repetitions, make }) {
  const program = larik('markdown', make);
  const runs = [];
  const all = (name) => runs.flatMap((run) => run[name]);
  while (runs.length < repetitions && all('streaming').length < enoughKeys)
    runs.push(await withScreen(program, stream));
  const keys = all('streaming');
  const of = (name) => median(all(name));
  const detail = `99 of 100 keys; median ${median(keys).toFixed(0)} ms, worst ${Math.max(...keys).toFixed(0)} ms of ${keys.length}`;
  const rows = [
    {
      name: 'a key to the screen while 2 MB stream',
      goal: 50,
      unit: 'ms',
      figure: percentile(keys, 0.99),
      detail,
    },
    { name: '  a key while nothing goes on', goal: null, unit: 'ms', figure: of('atRest') },
    { name: '2 MB onto the screen', goal: null, unit: 'ms', figure: of('took') },
  ];
  if (!tellsOfProcesses) return rows;
  return [
    ...rows,
    { name: '  its processor time', goal: null, unit: 'ms', figure: of('processor') },
    { name: '  memory after it', goal: null, unit: 'MB', figure: of('memory') / megabyte },
  ];
}

/** What is measured of the built program's screen in a terminal, by name (spec: tui, "Speed"). */
export const screens = { 'screen-start': start, 'screen-idle': idle, 'screen-typing': typing };
