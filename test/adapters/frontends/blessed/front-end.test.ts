import { describe, expect, it } from 'vitest';
import type { Dialog, Host, OpenedSession, Outcome } from '../../../../adapters/frontends/host.ts';
import { playedSession } from '../../../../plugins/testing/contracts/front-end-contract.ts';
import { PortError } from '../../../../ports/errors.ts';
import type { RunSettings } from '../../../../ports/settings.ts';
import { playedScreen } from './played-screen.ts';

const never = new AbortController().signal;
const settings = { mode: 'default', model: 'demo/demo', limits: { budgetUsd: null, maxSteps: 9 } };

/** A host that knows nothing, but for what a test gives it. */
function hostWith(parts: Partial<Host> = {}): Host & { remembered: string[] } {
  const remembered: string[] = [];
  return {
    remembered,
    commands: () => [],
    run: () => Promise.resolve({ type: 'nothing' }),
    choose: () => Promise.resolve({ type: 'nothing' }),
    unopened: () => Promise.resolve(null),
    preview: () => null,
    settings: () => ({ theme: 'auto', themes: [], keys: {}, mouse: false, notifications: false }),
    files: () => Promise.resolve([]),
    shell: () => Promise.reject(new Error('no shell')),
    history: () => Promise.resolve([]),
    remember: (prompt) => void remembered.push(prompt),
    edit: (text) => Promise.resolve(text),
    clipboardImage: () => Promise.resolve(null),
    copy: () => Promise.resolve(true),
    imageFile: () => Promise.resolve(null),
    statusLine: () => Promise.resolve(null),
    surroundings: () => Promise.resolve({ cwd: '/p', folder: '/p', recording: false, version: '0' }),
    ...parts,
  };
}

/** A session that does nothing, and tells when it is ended. */
function quietSession(): { opened: OpenedSession; prompts: string[]; isDisposed: () => boolean } {
  const { session, record } = playedSession([
    {
      type: 'done',
      stop_reason: 'end_turn',
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      cost_usd: 0,
    },
  ]);
  let isDisposed = false;
  session.settings = () => settings as unknown as RunSettings;
  session.dispose = async () => {
    isDisposed = true;
  };
  return { opened: { session, history: [] }, prompts: record.prompts, isDisposed: () => isDisposed };
}

const held = new PortError('session', 'held', 'session x is being written by process 7', { id: 'x' });
const asking: Dialog = {
  id: 'unopened',
  title: 'This session is in use',
  text: held.message,
  choices: [
    { value: 'copy', label: 'go on in a copy' },
    { value: 'leave', label: 'leave larik' },
  ],
  leave: 'leave',
};

describe('BlessedFrontEnd', () => {
  it('hears keys while text comes without a pause', async () => {
    const { opened } = quietSession();
    const most = 4000;
    const leaving = new AbortController();
    let taken = 0;
    const { frontEnd, type, seen } = playedScreen({ host: hostWith() });
    opened.session.prompt = async function* (_, signal) {
      for (taken = 0; taken < most && !signal.aborted; taken += 1) {
        if (taken === 10) type('hear me');
        yield {
          type: 'text_delta',
          text: `${taken} ${'word '.repeat(200)}\n\n`,
          session: 's',
          seq: taken,
          time: 0,
        };
      }
    };
    const ended = frontEnd.runOpening(() => Promise.resolve(opened), leaving.signal);
    await seen('Say what is to be done');
    type('go\r');
    await seen('hear me');
    expect(taken).toBeGreaterThan(9);
    expect(taken).toBeLessThan(most);
    // Also while it waits for a frame that does not come any more.
    leaving.abort();
    expect(await ended).toBe(0);
  });

  it('ends a session that is open only after the user has left', async () => {
    const { opened, isDisposed } = quietSession();
    let open: (opened: OpenedSession) => void = () => undefined;
    const { frontEnd, type, seen } = playedScreen({ host: hostWith() });
    const ended = frontEnd.runOpening(() => new Promise((resolve) => (open = resolve)), never);
    await seen('Say what is to be done');
    type('\u0004');
    await seen('Say what is to be done', 'gone');
    expect(isDisposed()).toBe(false);
    open(opened);
    expect(await ended).toBe(0);
    expect(isDisposed()).toBe(true);
  });

  it('asks what to do about a session that does not open, and sends then what was typed meanwhile', async () => {
    const { opened, prompts } = quietSession();
    const chosen: string[] = [];
    const host = hostWith({
      unopened: (error) => Promise.resolve(error === held ? asking : null),
      choose: async (_, value) => {
        chosen.push(value);
        return { type: 'nothing' };
      },
    });
    const { frontEnd, type, seen } = playedScreen({ host });
    let fail: (error: Error) => void = () => undefined;
    const opening = [new Promise<OpenedSession>((_, reject) => (fail = reject)), Promise.resolve(opened)];
    const ended = frontEnd.runOpening(() => opening.shift()!, never);
    type('typed meanwhile\r');
    await seen('Working');
    type('and not sent');
    await seen('and not sent');
    fail(held);
    await seen('being written by process 7');
    type('\r');
    await seen('being written', 'gone');
    await seen('and not sent');
    expect([chosen, prompts]).toEqual([['copy'], ['typed meanwhile']]);
    type('\u0003\u0003');
    await seen('press ctrl+c again');
    type('\u0003');
    expect(await ended).toBe(0);
  });

  it('keeps what was typed in the history when the user leaves a session that does not open', async () => {
    const host = hostWith({
      unopened: () => Promise.resolve(asking),
      choose: async (_, value): Promise<Outcome> => ({ type: value === 'leave' ? 'quit' : 'nothing' }),
    });
    const { frontEnd, type, seen } = playedScreen({ host });
    let fail: (error: Error) => void = () => undefined;
    const ended = frontEnd.runOpening(() => new Promise((_, reject) => (fail = reject)), never);
    type('a long thought');
    await seen('a long thought');
    fail(held);
    await seen('go on in a copy');
    type('\u001b');
    expect(await ended).toBe(0);
    expect(host.remembered).toEqual(['a long thought']);
  });

  it('ends with an error that nothing helps against, after the terminal is given back', async () => {
    const { frontEnd, type, seen } = playedScreen({ host: hostWith() });
    const why = new Error('the flags exclude each other');
    const ended = frontEnd.runOpening(async () => {
      type('x');
      await seen('x');
      throw why;
    }, never);
    await expect(ended).rejects.toBe(why);
    await seen('Say what is to be done', 'gone');
  });

  it('shows a dialog before all that it offers is known', async () => {
    let complete: (outcome: Outcome) => void = () => undefined;
    const choices = [{ value: 'key', label: 'enter a key' }];
    const first: Dialog = {
      id: 'connect',
      title: 'Connect',
      text: 'Looking around',
      choices,
      meanwhile: 'look',
    };
    const chosen: string[] = [];
    const host = hostWith({
      run: () => Promise.resolve({ type: 'dialog', dialog: first }),
      choose(_, value) {
        chosen.push(value);
        if (value === 'look') return new Promise((resolve) => (complete = resolve));
        return Promise.resolve({ type: 'nothing' });
      },
    });
    const { frontEnd, type, seen } = playedScreen({ host, firstStart: true });
    const { opened } = quietSession();
    const ended = frontEnd.runOpening(() => Promise.resolve(opened), never);
    await seen('Looking around');
    const { meanwhile: _, ...whole } = first;
    const found = [{ value: 'use', label: 'ollama' }, ...choices];
    complete({ type: 'dialog', dialog: { ...whole, text: 'Where from?', choices: found } });
    await seen('ollama');
    type('\r');
    await seen('Where from?', 'gone');
    expect(chosen).toEqual(['look', 'use']);
    type('\u0004');
    expect(await ended).toBe(0);
  });

  it('shows that a dialog’s answer is worked on, answers it once, and lets it be answered anew', async () => {
    const late = quietSession();
    const signals: AbortSignal[] = [];
    let come: (outcome: Outcome) => void = () => undefined;
    const dialog: Dialog = { id: 'd', title: 'Which?', choices: [{ value: 'one', label: 'the one' }] };
    const host = hostWith({
      commands: () => [{ name: 'ask', about: 'asks' }],
      run: () => Promise.resolve({ type: 'dialog', dialog }),
      choose: (_dialog, _value, _session, signal) => {
        signals.push(signal);
        return new Promise((resolve) => (come = resolve));
      },
    });
    const { frontEnd, type, seen, pass } = playedScreen({ host });
    const first = quietSession();
    const ended = frontEnd.runOpening(() => Promise.resolve(first.opened), never);
    await seen('Say what is to be done');
    type('/ask ');
    await seen('/ask');
    type('\r');
    await seen('the one');
    type('\r\r');
    pass(3000);
    await seen(/3 ?s/);
    expect(signals).toHaveLength(1);
    type('\u001b');
    await seen(/3 ?s/, 'gone');
    expect(signals[0]?.aborted).toBe(true);
    await seen('the one');
    // A session that nobody wants any more is ended.
    come({ type: 'session', opened: late.opened });
    type('\u001b');
    await seen('the one', 'gone');
    expect([late.isDisposed(), first.isDisposed()]).toEqual([true, false]);
    type('\u0004');
    expect(await ended).toBe(0);
    expect(first.isDisposed()).toBe(true);
  });
});
