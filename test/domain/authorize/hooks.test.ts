import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { decide } from '../../../domain/permissions/decide.ts';
import { gatherFacts } from '../../../domain/permissions/facts.ts';
import { memoryFiles } from '../../../plugins/testing/memory-files.ts';
import type { HookVerdict } from '../../../ports/hooks.ts';
import type { Mode } from '../../../ports/mode.ts';
import { agentHarness, only, type HarnessOptions } from '../agent-harness.ts';
import { callOf, policyOf } from '../permissions/permissions.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const bash = (command: string, id = 'b') => ({ name: 'bash', input: { command }, id });
const done = { text: 'ok', usage };

/** One call of `make`, and what became of it under these hooks. */
async function hooked(verdict: HookVerdict, given: HarnessOptions = {}, command = 'make') {
  const harness = agentHarness([{ calls: [bash(command)], usage }, done], { hook: () => verdict, ...given });
  const events = await harness.prompt('go');
  return {
    ran: harness.processes.specs.map((spec) => spec.command),
    asked: only(events, 'permission_request').map(({ input, reason, suggested_rule }) => ({
      input,
      reason,
      suggested_rule,
    })),
    started: only(events, 'tool_start').map(({ input }) => input),
    results: only(events, 'tool_end').map(({ output, is_error }) => ({ output, is_error })),
    notices: only(events, 'notice').map(({ text }) => text),
    end: only(events, 'done').map(({ stop_reason, reason }) => ({ stop_reason, reason })),
    recorded: harness.entries.flatMap((entry) =>
      entry.type === 'permission' ? [[entry.decision, entry.by]] : [],
    ),
    requests: harness.provider.requests.length,
  };
}

describe('hooks', () => {
  it('PERM-27 allow nothing that a deny rule forbids, and ask nothing about it', async () => {
    const rewriting = await hooked(
      { decision: 'allow', input: { command: 'rm x' } },
      { deny: ['bash(rm *)'] },
    );
    expect(rewriting).toMatchObject({ ran: [], asked: [], recorded: [['deny', 'rule']] });
    expect(rewriting.results).toEqual([
      { output: expect.stringContaining('the deny rule `bash(rm *)` forbids it'), is_error: true },
    ]);
    const asking = await hooked({ decision: 'ask' }, { deny: ['bash(make*)'] });
    expect(asking).toMatchObject({ ran: [], asked: [], recorded: [['deny', 'rule']] });
  });

  it('see each call once, as it would run', async () => {
    const seen: unknown[] = [];
    const { prompt } = agentHarness([{ calls: [{ ...bash('make'), name: 'Bash' }], usage }, done], {
      hook: (call) => {
        seen.push(call);
        return {};
      },
    });
    await prompt('go');
    expect(seen).toEqual([{ tool: 'bash', input: { command: 'make' }, callId: 'b' }]);
  });

  it('allow what would be asked, in plan mode too', async () => {
    for (const mode of ['default', 'plan'] as const) {
      const outcome = await hooked({ decision: 'allow' }, { settings: { mode } });
      expect(outcome).toMatchObject({ ran: [{ shell: 'make' }], asked: [], recorded: [['allow', 'hook']] });
    }
  });

  it('approve a plan in the place of the user, which ends plan mode', async () => {
    const { agent, prompt } = agentHarness(
      [{ calls: [{ name: 'exit_plan_mode', input: { plan: '1. go' }, id: 'p' }], usage }, done],
      { settings: { mode: 'plan' }, hook: () => ({ decision: 'allow' }) },
    );
    const events = await prompt('plan');
    expect(only(events, 'mode_changed')).toEqual([{ type: 'mode_changed', mode: 'default', from: 'plan' }]);
    expect(agent.settings.mode).toBe('default');
  });

  it('forbid, and the model reads why', async () => {
    const outcome = await hooked(
      { decision: 'deny', reason: 'not on Fridays' },
      { settings: { mode: 'yolo' } },
    );
    expect(outcome).toMatchObject({ ran: [], asked: [], recorded: [['deny', 'hook']] });
    expect(outcome.results[0]?.output).toContain('a hook forbids it: not on Fridays');
  });

  it('ask in yolo, and offer no "always"', async () => {
    const outcome = await hooked({ decision: 'ask', reason: 'sure?' }, { settings: { mode: 'yolo' } });
    expect(outcome.asked).toEqual([
      { input: { command: 'make' }, reason: 'a hook asks: sure?', suggested_rule: null },
    ]);
    expect(outcome).toMatchObject({ ran: [{ shell: 'make' }], recorded: [['allow', 'user']] });
  });

  it('rewrite the input, and that is what is asked about, shown and run', async () => {
    const outcome = await hooked({ input: { command: 'ninja', extra: 1 } });
    expect(outcome.asked).toEqual([
      {
        input: { command: 'ninja' },
        reason: 'no rule and no mode covers it',
        suggested_rule: 'bash(ninja*)',
      },
    ]);
    expect(outcome).toMatchObject({ ran: [{ shell: 'ninja' }], started: [{ command: 'ninja' }] });
  });

  it('cannot put an input in place that the tool does not take', async () => {
    const outcome = await hooked({ decision: 'allow', input: { command: 7 } });
    expect(outcome).toMatchObject({ ran: [], asked: [], end: [{ stop_reason: 'end_turn' }] });
    expect(outcome.results).toEqual([
      {
        output: expect.stringMatching(/^A hook of the user changed the input of this `bash` call/),
        is_error: true,
      },
    ]);
    expect(outcome.notices).toEqual([
      expect.stringMatching(/^bash was refused: a hook gave it an input that it does not take: /),
    ]);
  });

  it('end the turn: nothing of this round runs, and the model is not asked again', async () => {
    const { prompt, processes, provider } = agentHarness(
      [{ calls: [bash('make', '1'), bash('stop', '2'), bash('ninja', '3')], usage }, done],
      {
        settings: { mode: 'yolo' },
        hook: ({ input }) => (input['command'] === 'stop' ? { halt: 'enough' } : {}),
      },
    );
    const events = await prompt('go');
    expect(processes.specs).toEqual([]);
    expect(provider.requests).toHaveLength(1);
    expect(only(events, 'done')).toMatchObject([{ stop_reason: 'hook_stopped', reason: 'enough' }]);
    expect(
      only(events, 'tool_end')
        .map((end) => [end.tool_id, end.is_error])
        .sort(),
    ).toEqual([
      ['1', true],
      ['2', true],
      ['3', true],
    ]);
    await prompt('go on');
    const [, answers] = provider.requests[1]?.messages.slice(1) ?? [];
    expect(answers?.blocks.map((block) => block.type)).toEqual([
      'tool_result',
      'tool_result',
      'tool_result',
      'text',
    ]);
  });
});

const calls = [
  ['bash', 'make'],
  ['bash', 'rm -rf /'],
  ['bash', 'rm -rf build'],
  ['bash', '$CC x'],
  ['bash', 'git push --force'],
  ['bash', 'echo "unterminated'],
  ['edit', 'src/a.ts'],
  ['edit', '.git/hooks/pre-commit'],
  ['edit', '../b.ts'],
  ['edit', '.npmrc'],
  ['read', '.env'],
  ['web_fetch', 'https://example.com/'],
  ['exit_plan_mode', 'x'],
] as const;

const anyCase = fc.record({
  call: fc.constantFrom(...calls),
  mode: fc.constantFrom<Mode>('default', 'accept-edits', 'plan', 'auto', 'yolo'),
  sandboxed: fc.boolean(),
  allow: fc.subarray(['bash', 'bash(rm *)', 'edit', 'web_fetch']),
  ask: fc.subarray(['bash(make*)', 'edit']),
  deny: fc.subarray(['bash(rm *)', 'read(.env)', 'edit(src/**)', 'bash(git push*)']),
  decision: fc.constantFrom<NonNullable<HookVerdict['decision']>>('allow', 'ask', 'deny'),
});

describe('whatever hooks say', () => {
  it('steps 1 and 2, the guard and computed commands stand above it, and it loosens nothing by asking', async () => {
    const property = fc.asyncProperty(anyCase, async ({ call: [tool, subject], decision, ...setting }) => {
      const call = callOf(tool, subject);
      const policy = policyOf(setting);
      const ports = { files: memoryFiles({ '/p/src/a.ts': '' }), parser: unbashParser };
      const facts = await gatherFacts(call, ports, policy);
      const without = decide(call, facts, policy);
      const inYolo = decide(call, facts, { ...policy, mode: 'yolo' });
      const { decision: now } = decide(call, facts, { ...policy, hook: { decision } });
      if (decision === 'deny') expect(now).toBe('deny');
      if (decision === 'ask') expect(now).toBe(without.decision === 'deny' ? 'deny' : 'ask');
      if (decision !== 'allow') return;
      // Yolo too allows all that only steps 3 to 10 are against.
      expect(now).toBe(inYolo.decision);
      if (without.decision === 'deny' && without.because.step !== 5) expect(now).toBe('deny');
      if (without.because.step === 'guard' || without.because.step === 'computed') expect(now).toBe('ask');
    });
    await fc.assert(property, { numRuns: 400 });
  });
});
