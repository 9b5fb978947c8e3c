import { describe, expect, it } from 'vitest';
import { builtinTools } from '../../../adapters/tools/builtin.ts';
import { testTool, ToolBench } from '../../../plugins/testing/index.ts';

const inputs: Record<string, Record<string, unknown>[]> = {
  bash: [{ command: 'make' }, { command: 'make', run_in_background: true, timeout: 5 }],
  bash_output: [{ id: 'bg1' }],
  bash_stop: [{ id: 'bg1' }],
  edit: [{ path: 'a', old_string: 'x', new_string: 'y' }],
  exit_plan_mode: [{ plan: 'Do it.' }],
  glob: [{ pattern: '**' }],
  grep: [{ pattern: 'x', context: 1 }],
  multi_edit: [{ path: 'a', edits: [{ old_string: 'x', new_string: 'y', replace_all: true }] }],
  read: [{ path: 'a' }, { path: '.' }],
  todo_write: [{ items: [{ content: 'x', status: 'pending' }] }],
  write: [{ path: 'b', content: 'x'.repeat(50_000) }],
};
const files = { '/p/a': 'x\n'.repeat(20_000) };
const tool = (name: string) => builtinTools.find(({ spec }) => spec.name === name)!;

for (const one of builtinTools) {
  testTool(one, { describe, it, expect }, inputs[one.spec.name] ?? [], files);
}

describe('the built-in tools', () => {
  it('are sorted by name, with their effects', () => {
    expect(builtinTools.map(({ spec, effect, parallel }) => `${spec.name} ${effect} ${parallel}`)).toEqual([
      'bash write false',
      'bash_output read true',
      'bash_stop read true',
      'edit write false',
      'exit_plan_mode write false',
      'glob read true',
      'grep read true',
      'multi_edit write false',
      'read read true',
      'todo_write read false',
      'write write false',
    ]);
  });

  it('keep within their sizes', () => {
    const sent = builtinTools.map(({ spec }) =>
      JSON.stringify({
        name: spec.name,
        description: spec.description,
        input_schema: spec.inputSchema,
      }),
    );
    const most: Record<string, number> = { bash: 1600, grep: 1000 };
    const over = sent.filter((json, at) => {
      const name = builtinTools[at]?.spec.name ?? '';
      return Buffer.byteLength(json) > (most[name] ?? 700);
    });
    expect(over).toEqual([]);
    expect(Buffer.byteLength(`[${sent.join(',')}]`)).toBeLessThanOrEqual(7000);
  });
});

describe('todo_write', () => {
  it('takes one item in progress at most', async () => {
    const item = (status: string) => ({ content: 'x', status });
    const bench = new ToolBench();
    const call = (...states: string[]) => bench.call(tool('todo_write'), { items: states.map(item) });
    expect(await call('completed', 'in_progress', 'pending')).toEqual({
      content: 'Task list replaced: 3 items, 1 completed.',
      display: '[x] x\n[>] x\n[ ] x',
    });
    expect((await call('in_progress', 'in_progress')).isError).toBe(true);
  });
});

describe('exit_plan_mode', () => {
  it('does nothing outside plan mode', async () => {
    const call = (mode: 'plan' | 'default') =>
      new ToolBench({ mode }).call(tool('exit_plan_mode'), { plan: 'p' });
    expect([(await call('plan')).content, (await call('default')).content]).toEqual([
      'The user approved the plan. Carry it out now.',
      'This is not plan mode, so there is nothing to approve. Go on with the work.',
    ]);
  });
});
