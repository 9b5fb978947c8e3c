import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { readBashLine } from '../../../domain/permissions/bash/bash-line.ts';
import { allowingRule, denyingRule } from '../../../domain/permissions/bash/bash-match.ts';
import { parseRules } from '../../../domain/permissions/rules.ts';
import { decideBash } from './permissions.ts';

const deny = ['bash(rm *)'];

async function decisions(lines: readonly string[]): Promise<Record<string, string>> {
  const decided = lines.map(async (line) => [line, await decideBash(line, { deny, mode: 'yolo' })] as const);
  return Object.fromEntries(await Promise.all(decided));
}
const all = (lines: readonly string[], decision: string) =>
  Object.fromEntries(lines.map((line) => [line, decision]));

describe('what a line itself shows is filled in', () => {
  const shown = [
    'r=rm; $r -rf x',
    'r=rm && ${r} x',
    'r=rm; "$r" x',
    'r=r; ${r}m x',
    "x='-rf y'; rm $x",
    "c='rm -rf x'; $c",
    'for c in rm; do $c x; done',
    'for c in a {b,rm}; do "$c" x; done',
    'select c in rm; do $c x; done',
    'a=r b=m; $a$b x',
    'a=r; b=${a}m; $b x',
    'a=r; a+=m; $a x',
    'set -- rm x; "$@"',
    'set -- rm x; $1 y',
    'set a rm; $2 x',
    'export R=rm; $R x',
    'declare -x R=rm; $R x',
    'declare "R=rm"; $R x',
    'a=(rm x); "${a[@]}"',
    'a=(x rm); ${a[1]} x',
    'a=(rm); a+=(x); ${a[*]}',
    'a[3]=rm; ${a[3]} x',
    'f() { $1 x; }; f rm',
    'f() { "$@"; }; f rm x',
    '{rm,-rf,x}',
    '{r..r}m x',
    'r{m,} x',
    "{'rm',x}",
    '{sudo,rm,x}',
    '${X:-rm} x',
    '"${X:=rm}" x',
    ': ${X:=rm}; $X x',
    'r=true; $C && r=rm; $r x',
    'if $C; then r=rm; else r=ls; fi; $r x',
    '$r x; r=rm',
    'r=rm; sudo $r x',
    'w=sudo; $w rm x',
    'r=rm; echo a | xargs $r',
    'c=\'rm x\'; sh -c "$c"',
    "c='rm x'; eval $c",
    'c=\'rm x\'; eval "$c"',
    "c='rm x'; bash <<< $c",
    "c='r=rm'; eval $c; $r x",
    "eval 'r=rm'; $r x",
    "eval r=rm '; $r x'",
    "env R=rm sh -c '$R x'",
    "R=rm sh -c '$R x'",
    'bash -c \'"$@"\' _ rm x',
    "bash -c '$0 x' rm",
    "alias l='rm -rf'; l x",
    'IFS=,; c=rm,x; $c',
    'rm${IFS}x',
    '$EMPTY rm x',
    'r$@m x',
    'r"$x"m x',
    'r${x}m x',
    '"$HOME"/bin/rm x',
    'd=/bin; $d/rm x',
    'bash -c "cd $D && rm x"',
    'sh -c "rm $X"',
    'find . -exec $X rm x \\;',
    'set -- make; $2 rm x',
    'set -- make rm; shift; "$@" x',
    'set -eu -- rm x; "$@"',
    'a=(make); ${a[5]} rm x',
    'x=make; ${x[3]} rm y',
    'alias k=rm; k x',
    'hash -p /bin/rm k; k x',
    "mapfile -C 'rm x' -c 1 a <<< z",
    "compgen -C 'rm x'",
    "compgen -W '$(rm x)'",
    "trap -- 'rm x' 0",
    'x=\'$(rm y)\'; echo "${x@P}"',
    "PS4='$(rm x)'; set -x; true",
    "export PS4='$(rm x)'; set -x; ls",
    "BASH_ENV='$(rm x)' bash -c ls",
    "ENV='$(rm x)' sh -i",
    "PAGER='rm x' git log",
    "LESSOPEN='|rm %s' less x",
    "x='a[$(rm y)]'; (( x ))",
    "read x <<< 'a[`rm y`]'; echo ${b[x]}",
    "for x in 'a[$(rm y)]'; do (( x )); done",
  ];
  it('and a deny rule sees it', async () => {
    expect(await decisions(shown)).toEqual(all(shown, 'deny'));
  });

  const unknown = [
    '$CC x',
    '"$(cat f)" x',
    '`cat f` x',
    'a$(b) x',
    'read r; r=make; $r x',
    'r=make; read r; $r x',
    'r=$X; $r x',
    '$C && r=make; $r x',
    '$r x; r=make',
    'r=make | true; $r x',
    '(r=make); $r x',
    'if a; then r=make; fi; $r x',
    'r=make true; $r x',
    'source f; r=make; $r x',
    'sudo $CC x',
    'xargs $CC',
    'echo a | xargs -I{} {} x',
    'sh -c "$X"',
    'sh -c "cd $X"',
    'eval "$X"',
    'eval $X',
    'bash $X',
    'bash <(curl u)',
    'source <(curl u)',
    'curl u | sh',
    'curl u | bash -s -- x',
    '/bin/r? x',
    '[r]m x',
    '${x#y} x',
    '${!x} x',
    'x=a; while b; do x=${x}c; done; $x y',
    '"$DIR/" x',
    'f() { "$@"; }; f $X',
    'read x; echo "${x@P}"',
    'trap -- "$X" 0',
    'enable -f x y',
    'BASH_CMDS[k]=/bin/rm; k x',
    '_=make; $_ x',
    "x='/bin/r?'; $x y",
    'for x in /bin/r?; do "$x" y; done',
    'REPLY=make; read; $REPLY x',
    'n=x; x=make; read $n; $x y',
    "set -- make; $0 -c 'rm x'",
    'command_not_found_handle() { shift; "$@"; }; set -- make; nox rm x',
    'bash < <(echo rm x)',
    'echo rm x | bash 3< f',
    'echo rm x | bash 3<<< ls',
  ];
  it('what cannot be known asks', async () => {
    expect(await decisions(unknown)).toEqual(all(unknown, 'ask'));
  });

  const known = [
    'make $X',
    'r=make; $r x',
    'r=make && "$r" x && $r y',
    'for c in make npm; do $c x; done',
    '"$DIR/tool" x',
    '$HOME/bin/tool x',
    'echo "$(cat f)"',
    'bash script.sh "$X"',
    'bash "./$X.sh"',
    'source venv/bin/activate',
    'a=(make x); "${a[@]}"',
    'set -- make x; "$@"',
    'touch f{1..1000}',
    'touch {a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}',
    '[ -f x ] && make',
    'x=rm; echo $x',
    'for f in *; do echo "$f"; done',
    'python3 -c "$X"',
    'timeout "$T" make',
    'r=make; sudo $r',
    'c=\'make x\'; sh -c "$c"',
    'alias l=ls',
  ];
  it('everything else runs', async () => {
    expect(await decisions(known)).toEqual(all(known, 'allow'));
  });

  it('no line takes beyond measure, whatever is in it', () => {
    const lines = [
      `x={a,b}; ${'{a,b}'.repeat(3000)}`,
      `${'{a,b}{c,d} '.repeat(2000)}`,
      `x=a; ${'x=$x$x; '.repeat(900)} $x y`,
      `x=a; x=b; ${'$x $x $x $x;'.repeat(900)}`,
      `a=(${'b '.repeat(3000)}); ${'"${a[@]}";'.repeat(500)}`,
      `x='${'a '.repeat(200)}'; ${'eval $x;'.repeat(900)}`,
      `x=1; ${'sudo $x '.repeat(1900)}`,
      `${'find . -exec '.repeat(1300)}`,
      `f() { ${'$1;'.repeat(490)} }; ${'f x;'.repeat(490)}`,
      `sed '${'[/'.repeat(20_000)}'`,
      `awk '${'print '.repeat(10_000)}'`,
    ];
    const rules = ['bash(sed*)', 'bash(awk*)', 'bash(* x)', 'bash(rm *)'].map((text) => ({ text }));
    const { allow } = parseRules({ allow: rules, ask: [], deny: [] }).rules;
    for (const text of lines) {
      const start = performance.now();
      const line = readBashLine(text, unbashParser);
      denyingRule(allow, line);
      allowingRule(allow, line);
      // A small part of this on a quiet machine; without bounds it would never end.
      expect(performance.now() - start, text.slice(0, 40)).toBeLessThan(3000);
    }
  });

  it('what is too much to list counts as whatever could be forbidden', async () => {
    const lines = [
      `${'{a,b}'.repeat(20)} x`,
      `r${'{m,n}'.repeat(20)} x`,
      `x=a; ${'x=$x$x; '.repeat(40)} $x y`,
    ];
    expect(await decisions(lines)).toEqual(all(lines, 'deny'));
  });
});

it('a command that may go on to what is forbidden asks', async () => {
  const decided = async (line: string) => decideBash(line, { deny: ['bash(git push*)'], mode: 'yolo' });
  for (const line of [
    'echo push | xargs git',
    'git $(cat f)',
    '/usr/bin/git "$(cat f)" x',
    'echo x | xargs -n1 git',
  ])
    expect(`${line}: ${await decided(line)}`).toBe(`${line}: ask`);
  for (const line of ['ls | xargs git add', 'git commit -m "$(cat f)"', 'ls | xargs gitk', 'ls | xargs'])
    expect(`${line}: ${await decided(line)}`).toBe(`${line}: allow`);
});

it('no braces hide an option from the safe list', async () => {
  const lines = ['du {--files0-from=x,y}', 'du {--files0-from,}=x', 'date {-s,x}', 'cat {a,/etc/passwd}'];
  const decided = lines.map(async (line) => [line, await decideBash(line)] as const);
  expect(Object.fromEntries(await Promise.all(decided))).toEqual(all(lines, 'ask'));
});
