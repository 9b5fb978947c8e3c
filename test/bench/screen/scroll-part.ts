import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadHighlighter } from '../../../adapters/frontends/blessed/markdown/highlight.ts';
import type { Size } from '../../../adapters/frontends/blessed/view/view.ts';
import type { Row } from '../row.ts';
import { key, Screen } from './drawn-screen.ts';
import { percentile, timed } from './times.ts';
import { turn } from './turn.ts';

const size: Size = { columns: 120, rows: 40 };
const megabyte = 1_000_000;
const longTurns = 480;
const longRows = 10_000;

/** Bytes in use, without what is only not collected yet. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** From the end to the top, page by page: what each took. At the top nothing is written any more. */
function pagesUp(screen: Screen): number[] {
  const times: number[] = [];
  for (;;) {
    let written = '';
    const took = timed(() => {
      screen.act(key('pageup'));
      written = screen.frame();
    });
    if (written === '') break;
    times.push(took);
  }
  if (times.length * size.rows < longRows) throw new Error(`only ${times.length} pages`);
  return times;
}

function pageRow(name: string, times: readonly number[]): Row {
  const [half, most] = [percentile(times, 0.5), Math.max(...times)].map((time) => time.toFixed(2));
  const detail = `99 of 100 pages; median ${half} ms, worst ${most} ms of ${times.length}`;
  return { name, goal: 16, unit: 'ms', figure: percentile(times, 0.99), detail };
}

/**
 * A conversation of 10,000 rows: what it needs in memory once it was seen, and how long a page takes, both
 * as it was watched, and as it is opened again, when nothing is drawn yet.
 */
export async function scrollPart(): Promise<Row[]> {
  await loadHighlighter();
  const before = heap();
  const watched = new Screen(size);
  for (let number = 1; number <= longTurns; number += 1) {
    for (const event of turn(number)) {
      watched.hear(event);
      watched.frame();
    }
  }
  const seen = pagesUp(watched);
  const memory = (heap() - before) / megabyte;
  const again = new Screen(size);
  const events = Array.from({ length: longTurns }, (_, index) => turn(index + 1)).flat();
  const opening = timed(() => {
    again.act({ type: 'history', events });
    again.frame();
  });
  return [
    pageRow('a page up in 10,000 rows', seen),
    pageRow('a page up in 10,000 rows, opened again', pagesUp(again)),
    { name: '  its first frame', goal: null, unit: 'ms', figure: opening },
    { name: 'heap for 10,000 rows', goal: null, unit: 'MB', figure: memory },
  ];
}
