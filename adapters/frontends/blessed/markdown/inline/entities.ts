const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  rarr: '→',
  larr: '←',
  uarr: '↑',
  darr: '↓',
  le: '≤',
  ge: '≥',
  ne: '≠',
  deg: '°',
  sect: '§',
  para: '¶',
  euro: '€',
  pound: '£',
  plusmn: '±',
  micro: 'µ',
};

const reference = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g;
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Text with its character references resolved; one of a control or invisible character stays as it is. */
export function withoutReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(reference, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (!(code > 0 && code <= 0x10ffff)) return whole;
    const character = String.fromCodePoint(code);
    return unseen.test(character) ? whole : character;
  });
}
