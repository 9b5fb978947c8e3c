import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const mark = '\u001e';
const sample = fileURLToPath(new URL('project/', import.meta.url));

/** A `console` block as commands, each with what is shown beneath it. Lines count from 1. */
export function commandsOf(block) {
  const commands = [];
  block.lines.forEach((text, index) => {
    const line = block.line + index;
    const last = commands.at(-1);
    if (text.startsWith('$ ')) commands.push({ line, command: text.slice(2), shown: [] });
    else if (last === undefined) throw new Error(`${line}: a console block begins with "$ " and a command`);
    else if (text.startsWith('> ') && last.shown.length === 0 && /\\$|<</.test(last.command)) {
      last.command += `\n${text.slice(2)}`;
    } else last.shown.push(text);
  });
  return commands;
}

/** What differs from run to run: ids, times, and the digest of a folder's path. */
export function normalized(line) {
  return line
    .replace(/\b\d{8}-\d{6}-[0-9a-f]{6}\b/g, '<id>')
    .replace(/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?/g, '<time>')
    .replace(/\b\d\d:\d\d(:\d\d)?\b/g, '<time>')
    .replace(/\b\d+(\.\d+)? ?(ms|s)\b/g, '<span>')
    .replace(/(?<=-)[0-9a-f]{8}\b/g, '<digest>')
    .trimEnd();
}

/** Does the output fit? `...` stands for any text within a line, and alone for any lines. */
export function fits(shown, got) {
  const [first, ...rest] = shown;
  if (first === undefined) return got.length === 0;
  if (first.trim() === '...') return got.some((_, index) => fits(rest, got.slice(index))) || fits(rest, []);
  if (got.length === 0) return false;
  const parts = normalized(first)
    .split('...')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(normalized(got[0])) && fits(rest, got.slice(1));
}

function place(root) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'larik-docs-')));
  const home = join(folder, 'you');
  const project = join(home, 'shop');
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  cpSync(sample, project, { recursive: true });
  writeFileSync(
    join(bin, 'larik'),
    `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/main.js')}' "$@"\n`,
  );
  chmodSync(join(bin, 'larik'), 0o755);
  const env = {
    PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'You',
    GIT_AUTHOR_EMAIL: 'you@example.com',
    GIT_COMMITTER_NAME: 'You',
    GIT_COMMITTER_EMAIL: 'you@example.com',
  };
  const git = (...args) => spawnSync('git', args, { cwd: project, env, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'Start');
  return { folder, home, project, env };
}

function runShell(script, { project, env, folder, home }) {
  const options = { cwd: project, env, timeout: 60_000, stdio: ['ignore', 'pipe', 'ignore'] };
  const child = spawn('bash', ['--norc', '-c', `exec 2>&1\n${script}`], options);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      const whole = signal === null ? printed : `${printed}\nended by ${signal}`;
      resolve(whole.replaceAll(home, '/home/you').replaceAll(folder, '/tmp'));
    });
  });
}

/** Runs a block; gives its commands with what they printed. */
async function runBlock(page, block, where) {
  if (block.language === 'set-up') {
    const printed = await runShell(block.lines.join('\n'), where);
    if (printed !== '') throw new Error(`${page.file}:${block.line}: the set-up printed ${printed}`);
    return [];
  }
  const commands = commandsOf(block);
  const script = commands.map(({ command }) => `printf '${mark}'\n${command}`).join('\n');
  const outputs = (await runShell(script, where)).split(mark).slice(1);
  return commands.map((command, index) => {
    const got = (outputs[index] ?? '').replace(/\n$/, '').split('\n');
    return { ...command, got: got.length === 1 && got[0] === '' ? [] : got };
  });
}

/**
 * Runs a page's console blocks, in order, in one new project and home: a page tells one story. Gives
 * every command with what it printed, as lines.
 */
export async function runPage(page, root) {
  const blocks = page.blocks.filter(({ language }) => language === 'console' || language === 'set-up');
  if (!blocks.some(({ language }) => language === 'console')) return [];
  const where = place(root);
  try {
    const ran = [];
    for (const block of blocks) ran.push(...(await runBlock(page, block, where)));
    return ran;
  } finally {
    rmSync(where.folder, { recursive: true, force: true });
  }
}

/** Commands whose output is not what the page shows. */
export function outputProblems(page, ran) {
  return ran
    .filter(({ shown, got }) => !fits(shown, got))
    .map(({ line, command, shown, got }) => {
      const indented = (lines) => (lines.length === 0 ? ['(nothing)'] : lines).map((each) => `      ${each}`);
      const text = [`$ ${command}`, '    shown:', ...indented(shown), '    got:', ...indented(got)].join(
        '\n',
      );
      return { file: page.file, line, text };
    });
}

/** The page's lines with the output of today where it does not fit. */
export function updatedLines(page, ran) {
  const lines = [...page.lines];
  for (const { line, command, shown, got } of [...ran].reverse()) {
    if (!fits(shown, got)) lines.splice(line - 1 + command.split('\n').length, shown.length, ...got);
  }
  return lines;
}
