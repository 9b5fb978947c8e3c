import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength, cutEnd, cutStart, truncate } from '../../../domain/text/cut.ts';

const leftOut = (omitted: number) => `[… ${omitted} bytes left out …]`;

describe('truncate', () => {
  it('leaves what fits', () => {
    expect(truncate('é'.repeat(50), 100, leftOut)).toBe('é'.repeat(50));
  });

  it('keeps head and tail, and says how much is left out', () => {
    expect(truncate(`${'a'.repeat(100)}${'b'.repeat(100)}`, 60, (bytes) => `[${bytes}]`)).toBe(
      `${'a'.repeat(27)}\n[147]\n${'b'.repeat(26)}`,
    );
  });

  it('never has more than it may, and never half a character', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '中', '😀', '\n'), maxLength: 400 });
    fc.assert(
      fc.property(text, fc.integer({ min: 60, max: 300 }), (one, most) => {
        const cut = truncate(one, most, leftOut);
        expect(byteLength(cut)).toBeLessThanOrEqual(most);
        expect(cut).not.toContain('\ufffd');
      }),
    );
  });
});

describe('cutEnd and cutStart', () => {
  it('cut between characters', () => {
    expect([cutEnd('aéé', 4), cutStart('ééa', 4), cutEnd('é', 1), cutStart('é', 1)]).toEqual([
      'aé',
      'éa',
      '',
      '',
    ]);
  });
});
