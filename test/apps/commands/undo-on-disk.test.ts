import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fileCheckpointStore } from '../../../adapters/checkpoints/file-checkpoint-store.ts';
import { undoCommand, type UndoPorts } from '../../../apps/commands/undo.ts';
import { LocalFiles } from '../../../adapters/system/local-files.ts';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { guardFiles } from '../../../domain/files/guards.ts';
import { contractMeta } from '../../../plugins/testing/contracts/session-store-contract.ts';
import { fakeClock } from '../../../plugins/testing/fakes/fake-clock.ts';
import { fakeIds } from '../../../plugins/testing/fakes/fake-ids.ts';
import { memorySessions } from '../../../plugins/testing/memory-sessions.ts';
import type { SessionStore } from '../../../ports/session.ts';

const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-undo-')));
afterAll(() => rm(base, { recursive: true, force: true }));

const encode = (text: string) => new TextEncoder().encode(text);

async function setup() {
  const root = await mkdtemp(join(base, 'case-'));
  const project = join(root, 'project');
  await mkdir(project);
  const place = { cwd: project, project, home: root };
  const open = () => new Checkpoints(fileCheckpointStore(join(root, 'checkpoints')), new LocalFiles(), place);
  const checkpoints = open();
  const rules = () => ({ allow: [], ask: [], deny: [] });
  return {
    root,
    project,
    open,
    checkpoints,
    files: guardFiles(new LocalFiles(), { place, hidden: [], own: [], rules, checkpoints }),
  };
}

describe('undo on a real disk', () => {
  it('UNDO-02 gives bytes and mode back in a later process, and removes what is new', async () => {
    const { project, open, checkpoints, files } = await setup();
    const f = join(project, 'f');
    const bytes = Buffer.from([0xff, 0, 0x0d, 0x0a, 0xc3]);
    await writeFile(f, bytes);
    await chmod(f, 0o755);
    checkpoints.begin(1);
    await files.write(f, encode('changed'));
    await chmod(f, 0o600);
    await files.write(join(project, 'sub', 'new'), encode('new'));
    expect((await open().carryOut('undo', false)).turn).toBe(1);
    expect(await readFile(f)).toEqual(bytes);
    expect((await stat(f)).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o755);
    await expect(stat(join(project, 'sub', 'new'))).rejects.toThrow('ENOENT');
    expect((await open().carryOut('redo', false)).turn).toBe(1);
    expect(await readFile(f, 'utf8')).toBe('changed');
    expect(await readFile(join(project, 'sub', 'new'), 'utf8')).toBe('new');
  });

  it('UNDO-02 writes through no link that took a file’s place, forced or not', async () => {
    const { root, project, open, checkpoints, files } = await setup();
    const [f, folder, out] = [join(project, 'f'), join(project, 'd'), join(root, 'out')];
    await mkdir(folder);
    await mkdir(out);
    await writeFile(f, 'old');
    await writeFile(join(folder, 'g'), 'old');
    for (const name of ['f', 'g']) await writeFile(join(out, name), 'theirs');
    checkpoints.begin(1);
    await files.write(f, encode('new'));
    await files.write(join(folder, 'g'), encode('new'));
    await rm(f);
    await rm(folder, { recursive: true });
    await symlink(join(out, 'f'), f);
    await symlink(out, folder);
    for (const force of [false, true]) {
      const { steps } = await open().carryOut('undo', force);
      expect(steps.map(({ action }) => action)).toEqual(['skip', 'skip']);
    }
    expect(await Promise.all(['f', 'g'].map((name) => readFile(join(out, name), 'utf8')))).toEqual([
      'theirs',
      'theirs',
    ]);
    expect((await lstat(f)).isSymbolicLink()).toBe(true);
  });

  it('goes by what another process did until the session was held', async () => {
    const { root, project, checkpoints, files } = await setup();
    const [f, g] = [join(project, 'f'), join(project, 'g')];
    await writeFile(f, 'old');
    await writeFile(g, 'old');
    checkpoints.begin(1);
    await files.write(f, encode('new'));
    const sessions = memorySessions(fakeClock(), fakeIds());
    await (await sessions.create(contractMeta)).close();
    const ports = {
      sessions,
      treesOf: () => undefined,
      confirm: null,
      checkpointsOf: () => fileCheckpointStore(join(root, 'checkpoints')),
      files: new LocalFiles(),
      place: { cwd: project, project, home: root },
    };
    const run = (from: UndoPorts) =>
      undoCommand({ redo: false, dryRun: false, force: false, json: false }, from, {
        stdout: () => undefined,
        stderr: () => undefined,
      });
    const late: SessionStore = {
      create: (meta) => sessions.create(meta),
      fork: (id, as) => sessions.fork(id, as),
      read: (id) => sessions.read(id),
      list: () => sessions.list(),
      find: (prefix) => sessions.find(prefix),
      async open(id) {
        await files.write(g, encode('new'));
        return sessions.open(id);
      },
    };
    expect(await run({ ...ports, sessions: late })).toBe(0);
    expect(await readFile(f, 'utf8')).toBe('old');
    expect(await readFile(g, 'utf8')).toBe('old');
  });
});
