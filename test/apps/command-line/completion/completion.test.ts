import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { efforts } from '../../../../adapters/settings/overrides.ts';
import { completionGrammar } from '../../../../apps/command-line/completion/grammar.ts';
import { completionScript } from '../../../../apps/command-line/completion/script.ts';
import { options } from '../../../../apps/command-line/table.ts';
import { modes } from '../../../../ports/mode.ts';
import { isInstalled } from '../../../installed.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-completion-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'broken'));
  await mkdir(join(folder, 'work', 'a folder'), { recursive: true });
  await writeFile(join(folder, 'work', 'cases.jsonl'), '');
  const sessions = [
    '20260102-030405-abcdef  2026-01-02 03:04  $(touch owned)',
    '$(touch owned) `x`  y',
    '-l  x',
  ];
  const program = `#!/bin/sh\ncat <<'END'\n${sessions.join('\n')}\nEND\n`;
  await writeFile(join(folder, 'bin', 'larik'), program, { mode: 0o755 });
  await writeFile(join(folder, 'broken', 'larik'), '#!/bin/sh\necho oops >&2; exit 1\n', { mode: 0o755 });
  for (const shell of ['bash', 'zsh', 'fish']) {
    await writeFile(join(folder, `script.${shell}`), completionScript(shell) ?? '');
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Complete = (words: readonly string[], larik?: 'bin' | 'broken') => string[];

function inShell(shell: string, args: string[], larik: string): string[] {
  const env = { PATH: `${join(folder, larik)}:${process.env['PATH'] ?? ''}`, HOME: folder, LC_ALL: 'C' };
  const out = execFileSync(shell, args, { env, cwd: join(folder, 'work'), encoding: 'utf8' });
  return out
    .split('\n')
    .map((line) => line.split('\t')[0]?.trim() ?? '')
    .filter((line) => line !== '')
    .sort();
}

/** bash splits words at "=" as well. */
const bash: Complete = (words, larik = 'bin') => {
  const split = words.flatMap((word) => {
    const [name, value] = word.split(/=(.*)/s);
    return value === undefined ? [word] : [name ?? '', '=', ...(value === '' ? [] : [value])];
  });
  const script = `source '${folder}/script.bash'; COMP_WORDS=(larik "$@"); COMP_CWORD=$#; _larik; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return inShell('bash', ['--norc', '-c', script, 'bash', ...split], larik);
};

/** What the functions of zsh's own completion are given, filtered as they would. */
const zsh: Complete = (words, larik = 'bin') => {
  const stubs = `
compdef() { }
compset() { cur=\${cur#*=} }
compadd() { shift; for word in "$@"; do [[ $word == $cur* ]] && print -r -- $word; done; true }
_describe() { [[ $1 == -o ]] && shift; for word in "\${(@P)2}"; do [[ $word == $cur* ]] && print -r -- "\${\${word//\\\\:/;}%%:*}"; done; true }
_files() { if [[ $1 == -/ ]]; then for word in *(N/); do print -r -- $word; done; else for word in *(N); do print -r -- $word; done; fi }
`;
  const script = `${stubs}source '${folder}/script.zsh'; words=(larik "$@"); CURRENT=$(( $# + 1 )); _larik`;
  return inShell('zsh', ['-f', '-c', script, 'zsh', ...words], larik);
};

const fish: Complete = (words, larik = 'bin') => {
  const typed = ['larik', ...words].join(' ');
  return inShell(
    'fish',
    ['--no-config', '-c', `source '${folder}/script.fish'; complete -C '${typed}'`],
    larik,
  ).map((word) => word.replace(/\/$/, '').replace(/^--[a-z-]+=/, ''));
};

const grammar = completionGrammar();
const commandNames = grammar.commands
  .map(({ name }) => name)
  .filter((name) => name !== '')
  .sort();

describe.each([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
] as const)('completion in %s', (shell, complete) => {
  const installed = isInstalled(shell);

  it.skipIf(!installed)(
    'of commands, and what follows them',
    () => {
      expect(complete([''])).toEqual(commandNames);
      expect(complete(['und'])).toEqual(['undo']);
      expect(complete(['sessions', ''])).toEqual(expect.arrayContaining(['list', 'show', 'export']));
      expect(complete(['--cwd', '..', 'completion', ''])).toEqual(['bash', 'fish', 'zsh']);
      expect(complete(['help', 'mod'])).toEqual(expect.arrayContaining(['modes']));
      expect(complete(['permissions', 'test', ''])).toEqual(['a folder', 'cases.jsonl']);
    },
    60_000,
  );

  it.skipIf(!installed)(
    'of options, for each command its own',
    () => {
      for (const { name, options: own } of grammar.commands) {
        const offered = complete([...(name === '' ? [] : [name]), '--']);
        expect(offered).toEqual(own.map((option) => `--${option.name}`).sort());
      }
      expect(complete(['undo', '--dr'])).toEqual(['--dry-run']);
      expect(complete(['-p', 'undo', '--bud'])).toEqual(['--budget']);
    },
    60_000,
  );

  it.skipIf(!installed)(
    'of values',
    () => {
      expect(complete(['-p', '--mode', ''])).toEqual([...modes].sort());
      expect(complete(['-p', '--effort', 'x'])).toEqual(['xhigh']);
      expect(complete(['-p', '--output=r'])).toEqual(['result']);
      expect(complete(['-p', '--model', ''])).toEqual([]);
      expect(complete(['--cwd', ''])).toEqual(['a folder']);
    },
    60_000,
  );

  it.skipIf(!installed)(
    'of sessions, by ids only, whatever stands in their titles',
    () => {
      expect(complete(['-p', '--resume', '2'])).toEqual(['20260102-030405-abcdef']);
      expect(complete(['undo', '2'])).toEqual(['20260102-030405-abcdef']);
      expect(complete(['sessions', 'show', '2'])).toEqual(['20260102-030405-abcdef']);
      expect(complete(['sessions', 'export', '2'])).toEqual(['20260102-030405-abcdef']);
      expect(complete(['undo', '2'], 'broken')).toEqual([]);
      expect(complete(['--cwd', ''])).toEqual(['a folder']);
    },
    60_000,
  );

  it.skipIf(!installed)(
    'of nothing in a prompt',
    () => {
      expect(complete(['-p', 'und'])).toEqual([]);
      expect(complete(['-p', '--', '--mo'])).toEqual([]);
      expect(complete(['undo', '20', '2'])).toEqual([]);
    },
    60_000,
  );
});

describe('completion', () => {
  it('knows the values that options take', () => {
    const values = (name: string) => options.find((option) => option.name === name)?.completes;
    expect([values('mode'), values('effort')]).toEqual([modes, efforts]);
  });

  it('is for three shells', () => {
    expect(completionScript('tcsh')).toBeNull();
    expect(completionScript('toString')).toBeNull();
  });
});
