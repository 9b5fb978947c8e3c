import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { programPath } from '../../installed.ts';
import type { Scenario, Stage } from './scenario.ts';

const onlyLinux = process.platform !== 'linux' && 'needs Linux';

/** A folder of programs in which there is no bubblewrap. */
async function withoutBubblewrap({ box }: Stage): Promise<{ env: Record<string, string> }> {
  const folder = join(box.home, 'bin');
  await mkdir(folder);
  for (const program of ['bash', 'git', 'rg']) {
    const path = programPath(program);
    if (path !== null) await symlink(path, join(folder, program));
  }
  return { env: { PATH: folder } };
}

const command = [{ calls: [{ name: 'bash', input: { command: 'echo hello' } }] }, { text: 'done' }];

/** One command of a model where bubblewrap is not installed. */
const missing = (name: string, type: string): Scenario => ({
  name: `sandbox: ${name}`,
  args: (stage) => ['-p', 'x', '--mode', 'yolo', '--model', `script/${stage.box.home}/model.json`],
  skip: onlyLinux,
  prepare: async (stage) => {
    await stage.settings(JSON.stringify({ sandbox: { type } }));
    await stage.script(command);
    return withoutBubblewrap(stage);
  },
});

const settings = (name: string, personal: object, shared?: object): Scenario => ({
  name: `sandbox: ${name}`,
  args: ['config', 'get', 'mode'],
  prepare: async (stage) => {
    await stage.settings(JSON.stringify({ sandbox: personal }));
    if (shared !== undefined) await stage.shared(JSON.stringify({ sandbox: shared }));
  },
});

/** Sandboxes that are not there, and settings of them that do not hold. */
export const sandboxes: Scenario[] = [
  missing('taken where there is one, and there is none', 'auto'),
  missing('insisted on, and there is none', 'bubblewrap'),
  settings('an unknown type', { type: 'frob' }),
  settings('domains', { allowed_domains: ['example.com'] }),
  settings(
    'a shared file that loosens it',
    { type: 'auto' },
    { type: 'none', network: true, writable: ['/'], env: ['X'] },
  ),
];
