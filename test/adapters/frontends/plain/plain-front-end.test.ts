import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { CommandRow, Host, OpenedSession, Outcome } from '../../../../adapters/frontends/host.ts';
import { PlainFrontEnd } from '../../../../adapters/frontends/plain/plain-front-end.ts';
import { playedSession, testFrontEnd } from '../../../../plugins/testing/contracts/front-end-contract.ts';
import type { AgentEvent } from '../../../../ports/event.ts';

const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 };
const done: AgentEvent = { type: 'done', stop_reason: 'end_turn', usage, cost_usd: 0 };
const question: AgentEvent = {
  type: 'permission_request',
  request_id: 'r',
  tool_id: 'c',
  tool_name: 'bash',
  input: { command: 'rm -rf x\u202e' },
  suggested_rule: 'bash(rm*)',
  cwd: '/p',
  sandboxed: false,
  reason: 'no rule allows it',
};

interface Given {
  /** What is typed when the output ends so, in order; null is the end of input. */
  typed?: readonly [string, string | null][];
  prompt?: string;
  rows?: readonly CommandRow[];
  run?: (name: string, argument: string) => Outcome;
  choose?: (dialog: string, value: string) => Outcome;
}

/** A front end whose user types each line where the output asks for it, and then leaves. */
function plain({ typed = [], prompt, rows = [], run, choose }: Given = {}) {
  const stdin = new PassThrough();
  const script = [...typed];
  const remembered: string[] = [];
  let text = '';
  let slept = 0;
  const react = (): void => {
    const [next] = script;
    if (next !== undefined && text.endsWith(next[0])) {
      script.shift();
      if (next[1] === null) stdin.end();
      else stdin.write(next[1]);
    } else if (text.endsWith('> ')) stdin.end();
  };
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, taken) {
      text += chunk.toString();
      taken();
      setImmediate(react);
    },
  });
  const nothing = (): Outcome => ({ type: 'nothing' });
  const host = {
    commands: () => rows,
    run: async (name: string, argument: string) => (run ?? nothing)(name, argument),
    choose: async (dialog: string, value: string) => (choose ?? nothing)(dialog, value),
    remember: (line: string) => void remembered.push(line),
  } as unknown as Host;
  const frontEnd = new PlainFrontEnd({
    host,
    stdin,
    stdout,
    sleep: async () => {
      slept += 1;
      // Time for what was typed too early to arrive.
      for (let turns = 0; turns < 5; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    },
    ...(prompt === undefined ? {} : { prompt }),
  });
  return { frontEnd, remembered, output: () => text, slept: () => slept };
}

const never = new AbortController().signal;

testFrontEnd(
  { describe, it, expect },
  () =>
    plain({
      prompt: 'go',
      typed: [
        ['answer: ', 'y\n'],
        ['answer: ', 'n\n'],
      ],
    }).frontEnd,
);

async function answered(typed: readonly [string, string | null][]) {
  const { session, record } = playedSession([question, done]);
  const run = plain({ prompt: 'go', typed });
  await run.frontEnd.run(session, never);
  return { answers: record.answers.map(({ answer }) => answer), output: run.output() };
}

describe('permission questions in words', () => {
  it('show the exact input, why, and what can be answered', async () => {
    const { output } = await answered([['answer: ', 'y\n']]);
    expect(output).toContain(
      [
        'Question: may bash run this?',
        '│ rm -rf x\\u{202e}',
        'It runs in /p, outside the sandbox.',
        'Asked because: no rule allows it',
        'y: yes, this once',
      ].join('\n'),
    );
  });

  it.each([
    ['y', { allow: true }],
    ['a', { allow: true, always: true }],
    ['a bash(rm x)', { allow: true, always: true, rule: 'bash(rm x)' }],
    ['n use trash instead', { allow: false, reason: 'use trash instead' }],
    ['s', { allow: false }],
  ])('take %s', async (line, answer) => {
    expect((await answered([['answer: ', `${line}\n`]])).answers).toEqual([answer]);
  });

  it.each(['', 'yes, but slowly', 'maybe', 'yn'])('ask again after "%s"', async (line) => {
    const { answers } = await answered([
      ['answer: ', `${line}\n`],
      ['answer: ', 'n\n'],
    ]);
    expect(answers).toEqual([{ allow: false }]);
  });

  it('are not answered by what was typed before they could be read', async () => {
    const { answers } = await answered([
      ['to the model\ns: no, and stop\n', 'y\n'],
      ['answer: ', 'n\n'],
    ]);
    expect(answers).toEqual([{ allow: false }]);
  });

  it('are denied where nobody is left to answer', async () => {
    expect((await answered([['answer: ', null]])).answers).toEqual([{ allow: false }]);
  });
});

describe('the plain front end', () => {
  it('writes lines only, without what could control a terminal', async () => {
    const { session } = playedSession([
      { type: 'text_delta', text: 'Hel\u001b[2J' },
      { type: 'text_delta', text: 'lo.' },
      {
        type: 'assistant_message',
        message: { role: 'assistant', blocks: [{ type: 'text', text: 'Hello.' }] },
      },
      { type: 'tool_start', tool_id: 't', tool_name: 'bash', input: { command: 'make' } },
      {
        type: 'tool_end',
        tool_id: 't',
        tool_name: 'bash',
        output: 'ok\u001b[31m\nmore\n',
        is_error: false,
        duration_ms: 5,
      },
      { type: 'notice', level: 'warning', text: 'careful' },
      { type: 'done', stop_reason: 'max_steps', reason: '5 steps were made', usage, cost_usd: 0 },
    ]);
    const { frontEnd, output } = plain({ prompt: 'go' });
    expect(await frontEnd.run({ ...session, path: '/s.jsonl', id: 's' }, never)).toBe(0);
    expect(output().replaceAll('\u001b[2J', '')).toBe(
      [
        'Hello.',
        '· bash make',
        '  bash: ok (2 lines)',
        'warning: careful',
        'stopped (max_steps): 5 steps were made; type to go on',
        '> To go on: larik --resume s',
        '',
      ].join('\n'),
    );
  });

  it('joins lines that end with a backslash, and remembers prompts', async () => {
    const { session, record } = playedSession([done]);
    const { frontEnd, remembered } = plain({
      typed: [
        ['> ', 'one\\\n'],
        ['. ', 'two\n'],
      ],
    });
    await frontEnd.run(session, never);
    expect(record.prompts).toEqual(['one\ntwo']);
    expect(remembered).toEqual(['one\ntwo']);
  });

  it('runs the commands of the host, and names those that there are', async () => {
    const ran: string[] = [];
    const { session, record } = playedSession([done]);
    const { frontEnd, output } = plain({
      rows: [{ name: 'cost', about: 'what was spent', aliases: ['usage'], argument: '[DAY]' }],
      run: (name, argument) => {
        ran.push(`${name} ${argument}`);
        return { type: 'text', title: 'Cost', text: '$1' };
      },
      typed: [
        ['> ', '/help\n'],
        ['> ', '/usage today\n'],
        ['> ', '/nothing\n'],
        ['> ', '/usr/bin is full\n'],
      ],
    });
    await frontEnd.run(session, never);
    expect(ran).toEqual(['cost today']);
    expect(output()).toContain('/cost [DAY]: what was spent\n');
    expect(output()).toContain('Cost\n$1\n');
    expect(output()).toContain('There is no command /nothing');
    expect(record.prompts).toEqual(['/usr/bin is full']);
  });

  it('shows dialogs as numbered lists that words narrow down', async () => {
    const chosen: string[] = [];
    const { session } = playedSession([done]);
    const { frontEnd, output } = plain({
      rows: [{ name: 'model', about: 'the model' }],
      run: () => ({
        type: 'dialog',
        dialog: {
          id: 'model',
          title: 'Models',
          filter: true,
          choices: [
            { value: 'a/one', label: 'One', current: true },
            { value: 'a/two', label: 'Two', disabled: 'no key' },
            { value: 'b/three', label: 'Three', detail: 'large' },
          ],
        },
      }),
      choose: (dialog, value) => {
        chosen.push(`${dialog} ${value}`);
        return { type: 'changed', text: 'model: b/three' };
      },
      typed: [
        ['> ', '/model\n'],
        ['leave: ', '2\n'],
        ['leave: ', 'large\n'],
        ['leave: ', '1\n'],
      ],
    });
    await frontEnd.run(session, never);
    expect(output()).toContain('Models\n1. One (current)\n2. Two (not now: no key)\n3. Three, large\n');
    expect(output()).toContain('Not now: no key\n');
    expect(chosen).toEqual(['model b/three']);
    expect(output()).toContain('model: b/three\n');
  });

  it('goes over to another session, and ends the one before', async () => {
    const ended: string[] = [];
    const opened = (id: string, history: AgentEvent[] = []): OpenedSession => {
      const { session } = playedSession([done]);
      return {
        session: { ...session, id, path: `/${id}`, dispose: async () => void ended.push(id) },
        history,
      };
    };
    const { frontEnd, output } = plain({
      rows: [{ name: 'new', about: 'another session' }],
      run: () => ({
        type: 'session',
        opened: opened('second', [
          { type: 'turn_start', prompt: 'old', mode: 'default', model: 'm' },
          { type: 'turn_start', prompt: 'hello', mode: 'default', model: 'm' },
        ]),
      }),
      typed: [['> ', '/new\n']],
    });
    await frontEnd.runOpening(async () => opened('first'), never);
    expect(ended).toEqual(['first', 'second']);
    expect(output()).toContain('is not shown; /export writes all of it)\n> hello\n');
    expect(output()).not.toContain('> old');
    expect(output()).toMatch(/larik --resume second\n$/);
  });
});
