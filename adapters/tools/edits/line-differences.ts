/** A way in which two texts can look alike and differ. */
interface Disguise {
  name: string;
  same(text: string): string;
}

const quotes = (text: string) =>
  text.replace(/[\u2018\u2019\u201a\u201b`´]/g, "'").replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"');

const disguises: readonly Disguise[] = [
  {
    name: 'the same letters are in another unicode form (composed, NFC, or decomposed, NFD)',
    same: (text) => text.normalize('NFC'),
  },
  { name: 'the quotes are of another kind', same: quotes },
  {
    name: 'the dashes are of another kind',
    same: (text) => text.replace(/[\u2010-\u2015\u2212]/g, '-'),
  },
  {
    name: 'there are no-break or other special blanks',
    same: (text) => text.replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '),
  },
  {
    name: 'there are characters that show nothing',
    same: (text) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
  },
  { name: 'backslashes are doubled or missing', same: (text) => text.replace(/\\+/g, '\\') },
];

const blanks = (text: string) => text.replace(/\s+/g, ' ').trim();

/** A line without all that can be mistaken. */
export function loose(line: string): string {
  return blanks(disguises.reduce((text, { same }) => same(text), line));
}

/** How line `number` of the file differs from the line that was sent for it, in words; null if it does not. */
export function lineDifference(number: number, inFile: string, sent: string): string | null {
  if (inFile === sent) return null;
  const where = `line ${number}`;
  const disguise = disguises.find(({ same }) => same(inFile).includes(same(sent)));
  if (disguise && !inFile.includes(sent)) return `${where}: ${disguise.name}`;
  if (inFile.trim() === sent.trim()) return `${where}: ${blankDifference(inFile, sent)}`;
  if (loose(inFile) === loose(sent)) {
    const also = disguises.find(({ same }) => blanks(same(inFile)) === blanks(same(sent)));
    const other = also && blanks(inFile) !== blanks(sent) ? `${also.name}, and ` : '';
    return `${where}: ${other}the blanks differ; escaped, the file has ${escaped(inFile)}`;
  }
  return `${where}: ${wordDifference(inFile, sent)}`;
}

function blankDifference(inFile: string, sent: string): string {
  const indent = (line: string) => /^\s*/.exec(line)?.[0] ?? '';
  if (indent(inFile) !== indent(sent)) {
    return `the file begins with ${inWords(indent(inFile))}, the call with ${inWords(indent(sent))}; escaped, the file has ${escaped(inFile)}`;
  }
  const end = (line: string) => /\s*$/.exec(line)?.[0] ?? '';
  return `the file ends with ${inWords(end(inFile))}, the call with ${inWords(end(sent))}; escaped, the file has ${escaped(inFile)}`;
}

const longestShown = 160;

function escaped(line: string): string {
  const text = JSON.stringify(line);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

function inWords(space: string): string {
  const names: Readonly<Record<string, [string, string]>> = {
    '\t': ['tab', 'tabs'],
    ' ': ['blank', 'blanks'],
    '\r': ['CR', 'CRs'],
  };
  const runs = space.match(/\t+| +|\r+|[^\t \r]+/g) ?? [];
  const words = runs.map((run) => {
    const [one, many] = names[run[0] ?? ''] ?? ['special blank', 'special blanks'];
    return run.length === 1 ? `one ${one}` : `${run.length} ${many}`;
  });
  return words.length === 0 ? 'no blank' : words.join(' and ');
}

/** The part that differs, with the words around it. */
function wordDifference(inFile: string, sent: string): string {
  const a = inFile.trim();
  const b = sent.trim();
  if (a === '') return `the file has an empty line, the call has \`${cut(b)}\``;
  if (b === '') return `the file has \`${cut(a)}\`, the call an empty line`;
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  // Out to the ends of the words.
  while (start > 0 && /[\w.]/.test(a[start - 1] ?? '')) start -= 1;
  while (end > 0 && /[\w.]/.test(a[a.length - end] ?? '')) end -= 1;
  const [mine, theirs] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (mine === '') return `the call has \`${cut(theirs)}\` where the file has nothing`;
  if (theirs === '') return `the file has \`${cut(mine)}\` where the call has nothing`;
  return `the file has \`${cut(mine)}\`, the call \`${cut(theirs)}\``;
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
