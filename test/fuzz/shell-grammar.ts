import type { Random } from './random.ts';

/** Programs that only note that they ran; see `bash-runs.ts`. */
export const standIns = ['rm', 'git', 'ls', 'curl', 'make', 'tool'] as const;

/** A line of bash, out of a grammar that goes through all that can hide a command or write a file. */
export function shellLine(random: Random): string {
  return new Grammar(random).line();
}

/** More than this is not nested. */
const deepest = 3;

type Form = () => string;

class Grammar {
  readonly #random: Random;
  /** Little in the line is odd: otherwise hardly any could be allowed. */
  readonly #calm: boolean;
  #depth = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#calm = random.chance(0.4);
  }

  line(): string {
    const random = this.#random;
    const parts = Array.from({ length: 1 + random.below(3) }, () => this.#list());
    const text = parts.join(random.pick(['; ', '\n', ' && ', ' || ', ' | ', ' & ', ';', '&&', '|', ' |& ']));
    if (random.chance(0.04)) return `${text} # ${this.#simple()}`;
    if (!this.#calm && random.chance(0.03)) return this.#spoilt(text);
    return text;
  }

  #one(forms: readonly [Form, ...Form[]]): string {
    return this.#random.pick(forms)();
  }

  #odd(probability: number): number {
    return this.#calm ? probability / 6 : probability;
  }

  #list(): string {
    if (this.#depth >= deepest) return this.#simple();
    this.#depth += 1;
    const text = this.#compound();
    this.#depth -= 1;
    return text;
  }

  #compound(): string {
    const random = this.#random;
    const inner = (): string => this.#list();
    const forms: [Form, ...Form[]] = [
      () => `(${inner()})`,
      () => `{ ${inner()}; }`,
      () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
      () => `while ${inner()}; do ${inner()}; break; done`,
      () => `until ${inner()}; do ${inner()}; break; done`,
      () => `for x in ${this.#words()}; do ${inner()}; done`,
      () => `for ((i=0; i<1; i++)); do ${inner()}; done`,
      () => `case ${this.#word()} in ${random.pick(['*', 'a', '"$x"'])}) ${inner()};; esac`,
      () => `case a in a) ${inner()};& b) ${inner()};; esac`,
      () => `case a in a|b) ${inner()};;& *) ${inner()}; esac`,
      () => `f() { ${inner()}; }; f ${this.#words()}`,
      () =>
        `f() { ${random.pick(['"$@"', '$1', '"$2" x', 'shift; "$@"'])}; }; f ${this.#program()} ${this.#words()}`,
      () =>
        `command_not_found_handle() { ${random.pick(['"$@"', 'shift; "$@"'])}; }; nothing ${this.#simple()}`,
      () => `select x in ${this.#program()}; do $x ${this.#words()}; break; done <<< 1`,
      () => `function g { ${inner()}; }; g`,
      () => `! ${inner()}`,
      () => `time ${this.#simple()}`,
      () => `coproc ${this.#simple()}`,
      () => `coproc n { ${inner()}; }`,
      () => `! ! ${inner()}`,
      () => `[[ ${this.#word()} == ${this.#word()} ]] && ${inner()}`,
      () =>
        `(( ${random.pick(['1', 'x', 'a[$(rm z)]', '0 || 1'])} )) ${random.pick(['&&', '||'])} ${inner()}`,
    ];
    return random.chance(this.#calm ? 0.9 : 0.7) ? this.#simple() : random.pick(forms)();
  }

  #simple(): string {
    const random = this.#random;
    const before = random.chance(this.#odd(0.12)) ? `${this.#assignment()} ` : '';
    const redirection = random.chance(this.#odd(0.12)) ? ` ${this.#redirection()}` : '';
    const text = random.chance(0.3) ? this.#wrapped() : `${this.#program()} ${this.#words()}`;
    if (random.chance(this.#odd(0.06))) return this.#assignment();
    return `${before}${text}${redirection}`;
  }

  #program(): string {
    const random = this.#random;
    const name = random.pick(standIns);
    if (random.chance(this.#calm ? 0.97 : 0.5)) return name;
    const half = Math.ceil(name.length / 2);
    return this.#one([
      () => `"${name}"`,
      () => `'${name}'`,
      () => `\\${name}`,
      () => `${name.slice(0, half)}""${name.slice(half)}`,
      () => `${name.slice(0, half)}\\\n${name.slice(half)}`,
      () => `$'${name}'`,
      () => `$'\\x${name.charCodeAt(0).toString(16)}${name.slice(1)}'`,
      () => `/bin/${name}`,
      () => `/usr/bin/../bin/${name}`,
      () => `$(echo ${name})`,
      () => `\`echo ${name}\``,
      () => `{${name},${this.#plain()}}`,
      () => `${name.slice(0, -1)}{${name.slice(-1)},x}`,
      () => `$x`,
      () => `"$y"`,
      () => `\${x:-${name}}`,
      () => `\${z:=${name}}`,
      () => `"\${a[@]}"`,
      () => `$"${name}"`,
      () => `$'\\${name.charCodeAt(0).toString(8)}${name.slice(1)}'`,
      () => `$'\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}'`,
      () => `$'${name}\\0x'`,
      () => `"\${q:-"${name}"}"`,
      () => `\${q:+x}${name}`,
      () => `\${q#x}${name}`,
      () => `@(${name})`,
      () => `${name}\r`,
      () => `${name}#x`,
      () => `$0 -c '${name} x'`,
      () => `$2 ${name}`,
      () => `: ${name}; $_`,
      () => `\${a[5]} ${name}`,
      () => `/bin/${name.slice(0, -1)}?`,
      () => `/bin/[${name[0]}]${name.slice(1)}`,
      () => `$1`,
      () => `\${x}${name.slice(half)}`,
    ]);
  }

  #wrapped(): string {
    const random = this.#random;
    const run = (): string => `${this.#program()} ${this.#words()}`;
    const quoted = (): string => `'${this.#simple().replaceAll("'", `'\\''`)}'`;
    return this.#one([
      () => `command ${run()}`,
      () => `command -p ${run()}`,
      () => `builtin command ${run()}`,
      () => `exec ${run()}`,
      () => `exec -a n ${run()}`,
      () => `env ${run()}`,
      () => `env -i A=1 ${run()}`,
      () => `env -u A -- ${run()}`,
      () => `env --unset=A ${run()}`,
      () => `env -S ${quoted()}`,
      () => `/usr/bin/env ${run()}`,
      () => `nohup ${run()}`,
      () => `nice -n 5 ${run()}`,
      () => `nice -5 ${run()}`,
      () => `timeout 5 ${run()}`,
      () => `timeout -k 1 --signal=TERM 5 ${run()}`,
      () => `setsid -w ${run()}`,
      () => `stdbuf -oL ${run()}`,
      () => `time -p ${run()}`,
      () => `echo ${this.#plain()} | xargs ${run()}`,
      () => `echo ${random.pick(standIns)} ${this.#plain()} | xargs env`,
      () => `echo a | xargs -n1 -I{} ${run()} {}`,
      () => `echo a | xargs -0 --max-args=1 ${run()}`,
      () => `find . -maxdepth 0 -exec ${run()} {} \\;`,
      () => `find . -maxdepth 0 -exec ${run()} {} +`,
      () => `find . -maxdepth 0 -execdir ${run()} ';'`,
      () => `find . -maxdepth 0 -fprint out`,
      () => `sh -c ${quoted()}`,
      () => `bash -c ${quoted()}`,
      () => `bash -ec ${quoted()} name`,
      () => `bash --norc -c ${quoted()}`,
      () => `bash <<< ${quoted()}`,
      () => `bash <<E\n${this.#simple()}\nE`,
      () => `sh <<'E'\n${this.#simple()}\nE`,
      () => `echo ${quoted()} | bash`,
      () => `eval ${quoted()}`,
      () => `eval ${run()}`,
      () => `source <(echo ${quoted()})`,
      () => `. /dev/stdin <<< ${quoted()}`,
      () => `trap ${quoted()} EXIT`,
      () => `trap -- ${quoted()} 0`,
      () => `trap ${quoted()} DEBUG ERR; false`,
      () => `find . -maxdepth 0 -exec sh -c ${quoted()} \\;`,
      () => `echo ${this.#plain()} | xargs -I{} sh -c ${quoted()}`,
      () => `echo ${random.pick(standIns)} | xargs -I{} sh -c '{} x'`,
      () => `bash <(echo ${quoted()})`,
      () => `bash < <(echo ${quoted()})`,
      () => `echo ${quoted()} | bash 3<<< ls`,
      () => `echo ${quoted()} | bash -s x`,
      () => `bash -c '"$@"' _ ${run()}`,
      () => `bash -c '$0 x' ${random.pick(standIns)}`,
      () => `$(cat <<E\n${this.#simple()}\nE\n)`,
      () => `eval "$(echo ${quoted()})"`,
      () => `x=${quoted()}; eval "$x"`,
      () => `x=${quoted()}; bash -c "$x"`,
      () => `x=${quoted()}; \${x}`,
      () => `export x=${quoted()}; sh -c 'eval "$x"'`,
      () => `time -p -- ${run()}`,
      () => `env -- ${run()}`,
      () => `command -- ${run()}`,
      () => `command eval ${quoted()}`,
      () => `builtin eval ${quoted()}`,
      () => `exec -c -l ${run()}`,
      () => `( ( ${run()} ) )`,
      () => `echo $( (${run()}) )`,
      () => `BASH_ENV='$(${run()})' bash -c true`,
      () => `PS4='$(${run()})'; set -x; true`,
      () =>
        `x='a[$(${random.pick(standIns)} y)]'; ${random.pick(['(( x ))', 'let x', 'echo $((x))', '[[ x -eq 0 ]]', 'echo ${b[x]}', 'b[x]=1', 'declare -i b=x'])}`,
      () => `declare -n r=x; x=${random.pick(standIns)}; $r y`,
      () => `x=z; z=${random.pick(standIns)}; \${!x} y`,
      () => `set -e -- ${run()}; "$@"`,
      () => `set -- ls ${run()}; shift; "$@"`,
      () => `BASH_CMDS[k]=/bin/${random.pick(standIns)}; k x`,
      () => `x=${random.pick(standIns)} bash -c '$x y'`,
      () => `IFS=,; x=${random.pick(standIns)},y; $x`,
      () => `a=(x ${random.pick(standIns)}); \${a[1]} \${a[0]}`,
      () => `a=(x ${run()}); "\${a[@]:1}"`,
      () => `alias k=${random.pick(standIns)}; k x`,
      () => `shopt -s expand_aliases; alias k=${random.pick(standIns)}\nk x`,
      () => `hash -p /bin/${random.pick(standIns)} k; k x`,
      () => `set -- ${run()}; "$@"`,
      () => `a=(${run()}); "\${a[@]}"`,
      () => `x=${random.pick(standIns)}; $x ${this.#words()}`,
      () => `read x <<< ${random.pick(standIns)}; $x y`,
      () => `printf -v x %s ${random.pick(standIns)}; $x y`,
      () => `export x=${random.pick(standIns)}; $x y`,
      () => `declare x=${random.pick(standIns)}; "$x" y`,
      () => `mapfile -t a <<< ${random.pick(standIns)}; "\${a[@]}" x`,
      () => `mapfile -C ${random.pick(standIns)} -c 1 a <<< z`,
      () => `let 'a[$(${run()})]=1'`,
      () => `test -v 'a[$(${run()})]'`,
      () => `printf -v 'a[$(${run()})]' %s x`,
      () => `unset 'a[$(${run()})]'`,
      () => `x='$(${random.pick(standIns)} y)'; echo "\${x@P}"`,
      () => `compgen -C ${quoted()}`,
      () => `compgen -W '$(${run()})'`,
      () => `cat ${this.#words()}`,
      () => `echo ${this.#words()}`,
      () => `true`,
      () => `:`,
      () => `tee out`,
      () => `printf %s ${this.#words()}`,
    ]);
  }

  #words(): string {
    return Array.from({ length: this.#random.below(4) }, () => this.#word()).join(
      this.#random.pick([' ', '  ', '\t', ' \\\n']),
    );
  }

  #word(): string {
    const random = this.#random;
    if (random.chance(this.#calm ? 0.95 : 0.6)) return this.#plain();
    this.#depth += 1;
    const inner = (): string => (this.#depth > deepest ? 'rm y' : this.#simple());
    const word = this.#one([
      () => `$(${inner()})`,
      () => `"$(${inner()})"`,
      () => `"a \`rm y\`"`,
      () => `\`rm y\``,
      () => `<(${inner()})`,
      () => `>(${inner()})`,
      () => `\${q:-$(${inner()})}`,
      () => `"\${q:=$(${inner()})}"`,
      () => `$(( $(${inner()}) + 1 ))`,
      () => `\${a[$(${inner()})]}`,
      () => `'$(${inner().replaceAll("'", '')})'`,
      () => `\\$\\(rm y\\)`,
      () => `"$x"`,
      () => '$HOME',
      () => '*',
      () => '{a,b}',
      () => '#rm',
      () => `"; rm y"`,
      () => `';rm y'`,
      () => '$#',
      () => '!!',
      () => '\u00a0rm',
      () => '|rm'.slice(1),
    ]);
    this.#depth -= 1;
    return word;
  }

  #plain(): string {
    return this.#random.pick([
      'a',
      'status',
      '-rf',
      '--force',
      'push',
      'log',
      'x.txt',
      '-o',
      '--',
      'out',
      '1',
      "'a b'",
      '"rm"',
    ]);
  }

  #assignment(): string {
    const name = this.#random.pick(['x', 'y', 'a', 'A', 'PATH', 'z']);
    return this.#one([
      () => `${name}=${this.#random.pick(standIns)}`,
      () => `${name}="${this.#random.pick(standIns)} ${this.#plain()}"`,
      () => `${name}=$(echo ${this.#random.pick(standIns)})`,
      () => `${name}+=${this.#plain()}`,
      () => `a=(${this.#random.pick(standIns)} ${this.#plain()})`,
    ]);
  }

  #redirection(): string {
    const inner = (): string => `$(${this.#random.pick(standIns)} y)`;
    return this.#one([
      () => '> out',
      () => '>> out',
      () => '>| out',
      () => '&> out',
      () => '&>> out',
      () => '>& out',
      () => '<> out',
      () => '2> out',
      () => '{fd}> out',
      () => '2>&1',
      () => '> /dev/null',
      () => '2>/dev/null',
      () => '&>/dev/null',
      () => '< /dev/null',
      () => `> "${inner()}"`,
      () => `<<< "${inner()}"`,
      () => `<<E\n${inner()}\nE\n`,
      () => `<<'E'\n${inner()}\nE\n`,
      () => `<<-E\n\t\`rm y\`\n\tE\n`,
      () => '>"/dev/null" ',
      () => `> /dev/../tmp/out`,
    ]);
  }

  /** One character lost, doubled or put in: mostly no bash any more. */
  #spoilt(text: string): string {
    const at = this.#random.below(text.length);
    const odd = this.#random.pick([
      '',
      '"',
      "'",
      '`',
      '$(',
      ')',
      '\r',
      '\u00a0',
      '\u2028',
      '#',
      ' #',
      '\\',
      '\n',
      '}',
      ';;',
      '\u0001',
    ]);
    return text.slice(0, at) + odd + text.slice(at + this.#random.below(2));
  }
}
