import { describe, expect, it } from 'vitest';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { guardFiles, noteCommands } from '../../../domain/files/guards.ts';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { fakeProcesses } from '../../../plugins/testing/fakes/fake-processes.ts';
import { memoryCheckpoints } from '../../../plugins/testing/memory-checkpoints.ts';
import { memoryFiles } from '../../../plugins/testing/memory-files.ts';
import { PortError } from '../../../ports/errors.ts';

const place = { cwd: '/p', project: '/p', home: '/home/me' };
const encode = (text: string) => new TextEncoder().encode(text);
const noRules = { allow: [], ask: [], deny: [] };
const nothing = { turn: null, steps: [], notes: [] };

/** A project with its files, and what one session of larik does to it. */
function project(content: Record<string, string>) {
  const files = memoryFiles(content).folder('/p');
  const store = memoryCheckpoints();
  const checkpoints = new Checkpoints(store, files, place);
  const guarded = guardFiles(files, { place, hidden: [], own: [], rules: () => noRules, checkpoints });
  const write = (path: string, text: string, mode?: number) =>
    guarded.write(path, encode(text), mode === undefined ? {} : { mode });
  return { files, store, checkpoints, guarded, write };
}

const step = (path: string, action: string, note: string, conflict = false) => ({
  path,
  action,
  conflict,
  note,
});

describe('undo', () => {
  it('UNDO-01 has nothing to undo after a turn without changes', async () => {
    const { files, checkpoints } = project({ '/p/a': 'edited\n', '/p/u': 'untracked\n' });
    const before = files.snapshot();
    checkpoints.begin(1);
    expect(await checkpoints.plan('undo')).toEqual(nothing);
    expect(await checkpoints.carryOut('undo', false)).toEqual(nothing);
    expect(await checkpoints.carryOut('undo', true)).toEqual(nothing);
    expect(files.snapshot()).toEqual(before);
  });

  it('UNDO-02 gives a file its former bytes and mode back', async () => {
    const { files, checkpoints, write } = project({});
    files.put('/p/f', 'one\ntwo\n', 0o755);
    checkpoints.begin(1);
    await write('/p/f', 'ONE\ntwo\n', 0o644);
    const steps = [step('/p/f', 'restore', 'goes back to its earlier content (8 bytes)')];
    expect(await checkpoints.plan('undo')).toEqual({ turn: 1, steps, notes: [] });
    expect(files.text('/p/f')).toBe('ONE\ntwo\n');
    expect(await checkpoints.carryOut('undo', false)).toEqual({ turn: 1, steps, notes: [] });
    expect([files.text('/p/f'), (await files.stat('/p/f'))?.mode]).toEqual(['one\ntwo\n', 0o755]);
    expect(await checkpoints.plan('undo')).toEqual(nothing);
  });

  it('UNDO-06 covers file tools without git, and lists what commands may have changed', async () => {
    const { files, checkpoints, write } = project({ '/p/f': 'old' });
    const processes = noteCommands(fakeProcesses(), {
      checkpoints,
      files,
      parser: unbashParser,
      tell: () => undefined,
    });
    checkpoints.begin(1);
    await write('/p/f', 'new');
    await processes.run(
      { command: { shell: 'make gen' }, cwd: '/p', keepBytes: 1000 },
      new AbortController().signal,
    );
    await processes.run(
      { command: { program: 'rg', args: ['x'] }, cwd: '/p', keepBytes: 1000 },
      new AbortController().signal,
    );
    expect(await checkpoints.carryOut('undo', false)).toEqual({
      turn: 1,
      steps: [step('/p/f', 'restore', 'goes back to its earlier content (3 bytes)')],
      notes: ['what this command changed is not covered: make gen'],
    });
    expect(files.text('/p/f')).toBe('old');
  });

  it('saves the files that a command is said to change, and refuses to run it if it cannot', async () => {
    const { files, store, checkpoints } = project({ '/p/big': 'old', '/far': 'far' });
    const told: string[] = [];
    const tell = (text: string) => void told.push(text);
    const processes = noteCommands(
      fakeProcesses(() => {
        files.put('/p/big', 'new');
        return {};
      }),
      { checkpoints, files, parser: unbashParser, tell },
    );
    checkpoints.begin(1);
    const spec = {
      command: { shell: 'make' },
      cwd: '/p',
      keepBytes: 100,
      checkpointPaths: ['big', '../far'],
    };
    const { signal } = new AbortController();
    await processes.run(spec, signal);
    expect(await checkpoints.carryOut('undo', false)).toEqual({
      turn: 1,
      steps: [step('/p/big', 'restore', 'goes back to its earlier content (3 bytes)')],
      notes: [
        'what this command changed is not covered: make',
        'not covered: /far lies outside the project /p',
      ],
    });
    expect([files.snapshot(), told]).toEqual([{ '/far': 'far', '/p/big': 'old' }, []]);
    checkpoints.begin(2);
    store.failing.add('/p/big');
    await expect(processes.run(spec, signal)).rejects.toThrow(
      'Nothing was run, since it could not be undone',
    );
    expect(files.text('/p/big')).toBe('old');
  });

  it('notes nothing of commands that can change nothing', async () => {
    const { files, store, checkpoints } = project({});
    const guard = { checkpoints, files, parser: unbashParser, tell: () => undefined };
    const processes = noteCommands(fakeProcesses(), guard);
    checkpoints.begin(1);
    const run = (shell: string) =>
      processes.run({ command: { shell }, cwd: '/p', keepBytes: 100 }, new AbortController().signal);
    await run('git status');
    expect(await store.turns()).toEqual([]);
    await run('echo a > f');
    expect((await store.turns())[0]?.commands).toEqual(['echo a > f']);
  });

  it('UNDO-08 names a file that the user changed since, and leaves it unless forced', async () => {
    const { files, checkpoints, write } = project({ '/p/f': 'old', '/p/g': 'old g' });
    checkpoints.begin(1);
    await write('/p/f', 'new');
    await write('/p/g', 'new g');
    files.put('/p/f', 'by hand');
    const g = step('/p/g', 'restore', 'goes back to its earlier content (5 bytes)');
    const note = 'goes back to its earlier content (3 bytes); but it was changed since';
    expect((await checkpoints.plan('undo')).steps).toEqual([g, step('/p/f', 'restore', note, true)]);
    expect((await checkpoints.carryOut('undo', false)).steps).toEqual([g, step('/p/f', 'skip', note, true)]);
    expect(files.snapshot()).toEqual({ '/p/f': 'by hand', '/p/g': 'old g' });
  });

  it('UNDO-08 does nothing, and forgets nothing, when all is in conflict', async () => {
    const { files, checkpoints, write } = project({ '/p/f': 'old' });
    checkpoints.begin(1);
    await write('/p/f', 'new');
    files.put('/p/f', 'by hand');
    expect((await checkpoints.carryOut('undo', false)).turn).toBe(null);
    expect(files.text('/p/f')).toBe('by hand');
    expect((await checkpoints.carryOut('undo', true)).turn).toBe(1);
    expect(files.text('/p/f')).toBe('old');
    expect((await checkpoints.carryOut('redo', false)).turn).toBe(1);
    expect(files.text('/p/f')).toBe('by hand');
  });

  it('removes files that did not exist, and brings removed ones back', async () => {
    const { files, checkpoints, guarded, write } = project({ '/p/gone': 'was here' });
    checkpoints.begin(1);
    await write('/p/sub/new', 'x');
    await guarded.remove('/p/gone');
    expect((await checkpoints.carryOut('undo', false)).steps).toEqual([
      step('/p/gone', 'restore', 'comes back (8 bytes)'),
      step('/p/sub/new', 'remove', 'removed: it did not exist'),
    ]);
    expect(files.snapshot()).toEqual({ '/p/gone': 'was here' });
    expect((await checkpoints.carryOut('redo', false)).turn).toBe(1);
    expect(files.snapshot()).toEqual({ '/p/sub/new': 'x' });
  });

  it('goes back to right before the turn, not further, however often the turn wrote', async () => {
    const { files, checkpoints, write } = project({ '/p/f': 'v1' });
    checkpoints.begin(1);
    await write('/p/f', 'v1 of larik');
    files.put('/p/f', 'v2 of the user');
    checkpoints.begin(2);
    await write('/p/f', 'v3');
    await write('/p/f', 'v4');
    await checkpoints.carryOut('undo', false);
    expect(files.text('/p/f')).toBe('v2 of the user');
  });

  it('goes to the turn before with a second undo, past turns that changed nothing', async () => {
    const { files, checkpoints, write } = project({ '/p/f': '1' });
    checkpoints.begin(1);
    await write('/p/f', '2');
    checkpoints.begin(2);
    await checkpoints.beforeCommand('make', []);
    checkpoints.begin(3);
    await write('/p/g', 'new');
    checkpoints.begin(4);
    const first = await checkpoints.carryOut('undo', false);
    const second = await checkpoints.carryOut('undo', false);
    expect([first.turn, second.turn, second.notes]).toEqual([
      3,
      1,
      ['what this command changed is not covered: make'],
    ]);
    expect(files.snapshot()).toEqual({ '/p/f': '1' });
    expect([
      (await checkpoints.carryOut('redo', false)).turn,
      (await checkpoints.carryOut('redo', false)).turn,
    ]).toEqual([1, 3]);
    expect(files.snapshot()).toEqual({ '/p/f': '2', '/p/g': 'new' });
    expect(await checkpoints.plan('redo')).toEqual(nothing);
  });

  it('has nothing to redo once a later turn changed files', async () => {
    const { files, checkpoints, write } = project({ '/p/f': '1' });
    checkpoints.begin(1);
    await write('/p/f', '2');
    await checkpoints.carryOut('undo', false);
    checkpoints.begin(2);
    await write('/p/f', '3');
    expect(await checkpoints.plan('redo')).toEqual(nothing);
    await checkpoints.carryOut('undo', false);
    expect((await checkpoints.carryOut('redo', false)).turn).toBe(2);
    expect(files.text('/p/f')).toBe('3');
  });

  it('touches nothing through links or outside the project', async () => {
    const { files, checkpoints, write, store } = project({
      '/p/f': 'old',
      '/p/d/g': 'old',
      '/out/f': 'theirs',
    });
    checkpoints.begin(1);
    await write('/p/f', 'new');
    await write('/p/d/g', 'new');
    await store.save(1, '/out/f', { bytes: encode('other'), hash: 'x', mode: 0o644 });
    await files.remove('/p/f');
    await files.remove('/p/d/g');
    files.link('/p/f', '/out/f');
    const plan = await checkpoints.carryOut('undo', true);
    expect(plan.steps.map(({ path, action }) => [path, action])).toEqual([
      ['/out/f', 'skip'],
      ['/p/d/g', 'restore'],
      ['/p/f', 'skip'],
    ]);
    expect(files.text('/out/f')).toBe('theirs');
  });

  it('knows the state of a file after a kill between capture and write', async () => {
    const { files, checkpoints } = project({ '/p/f': 'old' });
    checkpoints.begin(1);
    await checkpoints.capture('/p/f');
    expect(await checkpoints.plan('undo')).toEqual(nothing);
    files.put('/p/f', 'larik wrote this, or somebody else');
    expect((await checkpoints.plan('undo')).steps.map((one) => one.conflict)).toEqual([true]);
  });

  it('restores the others where one fails, and goes on with that later', async () => {
    const { files, checkpoints, write, store } = project({ '/p/a': '1', '/p/b': '1' });
    checkpoints.begin(1);
    await write('/p/a', '2');
    await write('/p/b', '2');
    const load = store.load.bind(store);
    store.load = async (turn, path, which) => {
      if (path === '/p/b') throw new Error('disk trouble');
      return load(turn, path, which);
    };
    await expect(checkpoints.carryOut('undo', false)).rejects.toMatchObject({
      port: 'checkpoint',
      kind: 'restore',
    });
    expect(files.snapshot()).toEqual({ '/p/a': '1', '/p/b': '2' });
    store.load = load;
    expect((await checkpoints.carryOut('undo', false)).turn).toBe(1);
    expect(files.snapshot()).toEqual({ '/p/a': '1', '/p/b': '1' });
    await checkpoints.carryOut('redo', false);
    expect(files.snapshot()).toEqual({ '/p/a': '2', '/p/b': '2' });
  });

  it('leaves a file that cannot be read, and brings the others back', async () => {
    const { files, checkpoints, write } = project({ '/p/a': '1', '/p/b': '1' });
    checkpoints.begin(1);
    await write('/p/a', '2');
    await write('/p/b', '2');
    const read = files.read.bind(files);
    files.read = async (path, range) => {
      if (path === '/p/b') throw new PortError('file', 'io', 'you may not read it', { path });
      return range === undefined ? read(path) : read(path, range);
    };
    expect((await checkpoints.carryOut('undo', false)).steps).toEqual([
      step('/p/b', 'skip', 'left alone: you may not read it'),
      step('/p/a', 'restore', 'goes back to its earlier content (1 bytes)'),
    ]);
    expect(files.snapshot()).toEqual({ '/p/a': '1', '/p/b': '2' });
  });

  it('is the same for another process with the same store', async () => {
    const { files, checkpoints, store, write } = project({ '/p/f': 'old' });
    checkpoints.begin(1);
    await write('/p/f', 'new');
    expect((await new Checkpoints(store, files, place).carryOut('undo', false)).turn).toBe(1);
    expect(files.text('/p/f')).toBe('old');
  });
});
