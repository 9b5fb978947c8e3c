import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Checkpoints } from '../../../domain/files/checkpoints.ts';
import { guardFiles } from '../../../domain/files/guards.ts';
import { expandMentions } from '../../../domain/conversation/mentions.ts';
import { fakeProcesses } from '../../../plugins/testing/index.ts';
import { memoryCheckpoints } from '../../../plugins/testing/memory-checkpoints.ts';
import type { FileSystem } from '../../../ports/filesystem.ts';
import type { ToolContext } from '../../../ports/tool.ts';
import { project } from './project.ts';

const p = project();
const key = 'canary-8d1f0c';

// A child's environment, since a process sees its own as it was at its start.
describe.runIf(process.platform === 'linux')('what running programs hold', () => {
  let files: FileSystem;
  let running: AbortController;
  let pid = '';
  beforeEach(async () => {
    const root = p().root;
    const place = { cwd: root, project: root, home: '/nowhere' };
    const checkpoints = new Checkpoints(memoryCheckpoints(), p().bench.context.files, place);
    const rules = { allow: [], ask: [], deny: [] };
    files = guardFiles(p().bench.context.files, {
      place,
      hidden: [],
      own: [],
      rules: () => rules,
      checkpoints,
    });
    running = new AbortController();
    pid = await sleeper(running.signal);
    await fs.symlink('/proc/self/environ', p().at('link'));
    await fs.symlink(`/proc/${pid}`, p().at('folder'));
    await fs.symlink('/', p().at('root'));
  });
  afterEach(() => running.abort());

  /** A program with the key in its environment. */
  async function sleeper(signal: AbortSignal): Promise<string> {
    const child = spawn('sleep', ['60'], { env: { CANARY: key, PATH: process.env['PATH'] }, signal });
    child.on('error', () => undefined); // Ended at the test's end.
    await once(child, 'spawn');
    const path = `/proc/${child.pid}/environ`;
    await expect.poll(() => fs.readFile(path, 'utf8')).toContain(key);
    return String(child.pid);
  }

  const names = (): string[] => [
    `/proc/${pid}/environ`,
    `/proc/${pid}/task/${pid}/environ`,
    `/proc/${pid}/root/proc/${pid}/environ`,
    `/proc/../proc/./${pid}//environ`,
    '/proc/self/environ',
    '/proc/thread-self/environ',
    '/proc/self/mem',
    '/proc/self/fd/0',
    '/proc/self/root/etc/hostname',
    '/proc/kcore',
    'link',
    'folder/environ',
    `root/proc/${pid}/environ`,
    'root/proc/self/environ',
    '/dev/fd/0',
  ];

  it('is shown by no name to read, and attached by none', async () => {
    const changed: Partial<ToolContext> = { files };
    for (const path of names()) {
      const { content, isError } = await p().call('read', { path }, changed);
      expect([path, isError, content.includes(key)]).toEqual([path, true, false]);
      const context = { ...p().bench.context, files };
      const { blocks } = await expandMentions(`see @${path}`, context);
      expect([path, blocks]).toEqual([path, []]);
    }
  });

  it('is told to be kept, with the way out', async () => {
    const { content } = await p().call('read', { path: 'link' }, { files });
    expect(content).toContain(
      `${p().at('link')} shows what running programs hold, keys among it, and is kept from tools; run a command that tells what you want to know`,
    );
  });

  it.each(['ripgrep', 'none'])('is found by no search, with %s', async (way) => {
    const changed = { files, ...(way === 'none' ? { processes: fakeProcesses() } : {}) };
    for (const path of [`/proc/${pid}`, `/proc/${pid}/environ`, 'folder', 'folder/environ', 'link']) {
      const found = await p().call('grep', { pattern: 'canary', path, mode: 'content' }, changed);
      expect([path, found.content.includes(key)]).toEqual([path, false]);
    }
    for (const path of [`/proc/${pid}`, 'folder']) {
      const named = await p().call('glob', { pattern: '**/environ', path }, changed);
      expect([path, named.content.includes(`${pid}/environ`)]).toEqual([path, false]);
    }
  });

  it('does not keep what the system says of itself', async () => {
    const { content } = await p().call('read', { path: '/proc/version' }, { files });
    expect(content).toContain('Linux');
  });
});
