import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { program, sandbox, type Sandbox } from '../e2e/larik.ts';
import { startInTerminal, type ProgramInTerminal } from './pty.ts';

const answers = [
  { text: 'hi \u001b]0;evil\u0007\u001b[2Jthere' },
  { calls: [{ name: 'write', input: { path: 'new.txt', content: 'a\u001b[2Jb\n' } }] },
  { text: 'it is written' },
  { calls: [{ name: 'bash', input: { command: 'sleep 60' } }] },
];

let box: Sandbox;
let lines: ProgramInTerminal;

beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'a\n' });
  writeFileSync(join(box.project, 'answers.json'), JSON.stringify(answers));
});
afterEach(async () => {
  lines.kill('SIGKILL');
  await lines.exited;
  await box.dispose();
});

function start(...args: string[]): void {
  lines = startInTerminal({
    command: process.execPath,
    args: [program, '--plain', '--model', 'script/answers.json', ...args],
    env: { HOME: box.home, LARIK_HOME: join(box.home, 'larik'), LANG: 'C.UTF-8' },
    cwd: box.project,
    rows: 60,
  });
}

/** Resolves when the last line asks so. */
function asked(label: string): Promise<void> {
  return lines.waitFor((rows) => rows.findLast((row) => row !== '')?.trimEnd() === label);
}

it('talks in lines of a terminal: prompt, question, interruption, and the way back', async () => {
  start('--allow', 'bash(sleep*)');
  await asked('>');
  lines.write('first\\\r');
  await asked('.');
  lines.write('second\r');
  await lines.waitFor('hi there');
  await asked('>');
  lines.write('write it\r');
  await asked('answer:');
  expect(lines.screen().join('\n')).toContain('a\\u{1b}[2Jb');
  lines.write('perhaps\r');
  await lines.waitFor('Begin the answer with one of the letters above.');
  await asked('answer:');
  lines.write('y\r');
  await lines.waitFor('it is written');
  await asked('>');
  lines.write('/nonsense\r');
  await lines.waitFor('There is no command /nonsense');
  await asked('>');
  lines.write('wait\r');
  await lines.waitFor('bash sleep 60');
  lines.write('\u0003');
  await lines.waitFor('interrupted; type what to do instead');
  await asked('>');
  lines.write('\u0003');
  await lines.waitFor('ctrl+c again leaves');
  await asked('>');
  lines.write('\u0003');
  expect((await lines.exited).code).toBe(0);
  expect(lines.screen().filter((row) => row.startsWith('To go on: larik --resume '))).toHaveLength(1);
  expect(lines.bytes()).not.toContain('evil\u0007');
  expect(lines.bytes()).not.toContain('\u001b[2J');
});

it('leaves at ctrl+d, on a line of its own', async () => {
  start();
  await asked('>');
  lines.write('\u0004');
  expect((await lines.exited).code).toBe(0);
  expect(lines.screen().join('\n')).toMatch(/^To go on: larik --resume \S+$/m);
});

it('asks whether to go on past the step limit', async () => {
  const read = { calls: [{ name: 'read', input: { path: 'a.txt' } }] };
  writeFileSync(join(box.project, 'answers.json'), JSON.stringify([read, read, { text: 'the end of it' }]));
  start('--max-steps', '1');
  await asked('>');
  lines.write('look\r');
  await asked('answer:');
  lines.write('y\r');
  await lines.waitFor((rows) => rows.filter((row) => row.startsWith('Question: 1 step')).length === 2);
  await asked('answer:');
  lines.write('n\r');
  await asked('>');
  expect(lines.screen().join('\n')).not.toContain('the end of it');
  lines.write('more\r');
  await lines.waitFor('the end of it');
});
