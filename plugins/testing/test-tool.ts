import type { Tool } from '../../ports/tool.ts';
import { fakeProcesses } from './fakes/fake-processes.ts';
import { memoryFiles } from './memory-files.ts';
import type { TestKit } from './test-kit.ts';
import { ToolBench } from './tool-bench.ts';

const hostile: readonly unknown[] = [
  null,
  undefined,
  0,
  'text',
  '{',
  [],
  [[]],
  { '': '' },
  { path: 7, pattern: {}, command: [], items: 'x', edits: {}, id: null },
  JSON.parse('{"__proto__": {"path": "x"}}'),
];

/** What every tool does (spec: plugins, "For authors"). `inputs` are some that it takes; files lie in `/p`. */
export function testTool(
  tool: Tool,
  { describe, it, expect }: TestKit,
  inputs: readonly Record<string, unknown>[],
  files: Record<string, string> = {},
): void {
  describe(`${tool.spec.name}: the contract of Tool`, () => {
    it('has a schema of an object that is the same each time, and is plain JSON', () => {
      const first = JSON.stringify(tool.spec);
      expect(JSON.stringify(tool.spec)).toBe(first);
      expect(tool.spec.inputSchema['type']).toBe('object');
      expect(JSON.stringify(JSON.parse(first))).toBe(first);
    });

    it('never throws at input that makes no sense', () => {
      for (const input of hostile) {
        const parsed = tool.parse(input);
        if (!parsed.ok) expect(parsed.error === '').toBe(false);
      }
    });

    it('takes its inputs, and as they were parsed', () => {
      for (const input of inputs) {
        const parsed = tool.parse(input);
        expect(parsed.ok).toBe(true);
        if (parsed.ok) expect(tool.parse(parsed.input)).toEqual(parsed);
      }
    });

    it('ends when it is aborted, within its output, and a reading tool changes nothing', async () => {
      for (const input of inputs) {
        const memory = memoryFiles(files).folder('/p');
        const before = memory.snapshot();
        const abort = new AbortController();
        const bench = new ToolBench({
          files: memory,
          processes: fakeProcesses(() => ({ hangs: true, output: 'x'.repeat(100_000) })),
          signal: abort.signal,
          outputLimit: 10_000,
        });
        const running = bench.call(tool, input).then(
          ({ content }) => content,
          () => 'aborted',
        );
        abort.abort(new Error('aborted by the test'));
        expect((await running).length <= 10_000).toBe(true);
        if (tool.effect === 'read') expect(memory.snapshot()).toEqual(before);
      }
    });
  });
}
