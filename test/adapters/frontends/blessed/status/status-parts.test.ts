import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appended, noBlocks } from '../../../../../adapters/frontends/blessed/conversation/block-list.ts';
import { emptyConversation } from '../../../../../adapters/frontends/blessed/conversation/conversation.ts';
import { emptyEditor } from '../../../../../adapters/frontends/blessed/editor/editor.ts';
import { unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { colouredLine } from '../../../../../adapters/frontends/blessed/status/coloured-line.ts';
import { drawFooter, fillTone } from '../../../../../adapters/frontends/blessed/status/footer.ts';
import { leavingLines } from '../../../../../adapters/frontends/blessed/status/leaving.ts';
import { drawQueue } from '../../../../../adapters/frontends/blessed/status/queue.ts';
import { drawSidebar } from '../../../../../adapters/frontends/blessed/status/sidebar.ts';
import { drawStart } from '../../../../../adapters/frontends/blessed/status/start.ts';
import { openDialog } from '../../../../../adapters/frontends/blessed/dialogs/open-dialog.ts';
import { drawStatusRow } from '../../../../../adapters/frontends/blessed/status/status-row.ts';
import { drawTodos } from '../../../../../adapters/frontends/blessed/status/todos.ts';
import { windowTitle } from '../../../../../adapters/frontends/blessed/status/title.ts';
import { lineCells, textOf, type Line } from '../../../../../adapters/frontends/blessed/text/line.ts';
import type { Status } from '../../../../../adapters/frontends/blessed/view/view.ts';
import { hardText } from '../text/hard-text.ts';

const look = { glyphs: unicodeGlyphs, now: 14_000 };
const texts = (rows: readonly Line[]) => rows.map(textOf);

const status: Status = {
  session: 'S1',
  title: 'Fix the 测试',
  model: 'anthropic/claude-sonnet-4-5',
  effort: 'high',
  mode: 'plan',
  costUsd: 0.1234,
  budgetUsd: 5,
  maxSteps: 50,
  contextTokens: 42_000,
  contextWindow: 200_000,
  usage: { input: 12_345, output: 678, cacheRead: 1_000_000, cacheWrite: 5000 },
  surroundings: {
    cwd: '/u/larik',
    folder: '~/larik',
    branch: 'main',
    sandbox: { name: 'bubblewrap', works: true, network: false },
    recording: true,
    version: '0.1.0',
  },
  tasks: [{ id: 't1', label: 'npm run dev' }],
  todos: [
    { text: 'Read it', state: 'completed' },
    { text: '写测试', state: 'in_progress' },
    { text: 'Commit', state: 'pending' },
  ],
  changedFiles: ['/u/larik/a.ts', '/u/larik/some/very/deep/folder/with/names/file.ts'],
  line: null,
};
const footer = (columns: number, change: Partial<Status> = {}) =>
  texts(drawFooter({ status: { ...status, ...change } }, columns, look));

describe('the footer', () => {
  it('drops what is least missed first', () => {
    expect([120, 80, 60, 40, 20].flatMap((columns) => footer(columns))).toEqual([
      'plan · anthropic/claude-sonnet-4-5 high · sandbox · 1 task · ● rec                $0.12 of $5.00 · ctx ━━────── 42k/200k',
      'plan · claude-sonnet-4-5 high · 1 task · ● rec         $0.12 of $5.00 · 42k/200k',
      'plan · claude-sonnet-4-5 · 1 task · ● rec   $0.12 · 42k/200k',
      'plan · claude-sonnet-4-5 · ● rec     21%',
      'plan · ● rec     21%',
    ]);
  });

  it('keeps telling that nothing confines commands', () => {
    const surroundings = {
      ...status.surroundings!,
      sandbox: { name: 'none', works: false, network: true },
    };
    expect(footer(40, { surroundings })[0]).toContain('no sandbox');
  });

  it('warns of a filling context from 70 % and 90 % on', () => {
    expect([0, 0.69, 0.7, 0.89, 0.9, 1.2].map(fillTone)).toEqual([
      'muted',
      'muted',
      'warning',
      'warning',
      'error',
      'error',
    ]);
    const bar = (contextTokens: number) =>
      drawFooter({ status: { ...status, contextTokens } }, 120, look)[0]!.at(-1);
    expect(bar(139_999)).toEqual({ text: ' 140k/200k', style: { tone: 'muted' } });
    expect(bar(140_000)).toEqual({ text: ' 140k/200k', style: { tone: 'warning' } });
    expect(bar(180_000)).toEqual({ text: ' 180k/200k', style: { tone: 'error' } });
  });

  it('has the line of the user’s own command below it', () => {
    expect(footer(80, { line: '\u001b[32mmain\u001b[0m ok\nmore' })[1]).toBe('main ok');
    expect(footer(80, { line: ' \n' })).toHaveLength(1);
  });
});

describe('a line with colours', () => {
  it('keeps what colours mean', () => {
    expect(
      colouredLine('\u001b[1;31ma\u001b[22;38;5;40mb\u001b[38;2;240;180;40mc\u001b[48;5;1;90md\u001b[me'),
    ).toEqual([
      { text: 'a', style: { tone: 'error', bold: true } },
      { text: 'b', style: { tone: 'success' } },
      { text: 'c', style: { tone: 'warning' } },
      { text: 'd', style: { tone: 'muted' } },
      { text: 'e', style: {} },
    ]);
  });

  it.each([
    ['\u001b]0;title\u0007ok', 'ok'],
    ['\u001b]8;;http://x\u001b\\ok', 'ok'],
    ['\u001b[2J\u001b[5;5Hok', 'ok'],
    ['\u001bP1$r\u001b\\ok', 'ok'],
    ['\u009b31mok\u0000\u0008', 'o'],
    ['a\tb\u202ec', 'a bc'],
    ['\u001b[?1049lok\u001b[', 'ok'],
  ])('holds nothing else of %j', (hostile, shown) => {
    expect(textOf(colouredLine(hostile))).toBe(shown);
  });

  it('never holds a control character', () => {
    const piece = fc.constantFrom(
      '\u001b[',
      '31',
      ';',
      'm',
      '\u001b]0;',
      '\u0007',
      '\u001bP',
      '\u009c',
      '\r',
      '\b',
      'x',
      '\u202e',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expect(textOf(colouredLine(pieces.join('')))).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the status row', () => {
  const view = {
    activity: { type: 'idle' } as const,
    told: null,
    conversation: emptyConversation,
    keymap: new Map([['escape', 'interrupt'] as const]),
    editor: emptyEditor,
    dialog: null,
    questions: [],
    status: { ...status, todos: [] },
    size: { columns: 80, rows: 24 },
    sidebar: false,
  };
  const turn = { type: 'turn', startedAt: 0, stopping: false, outputTokens: 1234 } as const;
  const row = (change: Partial<Parameters<typeof drawStatusRow>[0]>, columns = 80) =>
    textOf(drawStatusRow({ ...view, ...change }, columns, look));

  it('does not say that it opens where it waits for an answer', () => {
    expect(row({ activity: { type: 'opening' } })).toBe('⠋ Opening');
    expect(row({ activity: { type: 'opening' }, dialog: openDialog({ id: 'x', title: 'Connect' }) })).toBe(
      '',
    );
  });

  it('names what of the list is being done, where the list is not on the screen', () => {
    const change = { activity: turn, status };
    expect(row(change)).toBe('⠋ Working 14 s · 写测试 1/3 · 1.2k tokens · esc interrupts');
    expect(row(change, 52)).toBe('⠋ Working 14 s · 写测试 1/3 · esc interrupts');
    expect(row(change, 40)).toBe('⠋ Working 14 s · 1/3 · esc interrupts');
    expect(row({ ...change, size: { columns: 140, rows: 40 } })).not.toContain('1/3');
    expect(row({ ...change, sidebar: true })).not.toContain('1/3');
    expect(row({ status })).toBe('? for shortcuts');
  });

  it('tells what goes on and how to stop it', () => {
    expect(row({ activity: turn })).toBe('⠋ Working 14 s · 1.2k tokens · esc interrupts');
    expect(row({ activity: turn }, 40)).toBe('⠋ Working 14 s · esc interrupts');
    expect(row({ activity: turn }, 20)).toBe('⠋ Working 14 s');
    expect(row({ activity: { ...turn, stopping: true } })).toBe('⠋ Stopping 14 s · 1.2k tokens');
    expect(row({ activity: { type: 'busy', label: '/compact', startedAt: 9000 } })).toBe(
      '⠋ /compact 5 s · esc abandons',
    );
  });

  it('hints at the keys while nothing is typed, or tells something for a while', () => {
    expect(row({})).toBe('? for shortcuts');
    expect(row({ editor: { ...emptyEditor, text: 'x' } })).toBe('');
    expect(row({ told: { text: 'copied\u001b[2J', tone: 'muted', until: 14_001 } })).toBe('copied');
    expect(row({ told: { text: 'copied', tone: 'muted', until: 14_000 } })).toBe('? for shortcuts');
  });

  it('TUI-15 marks that there is new output below', () => {
    const conversation = { ...emptyConversation, newBelow: true };
    expect(row({ conversation }, 40)).toBe('? for shortcuts       new output below ↓');
    expect(row({ conversation, activity: turn }, 20)).toBe('⠋ Working 14 s     ↓');
  });
});

it('the queue shows what waits, the latest of many, and how to get at it', () => {
  const queue = ['a\nb', '二', 'c', 'd', 'e'].map((text, at) => ({
    id: `${at}`,
    text,
    kind: at === 4 ? ('follow_up' as const) : ('steering' as const),
  }));
  expect(texts(drawQueue(queue.slice(0, 1), 40, look))).toEqual(['» a b', '  up takes the last one back']);
  expect(texts(drawQueue(queue, 20, look))).toEqual([
    '… 2 more before',
    '» c',
    '» d',
    '» after this turn: e',
    '  up takes the last…',
  ]);
});

describe('the sidebar', () => {
  it('shows what there is something to say of', () => {
    expect(texts(drawSidebar({ status }, 32, 40, look))).toMatchSnapshot();
    const bare = {
      ...status,
      title: '',
      todos: [],
      tasks: [],
      changedFiles: [],
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    };
    const headings = drawSidebar({ status: bare }, 32, 40, look).filter((row) => row[0]?.style.bold);
    expect(texts(headings)).toEqual(['Session']);
  });

  it('tells every section in fewer rows where it is short', () => {
    expect(texts(drawSidebar({ status }, 32, 19, look))).toMatchSnapshot();
  });
});

it.each([100, 40, 20])(
  'the empty screen says in %i columns what to type, who answers, how to leave',
  (columns) => {
    expect(texts(drawStart({ status }, columns, 10, look))).toMatchSnapshot();
  },
);

it('the empty screen says how to get a model', () => {
  expect(texts(drawStart({ status: { ...status, model: null } }, 80, 3, look))[1]).toBe(
    'No model yet: /connect adds a provider.',
  );
});

it('the todo list is as wide as its longest row, and gone when all is done', () => {
  const drawn = drawTodos(status.todos, { columns: 60, mostRows: 8, look });
  expect(texts(drawn)).toEqual([' Todo 1/3  ', ' ✓ Read it ', ' ❯ 写测试  ', ' ○ Commit  ']);
  expect(drawTodos(status.todos.slice(0, 1), { columns: 60, mostRows: 8, look })).toEqual([]);
});

describe('what stays on the screen', () => {
  const prompt = { type: 'prompt', id: 1, text: '你好\nthere', images: 0, steering: false } as const;
  const answer = { type: 'answer', id: 2, text: 'It **works**.', streaming: false } as const;
  it('is the last prompt, its answer and how to go on', () => {
    const blocks = appended(appended(noBlocks, prompt), answer);
    expect(texts(leavingLines(blocks, 'S1', 80, look))).toEqual([
      '▌ 你好',
      '▌ there',
      '',
      'It works.',
      '',
      'Go on: larik --resume S1',
    ]);
  });
  it('is bounded, and nothing where nothing was said', () => {
    const text = Array.from({ length: 500 }, (_, at) => `Paragraph ${at}`).join('\n\n');
    const blocks = appended(appended(noBlocks, prompt), { ...answer, text });
    const rows = texts(leavingLines(blocks, 'S1', 80, look));
    expect(rows.length).toBeLessThanOrEqual(30);
    expect(rows).toContain('Paragraph 499');
    expect(leavingLines(noBlocks, 'S1', 80, look)).toEqual([]);
  });
});

it('the window is called after the session, without control characters', () => {
  expect(windowTitle({ status })).toBe('Fix the 测试 - larik');
  expect(windowTitle({ status: { ...status, title: 'a\u0007\u001b]0;b' } })).toBe('a - larik');
});

it('no row is wider than the columns, whatever is in it', () => {
  const model = fc.record({
    title: hardText,
    model: hardText,
    line: hardText,
    todo: hardText,
    path: hardText,
  });
  fc.assert(
    fc.property(
      model,
      fc.integer({ min: 1, max: 130 }),
      fc.integer({ min: 0, max: 30 }),
      (hard, columns, rows) => {
        const hostile: Status = {
          ...status,
          ...hard,
          todos: [{ text: hard.todo, state: 'pending' }, ...status.todos],
          changedFiles: [hard.path],
          tasks: [{ id: 't', label: hard.title }],
        };
        const queue = [{ id: 'q', text: hard.todo, kind: 'steering' as const }];
        const side = drawSidebar({ status: hostile }, columns, rows, look);
        expect(side.length).toBeLessThanOrEqual(rows);
        const all = [
          ...side,
          ...drawFooter({ status: hostile }, columns, look),
          ...drawStart({ status: hostile }, columns, rows, look),
          ...drawTodos(hostile.todos, { columns, mostRows: rows, look }),
          ...drawQueue(queue, columns, look),
        ];
        for (const row of all) expect(lineCells(row)).toBeLessThanOrEqual(columns);
      },
    ),
    { numRuns: 120 },
  );
});
