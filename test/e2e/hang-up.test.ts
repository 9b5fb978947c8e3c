import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { programPath } from '../installed.ts';
import { program, sandbox, type Sandbox } from './larik.ts';

const tmux = programPath('tmux');

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'a\n' });
});
afterEach(() => box.dispose());

function text(name: string): string | null {
  const path = join(box.home, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

describe.skipIf(tmux === null)('a terminal that is closed', () => {
  it('ends the turn in order and what runs with it, and is no crash', { timeout: 30_000 }, async () => {
    const call = { name: 'bash', input: { command: `echo $$ > ${box.home}/started; sleep 60` } };
    await writeFile(join(box.home, 'turn.json'), JSON.stringify([{ calls: [call] }, { text: 'Done.' }]));
    const larik = `'${process.execPath}' '${program}' -p --mode yolo --model 'script/${box.home}/turn.json' go`;
    // The shell outlives its terminal, passes the signal on, and tells how larik ended.
    const shell = `${larik} & trap "kill -HUP $!" HUP; wait $!; wait $!; echo $? > '${box.home}/code'\n`;
    await writeFile(join(box.home, 'shell.sh'), shell);
    const folder = await mkdtemp('/tmp/larik-tmux-');
    const on = ['-S', join(folder, 'socket'), '-f', '/dev/null'];
    const env = { PATH: process.env['PATH'] ?? '', HOME: box.home, LARIK_HOME: join(box.home, 'larik') };
    try {
      execFileSync('tmux', [...on, 'new-session', '-d', 'sh', join(box.home, 'shell.sh')], {
        env,
        cwd: box.project,
      });
      const wait = { timeout: 20_000, interval: 50 };
      await vi.waitFor(() => expect(text('started')).toMatch(/\n/), wait);
      execFileSync('tmux', [...on, 'kill-server'], { env });
      await vi.waitFor(() => expect(text('code')).toBe('129\n'), wait);
      expect(existsSync(`/proc/${text('started')?.trim()}`)).toBe(false);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    const { out } = await box.run(['sessions', 'list', '--json']);
    const { path } = (JSON.parse(out) as { path: string }[])[0]!;
    const last = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ type: 'turn', phase: 'end', stop_reason: 'interrupted' });
  });
});
