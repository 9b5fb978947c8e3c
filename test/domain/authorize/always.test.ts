import { describe, expect, it } from 'vitest';
import { PortError } from '../../../ports/errors.ts';
import type { PermissionAnswer } from '../../../ports/frontend.ts';
import type { SavedRules } from '../../../ports/settings.ts';
import { agentHarness, only } from '../agent-harness.ts';

const usage = { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 };
const make = { calls: [{ name: 'bash', input: { command: 'make all' }, id: 'b' }], usage };
const done = { text: 'ok', usage };

/** A file that takes rules, or cannot. */
function ruleFile(problem?: string): SavedRules & { rules: string[] } {
  const rules: string[] = [];
  return {
    rules,
    allow: async (rule) => {
      if (problem !== undefined) throw new PortError('settings', 'io', problem, {});
      rules.push(rule);
    },
  };
}

/** What became of the answers to two calls of `make all`. */
async function answered(answer: PermissionAnswer, savedRules: SavedRules | undefined) {
  const { agent, prompt, entries, processes } = agentHarness([make, make, done], {
    answer,
    ...(savedRules === undefined ? {} : { savedRules }),
  });
  const events = await prompt('go');
  return {
    resolved: only(events, 'permission_resolved').map(({ type: _type, request_id: _id, ...rest }) => rest),
    notices: only(events, 'notice').map(({ code, text }) => [code, text]),
    allow: agent.settings.rules.allow,
    recorded: entries.flatMap((entry) => (entry.type === 'permission' ? [[entry.by, entry.rule]] : [])),
    ran: processes.specs.length,
  };
}

describe('"always"', () => {
  it('adds the rule at once and keeps it for later sessions', async () => {
    const file = ruleFile();
    expect(await answered({ allow: true, always: true }, file)).toEqual({
      resolved: [{ outcome: 'allowed', rule: 'bash(make*)', persisted: true }],
      notices: [],
      allow: [{ text: 'bash(make*)', origin: 'this session' }],
      recorded: [
        ['user', 'bash(make*)'],
        ['rule', 'bash(make*)'],
      ],
      ran: 2,
    });
    expect(file.rules).toEqual(['bash(make*)']);
  });

  it('holds for this session where it cannot be kept, and says why', async () => {
    const file = ruleFile('/c/p.json: it was not written: no space is left on the disk');
    expect(await answered({ allow: true, always: true }, file)).toEqual({
      resolved: [{ outcome: 'allowed', rule: 'bash(make*)', persisted: false }],
      notices: [
        [
          'rule',
          'The rule `bash(make*)` holds for this session only, since it could not be saved:\n/c/p.json: it was not written: no space is left on the disk',
        ],
      ],
      allow: [{ text: 'bash(make*)', origin: 'this session' }],
      recorded: [
        ['user', 'bash(make*)'],
        ['rule', 'bash(make*)'],
      ],
      ran: 2,
    });
  });

  it('holds for this session without a word where nobody keeps rules', async () => {
    const { resolved, notices } = await answered({ allow: true, always: true }, undefined);
    expect(resolved).toEqual([{ outcome: 'allowed', rule: 'bash(make*)', persisted: false }]);
    expect(notices).toEqual([]);
  });

  it('adds the rule as the user edited it', async () => {
    const file = ruleFile();
    const { allow, resolved } = await answered(
      { allow: true, always: true, rule: '  bash(make all) ' },
      file,
    );
    expect(allow).toEqual([{ text: 'bash(make all)', origin: 'this session' }]);
    expect(resolved).toEqual([{ outcome: 'allowed', rule: 'bash(make all)', persisted: true }]);
    expect(file.rules).toEqual(['bash(make all)']);
  });

  it('adds an edited rule that does not cover the call, says so, and asks again', async () => {
    const file = ruleFile();
    const { notices, resolved, ran } = await answered(
      { allow: true, always: true, rule: 'bash(ninja*)' },
      file,
    );
    expect(resolved).toEqual([
      { outcome: 'allowed', rule: 'bash(ninja*)', persisted: true },
      { outcome: 'allowed', rule: 'bash(ninja*)', persisted: true },
    ]);
    expect(notices[0]).toEqual([
      'rule',
      'The rule `bash(ninja*)` does not cover this call, so the next one like it is asked about.',
    ]);
    expect([file.rules, ran]).toEqual([['bash(ninja*)', 'bash(ninja*)'], 2]);
  });

  it('adds and keeps nothing that does not parse', async () => {
    const file = ruleFile();
    const { allow, notices } = await answered({ allow: true, always: true, rule: 'bash(' }, file);
    expect([allow, file.rules]).toEqual([[], []]);
    expect(notices[0]).toEqual([
      'rule',
      'The rule `bash(` was not added: expected `tool` or `tool(pattern)`',
    ]);
  });

  it('adds nothing without "always", and nothing where it was not offered', async () => {
    const file = ruleFile();
    expect(await answered({ allow: true, rule: 'bash' }, file)).toMatchObject({ allow: [], notices: [] });
    const { agent, prompt } = agentHarness(
      [{ calls: [{ name: 'bash', input: { command: 'cd x && curl $(cat y)' }, id: 'b' }], usage }, done],
      { answer: { allow: true, always: true, rule: 'bash' }, savedRules: file },
    );
    const events = await prompt('go');
    expect(only(events, 'permission_request').map((event) => event.suggested_rule)).toEqual([null]);
    expect([agent.settings.rules.allow, file.rules]).toEqual([[], []]);
  });

  it('answers one question once, under an id that cannot be guessed', async () => {
    const { agent } = agentHarness([make, done], { answer: null });
    const answers: boolean[] = [];
    for await (const event of agent.prompt('go', new AbortController().signal)) {
      if (event.type !== 'permission_request') continue;
      expect(event.request_id).toMatch(/^perm-[0-9a-f]{32}$/);
      answers.push(agent.answer('perm-', { allow: true }), agent.answer(event.request_id, { allow: false }));
      answers.push(agent.answer(event.request_id, { allow: true }));
    }
    expect(answers).toEqual([false, true, false]);
  });

  it('answers nothing once the run has ended', async () => {
    const { agent, processes } = agentHarness([make, done], { answer: null });
    const abort = new AbortController();
    let id = '';
    for await (const event of agent.prompt('go', abort.signal)) {
      if (event.type !== 'permission_request') continue;
      id = event.request_id;
      abort.abort('user');
    }
    expect(agent.answer(id, { allow: true })).toBe(false);
    expect(processes.specs).toEqual([]);
  });
});
