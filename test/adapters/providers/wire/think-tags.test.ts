import { describe, expect, it } from 'vitest';
import { type Piece, ThinkTags } from '../../../../adapters/providers/wire/think-tags.ts';

/** Whole and letter by letter, pieces of a kind joined. */
function read(text: string): Piece[] {
  const join = (pieces: string[]): Piece[] => {
    const tags = new ThinkTags();
    const joined: Piece[] = [];
    for (const piece of [...pieces.flatMap((each) => tags.push(each)), ...tags.end()]) {
      const last = joined.at(-1);
      if (last?.kind === piece.kind) last.text += piece.text;
      else joined.push({ ...piece });
    }
    return joined;
  };
  const whole = join([text]);
  expect(join(Array.from(text))).toEqual(whole);
  return whole;
}

const thinking = (text: string): Piece => ({ kind: 'thinking', text });
const words = (text: string): Piece => ({ kind: 'text', text });

describe('ThinkTags', () => {
  it.each([
    [' \n<think> a < b </thin </think>\n\nYes </think>', [thinking(' a < b </thin '), words('Yes </think>')]],
    ['<think>never closed </th', [thinking('never closed </th')]],
    ['The tag <think> in text', [words('The tag <think> in text')]],
    ['  <thing>', [words('  <thing>')]],
    ['<thi', [words('<thi')]],
    ['<think></think>Only', [words('Only')]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('are no longer looked for where something else came after blanks', () => {
    const tags = new ThinkTags();
    tags.push('\n\n');
    expect(tags.begun()).toEqual([words('\n\n')]);
    expect([...tags.push('<think>'), ...tags.end()]).toEqual([words('<think>')]);
  });

  it.each(['', '<think>a</th'])('are still looked for where something else came after %j', (text) => {
    const tags = new ThinkTags();
    tags.push(text);
    expect(tags.begun()).toEqual([]);
    const rest = [...tags.push(text === '' ? '<think>b' : 'ink>'), ...tags.end()];
    expect(rest).toEqual(text === '' ? [thinking('b')] : []);
  });
});
