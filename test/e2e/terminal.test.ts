import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled } from '../installed.ts';
import { program, sandbox, type Sandbox } from './larik.ts';

const osc = '\u001b]52;c;ZXZpbA==\u0007';
/** What writes to the clipboard, clears, links, sets titles, asks, deletes and turns text round. */
const hostile = `a${osc}b\u001b[2J\u001b]8;;http://evil\u001b\\c\u001b]0;t\u0007d\u009b31m\u009d0;x\u009ce\u001b[6nf\u007f\b\u202eg\u000eh\u001b[`;
/** The same as far as a name goes: a part of a path has no slash, and not too many bytes. */
const name = `n${osc}\u001b[2J\u009b31m\u007f\b\u202e\r\nx`;

let box: Sandbox;
let folder: string;

/** Runs larik on terminals, one run after the other, and answers with what was written to each. */
async function onTerminals(lines: readonly (readonly string[])[]): Promise<string[]> {
  const script = fileURLToPath(new URL('terminals.py', import.meta.url));
  const child = spawn('python3', [script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const env = {
    PATH: process.env['PATH'],
    HOME: box.home,
    LARIK_HOME: join(box.home, 'larik'),
    LANG: 'C.UTF-8',
  };
  const runs = lines.map((line) => [process.execPath, program, ...line]);
  child.stdin.end(JSON.stringify({ cwd: folder, env: { ...env, TERM: 'xterm-256color' }, runs }));
  const pieces: Buffer[] = [];
  for await (const piece of child.stdout) pieces.push(piece as Buffer);
  const printed = JSON.parse(Buffer.concat(pieces).toString()) as string[];
  return printed.map((text) => Buffer.from(text, 'base64').toString());
}

/** What is left of the controls when what larik itself needs is taken out: wiping a line, and line ends. */
function controls(text: string): string[] {
  const others = text.replaceAll('\r\u001b[2K', '').replaceAll('\r\n', '\n');
  return others.match(/[^\P{Cc}\t\n]/gu) ?? [];
}

beforeAll(async () => {
  const settings = {
    sandbox: { type: 'none' },
    roles: { [name]: hostile },
    permissions: { allow: [`bash(${hostile}*)`], deny: [`read(${name}*)`] },
    providers: { [name]: { type: 'openai-compatible', base_url: 'http://127.0.0.1:9', preset: 'vllm' } },
    [name]: hostile,
  };
  box = await sandbox({ 'AGENTS.md': hostile }, true, settings);
  folder = join(box.project, name);
  await mkdir(folder);
  await writeFile(join(folder, `f${name}`), hostile);
  await writeFile(join(folder, 'AGENTS.md'), hostile);
  await mkdir(join(box.project, '.larik'));
  await writeFile(join(box.project, '.larik', 'settings.json'), JSON.stringify({ [name]: 1, mode: hostile }));
  await writeFile(
    join(box.project, '.mcp.json'),
    JSON.stringify({ mcpServers: { [name]: { command: hostile } } }),
  );
  const print = `printf '${hostile.replaceAll("'", '').replaceAll('\\', '\\\\')}'`;
  const calls = [
    { name: 'bash', input: { command: print } },
    { name: 'bash', input: { command: `${print}; false`, description: hostile } },
    { name: 'read', input: { path: `f${name}` } },
    { name: 'write', input: { path: `new${name}`, content: hostile } },
    { name: name, input: { path: hostile } },
    { name: 'read', input: { path: hostile } },
    { name: 'todo', input: { items: [{ content: hostile, status: 'pending' }] } },
  ];
  const responses = [...calls.map((call) => ({ text: hostile, calls: [call] })), { text: hostile }];
  await writeFile(join(box.home, 'work.json'), JSON.stringify(responses));
  await writeFile(
    join(box.home, 'fail.json'),
    JSON.stringify([{ error: { kind: 'server', message: hostile } }]),
  );
});
afterAll(() => box.dispose());

describe.skipIf(!isInstalled('python3'))('on a terminal, nothing but larik itself controls it', () => {
  const model = (file: string): string[] => ['--model', `script/${join(box.home, file)}`];

  it('while it works', async () => {
    const lines = [
      ['-p', hostile, '--mode', 'yolo', ...model('work.json')],
      ['-p', 'go', '--mode', 'yolo', '--output', 'json', ...model('work.json')],
      ['-p', 'go', ...model('fail.json')],
    ];
    const printed = await onTerminals(lines);
    expect(printed.map(controls)).toEqual(lines.map(() => []));
    expect(printed[0]).toContain('abcdef\u202egh');
    const events = printed[1]?.split('\r\n').filter((line) => line.startsWith('{')) ?? [];
    expect(events.map((line) => JSON.parse(line) as object).length).toBeGreaterThan(20);
  });

  it('when commands show what others chose', async () => {
    const lines = [
      ['sessions', 'list'],
      ['sessions', 'show', '2'],
      ['sessions', 'list', '--json'],
      ['config', 'list'],
      ['config', 'get', hostile],
      ['permissions', 'explain', `bash(ls ${hostile})`],
      ['undo', '--dry-run'],
      ['doctor'],
      ['context'],
      ['trust', 'list'],
      ['help', hostile],
      [`--${hostile}`],
      ['-p', 'go', '--resume', hostile],
      ['-p', 'go', '--model', hostile],
    ];
    const printed = await onTerminals(lines);
    const bad = printed
      .map((text, at) => [lines[at]?.join(' '), controls(text)])
      .filter(([, found]) => found?.length !== 0);
    expect(bad).toEqual([]);
    expect(printed.filter((text) => text.trim() === '')).toEqual([]);
  });
});
