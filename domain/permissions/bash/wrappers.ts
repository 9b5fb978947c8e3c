import type { ShellCommand, ShellWord } from '../../../ports/shell-parser.ts';

/** What a command runs in turn. */
export type Inner =
  { kind: 'command'; command: ShellCommand } | { kind: 'script'; text: string } | { kind: 'unknown' };

interface Wrapper {
  /** Options that take the next word as their value. */
  valued?: string;
  /** Words between the options and the command. */
  skips?: number;
  /** `A=1` may stand before the command. */
  assignments?: boolean;
  /** More arguments come from elsewhere. */
  appends?: boolean;
  /** With one of these options it runs nothing. */
  only?: string;
}

/** Programs that run their arguments. */
const wrappers: Record<string, Wrapper> = {
  builtin: {},
  command: { only: '-v -V' },
  doas: { valued: '-u -C' },
  env: { valued: '-u --unset -C --chdir', assignments: true },
  exec: { valued: '-a' },
  ionice: { valued: '-c -n --class --classdata' },
  nice: { valued: '-n --adjustment' },
  nohup: {},
  setsid: {},
  stdbuf: { valued: '-i -o -e --input --output --error' },
  sudo: {
    valued: '-u -g -h -p -C -D -R -r -t -T -U --user --group --host --prompt --close-from --chdir --chroot',
    assignments: true,
  },
  time: { valued: '-o -f --output --format' },
  timeout: { valued: '-s -k --signal --kill-after', skips: 1 },
  xargs: {
    valued:
      '-a -d -E -I -L -n -P -s --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --replace',
    appends: true,
  },
};

/** Shells, and what runs a file as they do. */
export const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'source', '.']);

/** The program that a command names, without the path in front; null if only running it would tell. */
export function programOf(command: ShellCommand): string | null {
  const value = command.words[0]?.value ?? null;
  return value === null ? null : value.replace(/^.*\//s, '');
}

/** What the command would run with its arguments (spec: permissions, "Bash lines"). */
export function runBy(command: ShellCommand): Inner[] {
  if (command.test) return inSubscripts(command.text.split("'").filter((_, at) => at % 2 === 1));
  const name = programOf(command);
  if (name === null) return [];
  if (subscriptReaders.has(name))
    return inSubscripts(command.words.slice(1).map(({ raw, value }) => value ?? raw));
  if (shells.has(name)) return shellScript(command);
  if (name === 'eval') return joined(command.words.slice(1));
  if (name === 'trap') return joined(command.words.slice(1, 2));
  if (name === 'find') return found(command.words.slice(1));
  const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
  if (wrapper === undefined) return [];
  return wrapped(command.words.slice(1), wrapper);
}

function wrapped(words: readonly ShellWord[], wrapper: Wrapper): Inner[] {
  const valued = wrapper.valued?.split(' ') ?? [];
  let at = 0;
  for (; at < words.length; at += 1) {
    const value = words[at]?.value ?? null;
    if (value === null) return [{ kind: 'unknown' }];
    if (value === '--') {
      at += 1;
      break;
    }
    if (!/^-./s.test(value)) break;
    if (wrapper.only?.split(' ').includes(value) === true) return [];
    if (takesNext(value, valued)) at += 1;
  }
  at += wrapper.skips ?? 0;
  while (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(words[at]?.value ?? '')) at += 1;
  const rest = words.slice(at);
  if (rest.length === 0) return [];
  return [
    { kind: 'command', command: commandOf(wrapper.appends === true ? [...rest, fromElsewhere] : rest) },
  ];
}

/** `-n 5` and `-0n 5`, but neither `-n5` nor `--max-args=5`. */
function takesNext(option: string, valued: readonly string[]): boolean {
  if (option.startsWith('--')) return valued.includes(option);
  const first = Array.from(option.slice(1)).findIndex((letter) => valued.includes(`-${letter}`));
  return first !== -1 && first === option.length - 2;
}

const fromElsewhere: ShellWord = {
  raw: '…',
  value: null,
  expands: true,
  substitutes: false,
  globs: false,
  tilde: false,
  parts: [{ kind: 'unknown', quoted: false }],
};

function commandOf(words: ShellWord[]): ShellCommand {
  const text = words.map(({ raw }) => raw).join(' ');
  return { text, words, assignments: [], redirections: [], test: false, until: 0 };
}

/** `-c`, also within `-lc`, has the script as its next word; here-documents may hold it too. */
function shellScript(command: ShellCommand): Inner[] {
  const words = command.words.slice(1);
  const inner: Inner[] = words.some(({ value }) => value === null) ? [{ kind: 'unknown' }] : [];
  const option = words.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value ?? ''));
  if (option !== -1) {
    const script = words.slice(option + 1).find(({ value }) => !/^[-+]/.test(value ?? ''));
    if (script !== undefined) inner.push(...joined([script]));
  }
  for (const { operator, target, body } of command.redirections) {
    if (!operator.startsWith('<<')) continue;
    if (body !== undefined) inner.push({ kind: 'script', text: body });
    else inner.push(...(target === null ? [{ kind: 'unknown' as const }] : joined([target])));
  }
  return inner;
}

/** What `eval` makes of its words: as far as they are known, and the rest as written. */
function joined(words: readonly ShellWord[]): Inner[] {
  if (words.length === 0) return [];
  const script: Inner = { kind: 'script', text: words.map(({ raw, value }) => value ?? raw).join(' ') };
  return words.some(({ value }) => value === null) ? [script, { kind: 'unknown' }] : [script];
}

/** Built-ins that look into the subscript of a variable they are given, and run what they find there. */
const subscriptReaders = new Set(
  'test [ printf let declare typeset local export readonly read readarray mapfile unset wait'.split(' '),
);

/** A subscript in an argument, even a quoted one, read as bash then reads it: as if in double quotes. */
function inSubscripts(texts: readonly string[]): Inner[] {
  return texts
    .filter((text) => /\[.*(?:\$[({]|`)/s.test(text))
    .map((text) => ({ kind: 'script', text: `: "${text.replaceAll(/["\\]/g, '\\$&')}"` }));
}

/** `-exec` and its kin run what follows, up to `;` or `+`. */
function found(words: readonly ShellWord[]): Inner[] {
  const inner: Inner[] = [];
  let end = 0;
  for (const [at, { value }] of words.entries()) {
    if (at < end || value === null || !/^-(?:exec|ok)(?:dir)?$/.test(value)) continue;
    const rest = words.slice(at + 1);
    const length = rest.findIndex((word) => word.value === ';' || word.value === '+');
    const run = length === -1 ? rest : rest.slice(0, length);
    end = at + 1 + run.length;
    if (run.length > 0) inner.push({ kind: 'command', command: commandOf(run) });
  }
  return inner;
}
