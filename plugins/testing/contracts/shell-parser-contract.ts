import type { ShellParser, ShellWord } from '../../../ports/shell-parser.ts';
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
        expect(word).toEqual({ raw: written, ...plain, ...meaning });
      });
    }

    it('tells assignments from words', () => {
      const [command] = parser.parse('A=1 B="$x" c D=2').commands;
      expect(command?.assignments).toEqual([
        { name: 'A', value: '1' },
        { name: 'B', value: null },
      ]);
      expect(command?.text).toBe('c D=2');
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
        redirections: [],
        substitutes: false,
        functions: [],
        single: false,
      });
    });
  });
}
