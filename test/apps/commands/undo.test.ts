import { describe, expect, it } from 'vitest';
import { undoCommand, type UndoArguments } from '../../../apps/commands/undo.ts';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { memoryCheckpoints } from '../../../plugins/testing/memory-checkpoints.ts';
import { memoryFiles } from '../../../plugins/testing/memory-files.ts';
import { memorySessions } from '../../../plugins/testing/memory-sessions.ts';
import { contractMeta } from '../../../plugins/testing/contracts/session-store-contract.ts';

const place = { cwd: '/p', project: '/p', home: '/home/me' };

/** A project in which a session's only turn has changed `/p/f`. */
async function setup() {
  const files = memoryFiles({ '/p/f': 'old' });
  const store = memoryCheckpoints();
  const sessions = memorySessions(fakeClock(), fakeIds());
  const log = await sessions.create(contractMeta);
  const checkpoints = new Checkpoints(store, files, place);
  checkpoints.begin(1);
  await checkpoints.capture('/p/f');
  await checkpoints.wrote('/p/f', await files.write('/p/f', new TextEncoder().encode('new')));
  await checkpoints.beforeCommand('make', []);
  const one = { only: null as string | null, others: memoryCheckpoints() };
  const checkpointsOf = (id: string) => (one.only === null || one.only === id ? store : one.others);
  const answers: boolean[] = [];
  const confirm = async (): Promise<boolean> => answers.shift() === true;
  const at: { terminal: boolean } = { terminal: false };
  const ports = () => ({
    sessions,
    checkpointsOf,
    treesOf: () => undefined,
    confirm: at.terminal ? confirm : null,
    files,
    place,
  });
  const run = async (given: Partial<UndoArguments> = {}) => {
    const seen = { out: '', err: '' };
    const args = { redo: false, dryRun: false, force: false, json: false, ...given };
    const code = await undoCommand(args, ports(), {
      stdout: (text) => (seen.out += text),
      stderr: (text) => (seen.err += text),
    });
    return { code, ...seen };
  };
  return { files, store: one, sessions, log, run, at, answers };
}

const plan = `undo turn 1:
  restore  /p/f: goes back to its earlier content (3 bytes)
  what this command changed is not covered: make
`;

describe('larik undo', () => {
  it('finds the latest change, though a newer session has none', async () => {
    const { files, store, log, sessions, run } = await setup();
    await log.close();
    const newer = await sessions.create(contractMeta);
    await newer.close();
    store.only = log.id;
    expect(await run()).toEqual({
      code: 0,
      out: plan,
      err: `larik undo: in session ${log.id}, the latest that has one\n`,
    });
    expect(files.text('/p/f')).toBe('old');
  });

  it('takes nothing older back while it is open what a newer session’s commands changed', async () => {
    const { files, store, log, sessions, run } = await setup();
    await log.close();
    await (await sessions.create(contractMeta)).close();
    store.only = log.id;
    await store.others.setTree(1, { name: 'turn-1', older: 0, compared: null });
    expect(await run()).toEqual({
      code: 0,
      out: 'nothing to undo\n  what its commands changed is not known yet: the undo itself finds out\n',
      err: '',
    });
    expect(files.text('/p/f')).toBe('new');
    expect((await run({ force: true })).code).toBe(0);
    expect(files.text('/p/f')).toBe('old');
  });

  it('prints the plan only, when dry', async () => {
    const { files, log, run } = await setup();
    await log.close();
    expect(await run({ dryRun: true })).toEqual({ code: 0, out: plan, err: '' });
    expect(files.text('/p/f')).toBe('new');
    expect(JSON.parse((await run({ dryRun: true, json: true })).out)).toMatchObject({ turn: 1 });
  });

  it('restores, records it in the session, and redo takes it back', async () => {
    const { files, log, sessions, run } = await setup();
    await log.close();
    expect(await run({ id: log.id.slice(0, 16) })).toEqual({ code: 0, out: plan, err: '' });
    expect(files.text('/p/f')).toBe('old');
    expect((await run()).out).toBe('nothing to undo\n');
    expect((await run({ redo: true })).out).toBe(plan.replace('undo', 'redo'));
    expect(files.text('/p/f')).toBe('new');
    expect((await run({ redo: true })).out).toBe('nothing to redo\n');
    expect(sessions.entriesOf(log.id).slice(1)).toEqual([
      { type: 'undo', turn: 1, paths: ['/p/f'] },
      { type: 'undo', turn: 1, redo: true, paths: ['/p/f'] },
    ]);
  });

  it('UNDO-08 does nothing when a file was changed since, and names --force', async () => {
    const { files, log, sessions, run } = await setup();
    await log.close();
    files.put('/p/f', 'by hand');
    const { code, out, err } = await run();
    expect([code, err]).toEqual([
      1,
      'larik undo: nothing was done, since files were changed after that turn; --force restores them as well\n',
    ]);
    expect(out).toContain('/p/f: goes back to its earlier content (3 bytes); but it was changed since');
    expect(files.text('/p/f')).toBe('by hand');
    expect(sessions.entriesOf(log.id).length).toBe(1);
    expect((await run({ force: true })).code).toBe(0);
    expect(files.text('/p/f')).toBe('old');
  });

  it('UNDO-08 asks at a terminal, and a no leaves the file', async () => {
    const { files, log, run, at, answers } = await setup();
    await log.close();
    files.put('/p/f', 'by hand');
    at.terminal = true;
    answers.push(false, true);
    expect(await run()).toMatchObject({ code: 1, err: 'larik undo: nothing was done\n' });
    expect(files.text('/p/f')).toBe('by hand');
    expect((await run()).code).toBe(0);
    expect(files.text('/p/f')).toBe('old');
  });

  it('UNDO-01 says that there is nothing to undo', async () => {
    const { log, run, sessions } = await setup();
    await log.close();
    await run();
    const before = sessions.entriesOf(log.id);
    expect(await run()).toEqual({ code: 0, out: 'nothing to undo\n', err: '' });
    expect(sessions.entriesOf(log.id)).toEqual(before);
  });

  it('does not write into a session that another process holds', async () => {
    const { files, log, run } = await setup();
    expect(await run()).toEqual({
      code: 1,
      out: '',
      err: `larik undo: session ${log.id} is held by another writer; wait until it has ended, then try again\n`,
    });
    expect(files.text('/p/f')).toBe('new');
  });

  it('says so when there is no session', async () => {
    const { log, run } = await setup();
    await log.close();
    expect((await run({ id: '1999' })).code).toBe(1);
  });
});
