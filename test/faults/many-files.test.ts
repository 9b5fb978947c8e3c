import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalProcesses } from '../../adapters/system/local-processes.ts';
import { fakeProcesses } from '../../plugins/testing/fakes/fake-processes.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { Project } from '../adapters/tools/project.ts';
import { sandbox } from '../e2e/larik.ts';
import { fillFolder, manyFiles, scripted } from './faults.ts';

/** Milliseconds for everything that walks the tree once, on a busy machine. */
const timeout = 30_000 + manyFiles * 4;

describe(`a project of ${manyFiles} files`, () => {
  let root = '';
  let project: Project;
  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'larik-many-')));
    fillFolder(root);
    project = new Project(root, new LocalProcesses({ outputFolder: join(root, '..', 'none') }));
  }, timeout);
  afterAll(async () => {
    await project.processes.dispose();
    await rm(root, { recursive: true, force: true });
  }, timeout);

  const ways: [string, () => Partial<ToolContext>][] = [
    ['ripgrep', () => ({})],
    ['no ripgrep', () => ({ processes: fakeProcesses() })],
  ];
  const needles = Math.floor(manyFiles / 1000);

  it('is listed by glob, the newest first, with what is left out', { timeout }, async () => {
    const { content } = await project.call('glob', { pattern: '**/*.txt' });
    const lines = content.split('\n');
    expect(lines).toHaveLength(201);
    expect(lines.at(-1)).toBe(
      `[the newest 200 of ${manyFiles}; a narrower \`pattern\` or \`path\` shows the others]`,
    );
  });

  it.each(ways)('is searched whole with %s', { timeout }, async (_, changed) => {
    const input = { pattern: 'needle', mode: 'files_with_matches', head_limit: 1000 };
    const { content } = await project.call('grep', input, changed());
    expect(content.split('\n')).toHaveLength(needles);
  });

  it.each(ways)('is no longer searched once interrupted, with %s', { timeout }, async (_, changed) => {
    const begun = performance.now();
    const signal = AbortSignal.timeout(20);
    const search = (name: string, pattern: string) =>
      project.call(name, { pattern }, { ...changed(), signal });
    for (const [name, pattern] of [
      ['grep', 'nothing'],
      ['glob', '**/nothing'],
    ] as const)
      await expect(search(name, pattern)).rejects.toThrow(/aborted/);
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('does not keep a prompt waiting, nor a tool that reads one file', { timeout }, async () => {
    const box = await sandbox({}, false);
    try {
      const args = await scripted(box, [
        { calls: [{ name: 'read', input: { path: 'folder-0/file-999.txt' } }] },
        { text: 'done', expect: 'needle' },
      ]);
      expect(await box.run([...args, '--mode', 'yolo'], { cwd: root })).toMatchObject({
        code: 0,
        out: 'done\n',
      });
    } finally {
      await box.dispose();
    }
  });
});
