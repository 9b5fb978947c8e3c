import type { ShellCommand, ShellWord } from '../../../ports/shell-parser.ts';
import { byBuiltIn, byVariables } from './built-ins.ts';
import { commandOf, cutWord, inSubscripts, joined, type Inner } from './inner.ts';
import { gitWrapperOf, wrapperOf, type Wrapper } from './tables/wrapper-table.ts';
import { isOneWord, programOf, startOf } from './word-shape.ts';

/** Shells, and what runs a file as they do. */
export const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'source', '.']);

/** What the command would run with its arguments and variables (spec: permissions, "Bash lines"). */
export function runBy(command: ShellCommand): Inner[] {
  if (command.test) return inSubscripts(command.text.split("'").filter((_, at) => at % 2 === 1));
  return [...byVariables(command), ...byArguments(command)];
}

function byArguments(command: ShellCommand): Inner[] {
  const name = programOf(command);
  if (name === null) return [];
  const words = command.words.slice(1);
  if (shells.has(name)) return shellScript(command, name === 'source' || name === '.');
  if (name === 'find') return found(words);
  if (name === 'git') return byGit(words);
  const own = byBuiltIn(name, words);
  const wrapper = wrapperOf(name);
  if (wrapper === null) return own;
  const inner = [...own, ...wrapped(words, wrapper)];
  return wrapper.elsewhere !== true
    ? inner
    : inner.map((one) => (one.kind === 'unknown' ? one : { ...one, elsewhere: true }));
}

/** What comes before the subcommand is skipped as far as it is known. */
function byGit(words: readonly ShellWord[]): Inner[] {
  const at = afterOptions(words, 0, { short: 'Cc', long: 'git-dir work-tree namespace config-env' }, []) ?? 0;
  const wrapper = gitWrapperOf(words[at]?.value ?? '');
  return wrapper === null ? [] : wrapped(words.slice(at + 1), wrapper);
}

function wrapped(words: readonly ShellWord[], wrapper: Wrapper): Inner[] {
  const start = startWithin(words, wrapper);
  if (start === null) return [];
  const inner: Inner[] = [];
  const at = wrapper.options === undefined ? afterOptions(words, start, wrapper, inner) : start;
  if (at === null) return [];
  const rest = words.slice(at);
  if (wrapper.anywhere === true) afterOptions(rest, 0, { ...wrapper, skips: 99 }, inner);
  if (rest.length === 0) return inner;
  if (wrapper.each === true || rest[0]?.value === ':::')
    return [...inner, ...rest.flatMap((word) => joined([word]))];
  const run =
    wrapper.appends === true ? [...replaced(rest, tokenOf(words.slice(0, at))), fromElsewhere] : rest;
  if (wrapper.joins !== true) return [...inner, { kind: 'command', command: commandOf(run) }];
  return [...inner, ...joined(rest)];
}

/** Where options and the command begin; null if nothing is run. */
function startWithin(words: readonly ShellWord[], { after, options }: Wrapper): number | null {
  if (after !== undefined) {
    const first = words.findIndex(({ value }) => value?.startsWith('-') !== true);
    return first !== -1 && after.split(' ').includes(words[first]?.value ?? '') ? first + 1 : null;
  }
  if (options === undefined) return 0;
  const option = words.findIndex(({ value }) => options.split(' ').includes(value ?? ''));
  return option === -1 ? null : option + 1;
}

/** Where the command begins; scripts in options are added to `inner`. Null if nothing is run. */
function afterOptions(
  words: readonly ShellWord[],
  from: number,
  wrapper: Wrapper,
  inner: Inner[],
): number | null {
  let skips = wrapper.skips ?? 0;
  let at = from;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const start = startOf(word);
    if (word.value === '--' && skips === 0) {
      at += 1;
      break;
    }
    if (/^-./s.test(start) && isOneWord(word)) {
      if (wrapper.only?.split(' ').includes(start) === true) return null;
      const option = readOption(start, wrapper);
      if (option.script === true)
        inner.push(
          ...joined(option.attached ? [cutWord(word, start, option.at)] : words.slice(at + 1, at + 2)),
        );
      if (!option.attached && option.valued) at += 1;
    } else if (wrapper.assignments === true && /^[A-Za-z_]\w*=/.test(start)) continue;
    else if (skips > 0 && isOneWord(word)) skips -= 1;
    else break;
  }
  return at;
}

interface Option {
  valued: boolean;
  script?: boolean;
  /** Its value stands in the same word, from `at` on. */
  attached: boolean;
  at: number;
}

/** `-n 5` and `-0n 5` take the next word, but neither `-n5` nor `--max-args=5`; long ones may be shortened. */
function readOption(text: string, { short = '', long = '', scripts = '' }: Wrapper): Option {
  const names = scripts.split(' ').filter((name) => name !== '');
  if (text.startsWith('--')) {
    const name = text.slice(2).split('=', 1)[0] ?? '';
    const fits = (one: string) => one.length > 1 && one.startsWith(name);
    const script = names.some(fits);
    const valued = script || long.split(' ').some(fits);
    return { valued, script, attached: text.includes('='), at: name.length + 3 };
  }
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    const script = names.includes(letter);
    if (script || short.includes(letter)) {
      return { valued: true, script, attached: at + 1 < text.length, at: at + 1 };
    }
  }
  return { valued: false, attached: false, at: 0 };
}

/** Words with `token` in them, where that stands for something from elsewhere, as far as that can name a command. */
function replaced(words: readonly ShellWord[], token: string): ShellWord[] {
  const program = words[0]?.value?.replace(/^.*\//s, '') ?? '';
  const runsText = shells.has(program) || program === 'eval';
  return words.map((word, at) => {
    if ((at > 0 && !runsText) || word.value?.includes(token) !== true) return word;
    return {
      ...word,
      value: null,
      parts: [
        { kind: 'text', text: word.value.split(token)[0] ?? '', quoted: true },
        { kind: 'unknown', quoted: true },
      ],
    };
  });
}

/** What stands for the arguments that come from elsewhere: `{}`, or what `-I` says. */
function tokenOf(options: readonly ShellWord[]): string {
  for (const [at, { value }] of options.entries()) {
    const [, given] = /^(?:-[a-zA-Z0-9]*I|--replace=)([^]*)$/.exec(value ?? '') ?? [];
    if (given !== undefined) return given || (options[at + 1]?.value ?? '{}') || '{}';
  }
  return '{}';
}

/** Stands for arguments that a wrapper takes from elsewhere. */
export const elsewhere = '…';

const fromElsewhere: ShellWord = {
  raw: elsewhere,
  value: null,
  expands: true,
  substitutes: false,
  globs: false,
  tilde: false,
  parts: [{ kind: 'unknown', quoted: false }],
};

/** A shell runs the script of `-c`, a file, or what it reads; here-documents may hold that. */
function shellScript(command: ShellCommand, isSource: boolean): Inner[] {
  const inner = isSource ? sourced(command.words.slice(1)) : given(command.words.slice(1));
  const bodies: Inner[] = [];
  const inputs = command.redirections.filter(
    ({ operator, descriptor = '0' }) => descriptor === '0' && /^<{1,3}-?$/.test(operator),
  );
  for (const { operator, target, body } of inputs) {
    if (body !== undefined) bodies.push({ kind: 'script', text: body });
    else if (target === null) bodies.push({ kind: 'unknown' });
    else if (operator !== '<') bodies.push(...joined([target]));
    else if (!isFile(target)) bodies.push({ kind: 'unknown' });
  }
  if (inner !== null) return [...inner, ...bodies];
  return inputs.length > 0 ? bodies : [{ kind: 'unknown' }];
}

/** `.` and `source` take a file, known or not. */
function sourced([file]: readonly ShellWord[]): Inner[] {
  return file === undefined || isFile(file) ? [] : [{ kind: 'unknown' }];
}

/** What a shell's arguments give it to run; null if it reads that from its input. */
function given(words: readonly ShellWord[]): Inner[] | null {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const start = word === undefined ? '' : startOf(word);
    if (word === undefined || word.value === '-') break;
    if (word.value === null || !/^[-+]./s.test(start)) {
      // A word that might be an option could make a script of the next one.
      const plainly = isFile(word) && (start !== '' || at === words.length - 1) && !start.startsWith('-');
      return plainly ? [] : [{ kind: 'unknown' }];
    }
    if (/^--(?:version|help)$/.test(start)) return [];
    if (/^-[A-Za-z]*c/.test(start)) {
      const script = words.slice(at + 1).find(({ value }) => !/^[-+]/.test(value ?? ''));
      return script === undefined ? [] : joined([script]);
    }
    if (/^-[A-Za-z]*s/.test(start)) break;
    if (/^(?:[-+][A-Za-z]*[oO]|--(?:rcfile|init-file))$/.test(start)) at += 1;
  }
  return null;
}

/** One word that names a file, not what another program writes. */
function isFile(word: ShellWord): boolean {
  return isOneWord(word) && !word.substitutes && !/^\/dev\/(?:stdin|fd\/)|^\/proc\//.test(startOf(word));
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
    if (run.length > 0) inner.push({ kind: 'command', command: commandOf(replaced(run, '{}')) });
  }
  return inner;
}
