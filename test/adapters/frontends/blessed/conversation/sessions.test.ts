import { expect, it } from 'vitest';
import { ConversationDrawing } from '../../../../../adapters/frontends/blessed/conversation/viewport.ts';
import { lineCells, textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';
import type { AgentEvent } from '../../../../../ports/event.ts';
import {
  done,
  ended,
  look,
  prompted,
  said,
  started,
  stored,
  text,
  thought,
  told,
  use,
} from './conversation-fixtures.ts';

const ran = (id: string, name: string, input: unknown, output: string, failed = false): AgentEvent[] => [
  started(id, name, input),
  ended(id, name, output, { is_error: failed }),
];

/** A small session in scripts of several kinds. */
const session: AgentEvent[] = [
  prompted('修复登录页面的测试 👩‍👩‍👧 please, and keep the names as they are'),
  thought('Look first.'),
  said('我先看看测试。'),
  stored(
    text('我先看看测试。'),
    use('a', 'read', { path: 'src/登录/页面.test.ts' }),
    use('b', 'grep', { pattern: 'שלום|عالم' }),
  ),
  ...ran('a', 'read', { path: 'src/登录/页面.test.ts' }, '1\ta\n2\tb'),
  ...ran('b', 'grep', { pattern: 'שלום|عالم' }, 'src/a.ts:1:שלום'),
  stored(use('c', 'bash', { command: 'npm test -- --run src/登录 && echo "🇩🇪 done"' })),
  ...ran(
    'c',
    'bash',
    { command: 'npm test -- --run src/登录 && echo "🇩🇪 done"' },
    'exit code 1, 2.0 s\n✗ 登录 fails 👍🏽\nexpected 1 to be 2, which is not what the test of this page says',
    true,
  ),
  { type: 'notice', level: 'warning', text: 'This session has cost $0.90 of its budget of $1.00.' },
  stored(text('One of the tests **fails**: `1` is not `2`.\n\n1. 页面\n2. שלום')),
  done('max_steps', '3 steps were made'),
];

function screen(columns: number, rows: number): string {
  const seen = new ConversationDrawing().rows(told(session), { columns, rows }, look);
  expect(seen.filter((row) => lineCells(row) > columns)).toEqual([]);
  return seen
    .map((row) => textOf(row).trimEnd())
    .join('\n')
    .trimEnd();
}

it('shows a session at 120 columns', () => {
  expect(screen(120, 30)).toMatchInlineSnapshot(`
    "▌ 修复登录页面的测试 👩‍👩‍👧 please, and keep the names as they are

    · Thought for 1 s

    ● 我先看看测试。

    ✓ read src/登录/页面.test.ts                                                                   1.2 s
      └ 2 lines
    ✓ grep שלום|عالم                                                                               1.2 s
      └ src/a.ts:1:שלום

    ✗ bash npm test -- --run src/登录 && echo "🇩🇪 done"                                            1.2 s
      └ exit code 1
        ✗ 登录 fails 👍🏽
        expected 1 to be 2, which is not what the test of this page says

    • This session has cost $0.90 of its budget of $1.00.

    ● One of the tests fails: 1 is not 2.

      1. 页面
      2. שלום

    ✗ Stopped: 3 steps were made.
      Send "go on" to continue from here."
  `);
});

it('shows a session at 80 columns', () => {
  expect(screen(80, 30)).toMatchInlineSnapshot(`
    "▌ 修复登录页面的测试 👩‍👩‍👧 please, and keep the names as they are

    · Thought for 1 s

    ● 我先看看测试。

    ✓ read src/登录/页面.test.ts                                               1.2 s
      └ 2 lines
    ✓ grep שלום|عالم                                                           1.2 s
      └ src/a.ts:1:שלום

    ✗ bash npm test -- --run src/登录 && echo "🇩🇪 done"                        1.2 s
      └ exit code 1
        ✗ 登录 fails 👍🏽
        expected 1 to be 2, which is not what the test of this page says

    • This session has cost $0.90 of its budget of $1.00.

    ● One of the tests fails: 1 is not 2.

      1. 页面
      2. שלום

    ✗ Stopped: 3 steps were made.
      Send "go on" to continue from here."
  `);
});

it('shows a session at 40 columns', () => {
  expect(screen(40, 36)).toMatchInlineSnapshot(`
    "▌ 修复登录页面的测试 👩‍👩‍👧 please, and keep
    ▌ the names as they are

    · Thought for 1 s

    ● 我先看看测试。

    ✓ read src/登录/页面.test.ts       1.2 s
      └ 2 lines
    ✓ grep שלום|عالم                   1.2 s
      └ src/a.ts:1:שלום

    ✗ bash npm test -- --run src/登…   1.2 s
      └ exit code 1
        ✗ 登录 fails 👍🏽
        expected 1 to be 2, which is not
        what the test of this page says

    • This session has cost $0.90 of its
      budget of $1.00.

    ● One of the tests fails: 1 is not 2.

      1. 页面
      2. שלום

    ✗ Stopped: 3 steps were made.
      Send "go on" to continue from here."
  `);
});

it('shows a session at 20 columns', () => {
  expect(screen(20, 60)).toMatchInlineSnapshot(`
    "▌ 修复登录页面的测试
    ▌ 👩‍👩‍👧 please, and
    ▌ keep the names as
    ▌ they are

    · Thought for 1 s

    ● 我先看看测试。

    ✓ read src/…   1.2 s
      └ 2 lines
    ✓ grep שלום|…  1.2 s
      └ src/a.ts:1:שלום

    ✗ bash npm t…  1.2 s
      └ exit code 1
        ✗ 登录 fails 👍🏽
        expected 1 to be
        2, which is not
        what the test o…

    • This session has
      cost $0.90 of its
      budget of $1.00.

    ● One of the tests
      fails: 1 is not 2.

      1. 页面
      2. שלום

    ✗ Stopped: 3 steps
      were made.
      Send "go on" to
      continue from
      here."
  `);
});
