import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../adapters/settings/layering.ts';
import { folderInstructions } from '../../../apps/folder/instructions.ts';
import { Secrets } from '../../../domain/text/secrets/secrets.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'larik-instructions-')));
});
afterEach(() => rm(root, { recursive: true }));

/** The instructions that are a link to this file of the project. */
async function linkedTo(target: string): Promise<string[]> {
  await mkdir(join(root, 'keys'), { recursive: true });
  for (const name of ['.env', 'keys/a', 'README.md']) await writeFile(join(root, name), name);
  await rm(join(root, 'AGENTS.md'), { force: true });
  await symlink(target, join(root, 'AGENTS.md'));
  const settings = defaultSettings();
  const content = folderInstructions({
    cwd: root,
    project: root,
    projectId: 'p',
    gitRoot: null,
    home: '/home/me',
    places: { config: '/none', data: '/none', cache: '/none' },
    settings: {
      ...settings,
      rules: { allow: [], ask: [], deny: [{ text: 'read(.env)' }] },
      sandbox: { ...settings.sandbox, denyRead: ['keys'] },
    },
    secrets: new Secrets(),
    unapproved: [],
  });
  return (await content.instructions()).files.map(({ text }) => text);
}

describe('the instructions of a folder', () => {
  it('are no file that the user keeps from being read, whatever a project links', async () => {
    expect([await linkedTo('.env'), await linkedTo('keys/a'), await linkedTo('README.md')]).toEqual([
      [],
      [],
      ['README.md'],
    ]);
  });
});
