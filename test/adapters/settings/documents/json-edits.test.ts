import fc from 'fast-check';
import { createScanner } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { editJson } from '../../../../adapters/settings/documents/json-edits.ts';
import { parseJsonDocument } from '../../../../adapters/settings/documents/settings-document.ts';

function edit(text: string, path: string[], value: unknown): string {
  const result = editJson(text, path, value);
  if ('refused' in result) throw new Error(`refused at ${result.refused.path.join('.')}`);
  return result.text;
}

const commented = `\ufeff// mine
{
\t/* the model */ "model": "local/qwen3", // that one
\t"unknown": [1,   2],
\t"providers": { "local": { "base_url": "http://a//b", }, }, // twice //
\t"limits": {
\t\t"max_steps": 5 // few
\t\t/* end */
\t},
}
// last`.replaceAll('\n', '\r\n');

describe('editing JSON with comments', () => {
  it('CONF-01 changes one value and keeps all else: comments, order, indentation, unknown keys, mark', () => {
    expect(edit(commented, ['model'], 'a/b')).toBe(commented.replace('local/qwen3', 'a/b'));
    expect(edit(commented, ['providers', 'local', 'base_url'], 'http://c')).toBe(
      commented.replace('http://a//b', 'http://c'),
    );
    expect(edit(commented, ['limits', 'bash_timeout'], 9)).toBe(
      commented.replace('5 // few', '5, // few\r\n\t\t"bash_timeout": 9'),
    );
    expect(edit(commented, ['mode'], 'plan')).toBe(
      commented.replace('\t},\r\n}', '\t},\r\n\t"mode": "plan",\r\n}'),
    );
    expect(edit(commented, ['providers', 'local', 'preset'], 'vllm')).toBe(
      commented.replace('a//b", }', 'a//b", "preset": "vllm", }'),
    );
    expect(edit(commented, ['limits', 'max_steps'], undefined)).toBe(
      commented.replace('\t\t"max_steps": 5 // few', '\t\t // few'),
    );
    expect(edit(commented, ['unknown'], undefined)).toBe(commented.replace('\t"unknown": [1,   2],\r\n', ''));
  });

  it.each([
    ['', ['a'], 1, '{\n  "a": 1\n}\n'],
    ['// only this', ['a'], 1, '// only this\n{\n  "a": 1\n}\n'],
    ['{}', ['a', 'b', 'c'], [], '{\n  "a": { "b": { "c": [] } }\n}'],
    ['{ "a": 1 }\n', ['b'], 'x', '{ "a": 1, "b": "x" }\n'],
    ['{ "a": 1, "b": 2, "c": 3 }', ['b'], undefined, '{ "a": 1, "c": 3 }'],
    ['{ "a": 1, "b": 2 }', ['a'], undefined, '{ "b": 2 }'],
    ['{ "a": 1, "b": 2 }', ['b'], undefined, '{ "a": 1 }'],
    ['{ "a": 1 }', ['a'], undefined, '{ }'],
    ['{\n  "a": 1,\n  "b": 2\n}\n', ['b'], undefined, '{\n  "a": 1\n}\n'],
    ['{\n  "a": 1, // one\n  // two\n  "b": 2\n}\n', ['b'], undefined, '{\n  "a": 1 // one\n  // two\n}\n'],
    ['{\n  "a": 1\n , "b": 2\n}', ['a'], undefined, '{\n   "b": 2\n}'],
    ['{\n  // nothing yet\n}\n', ['a'], 1, '{\n  // nothing yet\n  "a": 1\n}\n'],
    ['{ // nothing yet\n}\n', ['a'], 1, '{ // nothing yet\n  "a": 1\n}\n'],
    ['{ "a": 1 // one\n}', ['b'], 2, '{ "a": 1, // one\n"b": 2\n}'],
    ['{}', ['x'], undefined, '{}'],
    ['', ['x'], undefined, ''],
  ])('%j: %j = %j', (text, path, value, expected) => {
    expect(edit(text, path, value)).toBe(expected);
  });

  it('breaks what is too long for a line', () => {
    const rules = [
      'bash(npm run something)',
      'bash(npm run another thing)',
      'read(/usr/share/doc/**)',
      'edit(src/**)',
    ];
    const lines = rules.map((rule) => `      "${rule}"`).join(',\n');
    expect(edit('{\n  "permissions": {\n    "ask": []\n  }\n}', ['permissions', 'allow'], rules)).toBe(
      `{\n  "permissions": {\n    "ask": [],\n    "allow": [\n${lines}\n    ]\n  }\n}`,
    );
  });

  it('refuses a path through what is no object', () => {
    expect(editJson('{ "a": 1 }', ['a', 'b'], 1)).toEqual({ refused: { path: ['a'] } });
    expect(editJson('[]', ['a'], 1)).toEqual({ refused: { path: [] } });
  });
});

const blank = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\t',
  ' // note "a": 1,\n',
  '/* x, } */',
  '\n  // y\n  ',
);
const name = fc.constantFrom('a', 'b', 'c', 'local/qwen3', 'd.e', '"', '__proto__', 'ü');
const scalar = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string());

/** A value as JSON text with blanks and comments everywhere. */
const documentText = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar.map((value) => JSON.stringify(value)),
    fc.array(scalar, { maxLength: 3 }).map((value) => JSON.stringify(value)),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, blank, blank, blank, blank, tie('value')), {
        maxLength: 4,
        selector: ([key]) => key,
      }),
      blank,
      fc.boolean(),
    )
    .map(([members, end, trailing]) => {
      const texts = members.map(
        ([key, b1, b2, b3, b4, value]) => `${b1}${JSON.stringify(key)}${b2}:${b3}${value}${b4}`,
      );
      return `{${texts.join(',')}${trailing && members.length > 0 ? ',' : ''}${end}}`;
    }),
})).object;

function parsed(text: string): unknown {
  const result = parseJsonDocument(text);
  if (!result.ok) throw new Error(`${result.problem.text}: ${text}`);
  return result.document.value;
}

function comments(text: string): string[] {
  const scanner = createScanner(text, false);
  const found: string[] = [];
  for (let token = scanner.scan(); token !== 17; token = scanner.scan()) {
    if (token === 12 || token === 13) {
      found.push(text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength()));
    }
  }
  return found;
}

/** The longer text is the shorter one with more between. */
function isWithin(shorter: string, longer: string): boolean {
  let at = 0;
  for (const unit of longer) if (shorter.startsWith(unit, at)) at += unit.length;
  return at === shorter.length;
}

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (tree: unknown, key: string): unknown =>
  isTree(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined;
const at = (tree: unknown, path: readonly string[]): unknown => path.reduce<unknown>(own, tree);

/** What must come out, made the plain way; null where the path leads through something else. */
function changed(tree: unknown, [key = '', ...rest]: string[], value: unknown): unknown {
  if (!isTree(tree)) return null;
  const before = own(tree, key);
  if (value === undefined && before === undefined) return tree;
  const inner = rest.length === 0 ? value : changed(before === undefined ? {} : before, rest, value);
  if (inner === null && rest.length > 0) return null;
  const entries = Object.entries(tree).filter(([one]) => one !== key || inner !== undefined);
  const all = entries.map(([one, old]) => [one, one === key ? inner : old] as const);
  if (before === undefined) all.push([key, inner]);
  return Object.fromEntries(all);
}

describe('editing any JSON with comments', () => {
  const newline = fc.constantFrom('\n', '\r\n');
  const mark = fc.constantFrom('', '\ufeff');
  const path = fc.array(name, { minLength: 1, maxLength: 3 });
  const source = fc
    .tuple(blank, documentText, blank, newline, mark)
    .map(([before, text, after, eol, bom]) => bom + (before + text + after).replaceAll('\n', eol));

  it('CONF-01 yields the value, and keeps every other byte', () => {
    fc.assert(
      fc.property(source, path, fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), (text, key, value) => {
        const expected = changed(parsed(text), key, value);
        const result = editJson(text, key, value);
        if ('refused' in result) {
          expect(expected).toBeNull();
          return;
        }
        expect(parsed(result.text)).toEqual(expected);
        expect(Object.keys(parsed(result.text) as Tree)).toEqual(Object.keys(expected as Tree));
        if (at(parsed(text), key) === undefined) {
          expect(isWithin(text, result.text)).toBe(true);
          return;
        }
        // What is replaced stands between the longest common beginning and end.
        const old = at(parsed(text), key);
        if (!isTree(old)) {
          expect(comments(result.text)).toEqual(comments(text));
          const back = edit(result.text, key, old);
          if (JSON.stringify(old).length < 40) expect(at(parsed(back), key)).toEqual(old);
          if (!Array.isArray(old)) expect(back).toBe(text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('CONF-01 takes a key away, and keeps every other byte', () => {
    fc.assert(
      fc.property(source, path, (text, key) => {
        const tree = parsed(text);
        const result = editJson(text, key, undefined);
        if ('refused' in result) {
          expect(isTree(at(tree, key.slice(0, -1)))).toBe(false);
          return;
        }
        if (at(tree, key) === undefined) {
          expect(result.text).toBe(text);
          return;
        }
        expect(parsed(result.text)).toEqual(changed(tree, key, undefined));
        expect(isWithin(result.text, text)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
