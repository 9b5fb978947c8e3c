import type { ShellParser, ShellPart, ShellWord } from '../../../ports/shell-parser.ts';
import type { TestKit } from '../test-kit.ts';

/** Lines, and all that they would run, in any order. */
const lines: [line: string, commands: string[]][] = [
  ['', []],
  ['# only a comment', []],
  ['ls  -l\ta', ['ls -l a']],
  ['a; b && c || d', ['a', 'b', 'c', 'd']],
  ['a\nb &\nc', ['a', 'b', 'c']],
  ['a | b |& c', ['a', 'b', 'c']],
  ['! a; time -p b', ['a', 'b']],
  ['(a; b)', ['a', 'b']],
  ['{ a; b; }', ['a', 'b']],
  ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
  ['while a; do b; done; until c; do d; done', ['a', 'b', 'c', 'd']],
  ['for x in 1 $(a); do b; done', ['a', 'b']],
  ['for ((i = 0; i < $(a); i++)); do b; done', ['for ((i = 0; i < $(a); i++))', 'a', 'b']],
  ['select x in 1; do a; done', ['a']],
  ['case $(a) in "$(b)") c ;; *) d ;& esac', ['a', 'b', 'c', 'd']],
  ['f() { a; }', ['a']],
  ['function f { a; }; f', ['a', 'f']],
  ['coproc a b', ['a b']],
  ['echo $(a) "$(b "$(c)")"', ['echo $(a) "$(b "$(c)")"', 'a', 'b "$(c)"', 'c']],
  ['echo `a` "`b`"', ['echo `a` "`b`"', 'a', 'b']],
  ['echo `a \\`b\\``', ['echo `a \\`b\\``', 'a `b`', 'b']],
  ['a <(b) >(c)', ['a <(b) >(c)', 'b', 'c']],
  ['echo ${x:-$(a)} ${y/$(b)/$(c)}', ['echo ${x:-$(a)} ${y/$(b)/$(c)}', 'a', 'b', 'c']],
  ['echo $(( $(a) + 1 )) $[ $(b) ] ${z[$(c)]}', ['echo $(( $(a) + 1 )) $[ $(b) ] ${z[$(c)]}', 'a', 'b', 'c']],
  ['[[ -n $(a) ]] && (( $(b) ))', ['[[ -n $(a) ]]', 'a', '(( $(b) ))', 'b']],
  ['x=$(a) y=(1 $(b)) c', ['c', 'a', 'b']],
  ['x=$(a)', ['', 'a']],
  ['a > "out-$(b)" 2>&1', ['a', 'b']],
  ['a <<< "$(b)"', ['a', 'b']],
  ['a <<E\n$(b)\nE\nc', ['a', 'b', 'c']],
  ['a <<E; b\n$(c)\nE', ['a', 'b', 'c']],
  ["a <<'E'\n$(b)\nE", ['a']],
  ['a <<-E <<F\n\t$(b)\n\tE\n$(c)\nF', ['a', 'b', 'c']],
  ['echo \'$(a)\' "\\$(b)"', ['echo \'$(a)\' "\\$(b)"']],
  ["echo 'a; b' # c; d", ["echo 'a; b'"]],
];

/** Lines that bash does not take either. */
const broken = [
  'echo "x',
  "echo 'x",
  'a )',
  'a &; b',
  'a | | b',
  'if a',
  'echo $(a',
  'for x in',
  '{ a',
  'a && ',
];

/** A word that is just what it says, and what differs from that. */
const plain = { expands: false, substitutes: false, globs: false, tilde: false };

const words: [written: string, meaning: Partial<ShellWord>][] = [
  ["r''m", { value: 'rm' }],
  ['\\rm', { value: 'rm' }],
  ['r\\\nm', { value: 'rm' }],
  ['"r"m', { value: 'rm' }],
  ["$'\\x72\\155'", { value: 'rm' }],
  ['$"rm"', { value: 'rm' }],
  ['"~"', { value: '~' }],
  ['~/x', { value: '~/x', tilde: true }],
  ['*.ts', { value: '*.ts', globs: true }],
  ['[ab]?', { value: '[ab]?', globs: true }],
  ['"*"', { value: '*' }],
  ['{a,b}', { value: null }],
  ['"$x"', { value: null, expands: true }],
  ['a${x:-y}', { value: null, expands: true }],
  ['$((1 + 1))', { value: null, expands: true }],
  ['"$(x)"', { value: null, substitutes: true }],
  ['<(x)', { value: null, substitutes: true }],
];

const text = (value: string, quoted = false): ShellPart => ({ kind: 'text', text: value, quoted });
const variable = (name: string, quoted = false): ShellPart => ({
  kind: 'variable',
  name,
  all: /^[@*]$/.test(name),
  quoted,
});
const unknown = (quoted = false): ShellPart => ({ kind: 'unknown', quoted });

const pieces: [written: string, parts: ShellPart[]][] = [
  ['b', [text('b')]],
  ['"b"c', [text('b', true), text('c')]],
  ["''", [text('', true)]],
  ['\\b', [text('b', true)]],
  ['$x', [variable('x')]],
  ['"a$1"', [text('a', true), variable('1', true)]],
  ['"$@"', [variable('@', true)]],
  ['${a[@]}', [{ kind: 'variable', name: 'a', all: true, quoted: false }]],
  ['${a[0]}', [{ ...variable('a'), otherwise: [] } as ShellPart]],
  ['${x:-y}', [{ ...variable('x'), otherwise: [text('y')] } as ShellPart]],
  ['"${x:=y}"', [{ ...variable('x', true), otherwise: [text('y', true)], sets: true } as ShellPart]],
  ['${x#y}', [unknown()]],
  ['${!x}', [unknown()]],
  ['"$(b)"c', [unknown(true), text('c')]],
  ['$((1))', [unknown()]],
  ['~/b*', [text('~/b*')]],
];

const braces: [line: string, words: string[] | null][] = [
  ['{rm,-rf,x}', ['rm', '-rf', 'x']],
  ['a{b,"c d"}e', ['abe', 'a"c d"e']],
  ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
  ['{a,{b,c}d}', ['a', 'bd', 'cd']],
  ['{1..3}', ['1', '2', '3']],
  ['{c..a}', ['c', 'b', 'a']],
  ['{08..10}', ['08', '09', '10']],
  ['{1..9..4}', ['1', '5', '9']],
  ['{,a}b', ['b', 'ab']],
  ['{#,a}', ['\\#', 'a']],
  ['{a,$x}', ['a', '$x']],
];

/** Commands, and the position from which on it is not sure that they have run; 9 for always. */
const certain: [line: string, until: Record<string, number>][] = [
  ['a; b', { a: 9, b: 9 }],
  ['a && b; c', { a: 9, b: 2, c: 9 }],
  ['a && b && c || d; e', { a: 9, b: 3, c: 3, d: 4, e: 9 }],
  ['a || b && c; d', { a: 9, b: 2, c: 3, d: 9 }],
  ['a | b; c', { a: 1, b: 2, c: 9 }],
  ['(a); { b; }; c &', { a: 1, b: 9, c: 3 }],
  ['if a; then b; else c; fi', { a: 9, b: 2, c: 3 }],
  ['while a; do b; done', { a: 9, b: 2 }],
  ['for x in 1; do a; done; b', { a: 1, b: 9 }],
  ['case x in y) a;; esac; f() { b; }; c', { a: 1, b: 2, c: 9 }],
];

const redirections: [line: string, writes: boolean][] = [
  ['a > f', true],
  ['a >> f', true],
  ['a >| f', true],
  ['a <> f', true],
  ['a &> f', true],
  ['a >& f', true],
  ['a {fd}> f', true],
  ['> f a', true],
  ['a > "$x"', true],
  ['a > /dev/null.txt', true],
  ['a > /dev/null/../f', true],
  ['a > /dev/tcp/192.0.2.1/80', true],
  ['a < /dev/tcp/192.0.2.1/80', true],
  ['a >&1f', true],
  ['a 2>&1', false],
  ['a 2>&-', false],
  ['a >/dev/null 2>/dev/null', false],
  ['a &>/dev/null', false],
  ['a < f', false],
  ['a <<< x', false],
];

/** What every `ShellParser` keeps to. */
export function testShellParser(name: string, kit: TestKit, parser: ShellParser): void {
  const { describe, it, expect } = kit;

  describe(`${name}: shell parser`, () => {
    for (const [line, commands] of lines) {
      it(`sees all that runs: ${JSON.stringify(line)}`, () => {
        const { problem, commands: found } = parser.parse(line);
        const texts = found.map(({ text }) => text);
        expect({ problem, texts: texts.sort() }).toEqual({ problem: null, texts: commands.slice().sort() });
      });
    }

    for (const line of broken) {
      it(`does not claim to understand ${JSON.stringify(line)}`, () => {
        expect(parser.parse(line).problem).toBe('syntax');
      });
    }

    it('still sees what stands before an error', () => {
      const texts = parser.parse('rm x\n)').commands.map(({ text }) => text);
      expect(texts).toEqual(['rm x']);
    });

    it('finds errors within substitutions', () => {
      expect(parser.parse('echo "$(if a)"').problem).toBe('syntax');
    });

    for (const [written, meaning] of words) {
      it(`reads the word ${JSON.stringify(written)}`, () => {
        const [, word] = parser.parse(`a ${written}`).commands[0]?.words ?? [];
        const { parts: _parts, braces: _braces, ...rest } = word ?? { parts: [] };
        expect(rest).toEqual({ raw: written, ...plain, ...meaning });
      });
    }

    for (const [written, parts] of pieces) {
      it(`takes the word ${JSON.stringify(written)} to pieces`, () => {
        expect(parser.parse(`a ${written}`).commands[0]?.words[1]?.parts).toEqual(parts);
      });
    }

    for (const [written, made] of braces) {
      it(`makes words of the braces in ${JSON.stringify(written)}`, () => {
        const words = parser.parse(written).commands[0]?.words[0]?.braces;
        expect(words?.map(({ raw }) => raw) ?? null).toEqual(made);
      });
    }

    it('lists no more words of braces than is worth the time', () => {
      const all = [`${'{a,b}'.repeat(20)}`, '{1..100}', '{'.repeat(200), `{${'{a,'.repeat(60)}`];
      for (const line of all) expect(parser.parse(line).commands[0]?.words[0]?.braces ?? null).toBe(null);
    });

    it('tells assignments from words', () => {
      const [command] = parser.parse('A=1 B="$x" c D=2').commands;
      expect(command?.assignments.map(({ name, value }) => ({ name, value }))).toEqual([
        { name: 'A', value: '1' },
        { name: 'B', value: null },
      ]);
      expect(command?.text).toBe('c D=2');
    });

    it('tells what assignments set', () => {
      const kinds = (line: string) => {
        const { assignments, words } = parser.parse(line).commands[0] ?? { assignments: [], words: [] };
        return [...assignments, ...words.flatMap(({ assigns }) => assigns ?? [])].map(
          ({ name, kind, append, words: values }) => [name, kind, append, values.map(({ value }) => value)],
        );
      };
      expect(kinds('a=b c+=d e=(f g) h[1]=i')).toEqual([
        ['a', 'set', false, ['b']],
        ['c', 'set', true, ['d']],
        ['e', 'list', false, ['f', 'g']],
        ['h', 'element', false, ['i']],
      ]);
      expect(kinds('export a=b c')).toEqual([['a', 'set', false, ['b']]]);
    });

    for (const [line, until] of certain) {
      it(`says for how long it is sure what has run: ${JSON.stringify(line)}`, () => {
        const { commands } = parser.parse(line);
        expect(Object.fromEntries(commands.map((one) => [one.text, Math.min(one.until, 9)]))).toEqual(until);
      });
    }

    it('says in which subshells a command stands, and after which operator', () => {
      const places = (line: string) =>
        parser.parse(line).commands.map(({ text, subshells, after }) => [text, subshells?.length, after]);
      expect(places('a && b || c; (d; $(e)) & f | g')).toEqual([
        ['a', 0, undefined],
        ['b', 0, '&&'],
        ['c', 0, '||'],
        ['d', 2, undefined],
        ['$(e)', 2, undefined],
        ['e', 3, undefined],
        ['f', 1, undefined],
        ['g', 1, undefined],
      ]);
    });

    it('tells what loops set, and where', () => {
      const loops = parser.parse('for x in a "$b"; do c; d; done; for y; do e; done').loops;
      expect(loops.map(({ words: list, ...rest }) => [rest, list?.map(({ raw }) => raw)])).toEqual([
        [{ name: 'x', from: 0, until: 2 }, ['a', '"$b"']],
        [{ name: 'y', from: 2, until: 3 }, undefined],
      ]);
    });

    for (const [line, writes] of redirections) {
      it(`says whether ${JSON.stringify(line)} writes`, () => {
        expect(parser.parse(line).commands[0]?.redirections.some((one) => one.writes)).toBe(writes);
      });
    }

    it('gives redirections of groups apart', () => {
      const line = parser.parse('{ a; } > f');
      expect(line.redirections.map(({ operator, writes }) => ({ operator, writes }))).toEqual([
        { operator: '>', writes: true },
      ]);
    });

    it('gives the text of here-documents that is known', () => {
      const body = (line: string) => parser.parse(line).commands[0]?.redirections[0]?.body;
      expect(body("sh <<'E'\nrm $x\nE")).toBe('rm $x\n');
      expect(body('sh <<E\nrm x\nE')).toBe('rm x\n');
      expect(body('sh <<E\nrm $x\nE')).toBe(undefined);
      expect(body("sh <<< 'rm x'")).toBe('rm x');
    });

    it('knows what evaluates like a substitution', () => {
      const substitutes = (line: string) => parser.parse(line).substitutes;
      expect(['a $(b)', 'a `b`', 'a <(b)', 'a ${x@P}', 'a ${!x}'].map(substitutes)).toEqual(
        Array(5).fill(true),
      );
      expect(["a '$(b)'", 'a "$x"', 'a ${x@Q}', 'a ${!x*}', 'a # $(b)'].map(substitutes)).toEqual(
        Array(5).fill(false),
      );
    });

    it('names the functions that a line defines', () => {
      expect(parser.parse('f() { a; }; function g { b; }').functions).toEqual(['f', 'g']);
    });

    it('tells one plain command from more', () => {
      const single = (line: string) => parser.parse(line).single;
      expect(['a b', '  a b \n', 'a b # c; d', 'A=1 b'].map(single)).toEqual(Array(4).fill(true));
      const more = ['', 'a;', 'a &', 'a; b', 'a\nb', 'a | b', '(a)', '! a', 'a > /dev/null', 'A=1', 'a; # b'];
      expect(more.map(single)).toEqual(more.map(() => false));
    });

    it('does not understand control characters', () => {
      expect(['a\rb', 'a\u001bb', 'a\u0000', 'a\u007f'].map((line) => parser.parse(line).problem)).toEqual(
        Array(4).fill('control'),
      );
      expect(parser.parse('a\tb\n').problem).toBe(null);
    });

    it('gives up on what is too long, and on what is nested beyond measure, in good time', () => {
      const long = `a ${'b'.repeat(70_000)}`;
      const deep = ['$(', '`', '(', '"$(', '${a:-', '$((', '<('].map((opening) => opening.repeat(20_000));
      for (const line of [long, ...deep]) expect(parser.parse(line).problem !== null).toBe(true);
      expect(parser.parse(long)).toEqual({
        problem: 'size',
        commands: [],
        loops: [],
        redirections: [],
        substitutes: false,
        expandsTwice: false,
        functions: [],
        single: false,
      });
    });
  });
}
