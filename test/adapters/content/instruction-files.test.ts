import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { instructionFiles } from '../../../adapters/content/instruction-files.ts';

const base = await realpath(await mkdtemp(join(tmpdir(), 'larik-content-')));
afterAll(() => rm(base, { recursive: true, force: true }));

/** A folder with a `config` and a `project` with these files. */
async function setup(files: Record<string, string>, cwd = 'project') {
  const root = await mkdtemp(join(base, 'case-'));
  await mkdir(join(root, cwd), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const places = {
    config: join(root, 'config'),
    project: join(root, 'project'),
    cwd: join(root, cwd),
    mayLeadTo: (target: string) => Promise.resolve(!target.endsWith('.env')),
  };
  const read = async () => {
    const { files, problems } = await instructionFiles(places).instructions();
    const short = (text: string): string => text.replaceAll(`${root}/`, '').replaceAll('\\', '/');
    return { files: files.map(({ path, text }) => [short(path), text]), problems: problems.map(short) };
  };
  return { root, read };
}

describe('instruction files', () => {
  it('are none where there are none', async () => {
    const { read } = await setup({});
    expect(await read()).toEqual({ files: [], problems: [] });
  });

  it('come from the user, then from the root down to cwd, general first', async () => {
    const { read } = await setup(
      {
        'config/AGENTS.md': 'mine',
        'AGENTS.md': 'above the project',
        'project/AGENTS.md': 'root',
        'project/CLAUDE.md': 'not this',
        'project/a/CLAUDE.md': 'a',
        'project/a/b/AGENTS.md': 'b',
        'project/a/b/c/AGENTS.md': 'below',
        'project/other/AGENTS.md': 'beside',
        'project/a/empty.md': '',
      },
      'project/a/b',
    );
    expect(await read()).toEqual({
      files: [
        ['config/AGENTS.md', 'mine'],
        ['project/AGENTS.md', 'root'],
        ['project/a/CLAUDE.md', 'a'],
        ['project/a/b/AGENTS.md', 'b'],
      ],
      problems: [],
    });
  });

  it('CONF-04 lose their byte order mark and carriage returns, and nothing else', async () => {
    const { read } = await setup({ 'project/AGENTS.md': '\ufeff---\r\na: b  \r\n---\r\n text  \r\n\r\n' });
    expect(await read()).toEqual({
      files: [['project/AGENTS.md', '---\na: b  \n---\n text  \n\n']],
      problems: [],
    });
  });

  it('that cannot be read, or lead out of the project, are named and left out', async () => {
    const { root, read } = await setup(
      { secret: 'key', 'project/docs/A.md': 'in', 'project/CLAUDE.md': 'c' },
      'project/sub/deep',
    );
    await mkdir(join(root, 'project', 'AGENTS.md'));
    await symlink(join(root, 'secret'), join(root, 'project', 'sub', 'AGENTS.md'));
    await symlink(join(root, 'project', 'docs', 'A.md'), join(root, 'project', 'sub', 'deep', 'AGENTS.md'));
    expect(await read()).toEqual({
      files: [['project/sub/deep/AGENTS.md', 'in']],
      problems: [
        'project/AGENTS.md is not a file; it is left out',
        'project/sub/AGENTS.md is a link that leads out of the project; it is left out',
      ],
    });
  });

  it('that are links to what they may not lead to are named and left out', async () => {
    const { root, read } = await setup({ 'project/.env': 'KEY=1', 'project/docs/A.md': 'a' });
    await symlink('.env', join(root, 'project', 'AGENTS.md'));
    expect(await read()).toEqual({
      files: [],
      problems: [
        'project/AGENTS.md is a link to a file that your settings keep from being read; it is left out',
      ],
    });
    await rm(join(root, 'project', 'AGENTS.md'));
    await symlink('docs/A.md', join(root, 'project', 'AGENTS.md'));
    expect(await read()).toEqual({ files: [['project/AGENTS.md', 'a']], problems: [] });
  });

  it('that are far too long are left out', async () => {
    const { read } = await setup({ 'project/AGENTS.md': 'x'.repeat(300_000) });
    expect(await read()).toEqual({
      files: [],
      problems: ['project/AGENTS.md is larger than 262144 bytes; it is left out'],
    });
  });
});
