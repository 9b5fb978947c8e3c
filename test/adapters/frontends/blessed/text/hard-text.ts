import fc from 'fast-check';

/** What terminals and cursors stumble over, in one string each. */
const hardPieces = [
  'word',
  'a',
  ' ',
  '   ',
  'averyveryverylongword',
  '你好',
  '，',
  '한글',
  '\u1112\u1161\u11ab',
  'ｆ',
  'ﾊ',
  'é',
  'e\u0301',
  '\u0301',
  '👍🏽',
  '👨‍👩‍👧',
  '🇩🇪',
  '🇩',
  '1️⃣',
  '❤️',
  '☝',
  'क्षि',
  'שלום',
  'مرحبا',
  '\u200b',
  '\u200d',
  '\u202e',
  '\ufeff',
  '\u3000',
] as const;

/** Text of one line, made of what is hard to measure. */
export const hardText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...hardPieces), fc.string({ unit: 'grapheme', maxLength: 4 })), {
    maxLength: 24,
  })
  .map((pieces) => pieces.join('').replaceAll(/\p{Cc}/gu, ''));
