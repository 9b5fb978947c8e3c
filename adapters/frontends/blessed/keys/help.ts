import { oneLine } from '../../../../domain/text/one-line.ts';
import type { CommandRow } from '../../host.ts';
import { asciiGlyphs, type Look } from '../look/glyphs.ts';
import { cutLine, line, lineCells, padLine, span, type Line } from '../text/line.ts';
import { wrapLine } from '../text/wrap.ts';
import { actionGroups, actions } from './actions.ts';
import { shownKey } from './key-name.ts';
import { keysOf, type Keymap } from './keymap.ts';

/** The list of keys and commands: its rows on the screen, and how far it scrolls. */
export interface DrawnHelp {
  rows: readonly Line[];
  /** The last row that can be the first on the screen. */
  most: number;
}

interface Entry {
  name: string;
  about: string;
  /** Behind it, muted. */
  note?: string;
}

interface Section {
  title: string;
  entries: readonly Entry[];
}

/** Cells from which keys and commands stand side by side. */
const twoColumns = 72;

/** Cells between two columns. */
const gap = 3;

/** Cells of one column at most. */
const widest = 72;

const input: Section = {
  title: 'In the input',
  entries: [
    { name: '/', about: 'commands' },
    { name: '@', about: 'a file or folder' },
    { name: '!', about: 'a shell command of your own, in the sandbox' },
    { name: '?', about: 'this list, where the input is empty' },
    { name: 'shift+mouse', about: 'select text' },
  ],
};

const notes = { empty: 'input empty', running: 'while a turn runs' };

function keySections(keymap: Keymap, isAscii: boolean): Section[] {
  return actionGroups.map((title) => ({
    title,
    entries: actions
      .filter(({ group }) => group === title)
      .map(({ name, about, when }) => ({
        name:
          keysOf(keymap, name)
            .map((key) => shownKey(key, isAscii))
            .join(', ') || 'no key',
        about: isAscii ? about.replaceAll('↑', 'up').replaceAll('↓', 'down') : about,
        ...(when === undefined ? {} : { note: notes[when] }),
      })),
  }));
}

function commandSection(commands: readonly CommandRow[]): Section {
  return {
    title: 'Commands',
    // Arguments are told where a command is typed.
    entries: commands.map(({ name, about, source }) => ({
      name: oneLine(`/${name}`),
      about: oneLine(about),
      ...(source === undefined ? {} : { note: oneLine(source) }),
    })),
  };
}

function entryRows({ name, about, note }: Entry, columns: number): Line[] {
  const nameCells = Math.min(20, Math.max(8, Math.floor(columns * 0.4)));
  const words: Line = [span(about), ...(note === undefined ? [] : [span(` (${note})`, { tone: 'muted' })])];
  const left = wrapLine(line(name, { tone: 'accent' }), nameCells);
  const right = wrapLine(words, Math.max(1, columns - nameCells - 1));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => [
    ...padLine(left[at] ?? [], nameCells + 1),
    ...(right[at] ?? []),
  ]);
}

function sectionRows(sections: readonly Section[], columns: number): Line[] {
  return sections
    .filter(({ entries }) => entries.length > 0)
    .flatMap(({ title, entries }, at) => [
      ...(at === 0 ? [] : [[]]),
      line(title, { bold: true }),
      ...entries.flatMap((entry) => entryRows(entry, columns)),
    ]);
}

function sideBySide(left: readonly Line[], right: readonly Line[], columns: number): Line[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const other = right[at] ?? [];
    return other.length === 0 ? (left[at] ?? []) : [...padLine(left[at] ?? [], columns + gap), ...other];
  });
}

/**
 * All keys as they are bound, by group, and all slash commands, in so many rows from `scroll` on. Two
 * columns where there is room.
 */
export function drawHelp(drawing: {
  keymap: Keymap;
  commands: readonly CommandRow[];
  columns: number;
  rows: number;
  scroll: number;
  look: Look;
}): DrawnHelp {
  const { keymap, commands, columns, rows, look } = drawing;
  const { glyphs } = look;
  const keys = keySections(keymap, glyphs.newBelow === asciiGlyphs.newBelow);
  const rest = [input, commandSection(commands)];
  const half = Math.min(widest, Math.floor((columns - gap) / 2));
  const all =
    columns < twoColumns
      ? sectionRows([...keys, ...rest], Math.min(columns, widest))
      : sideBySide(sectionRows(keys, half), sectionRows(rest, half), half);
  const hasTitle = rows >= 3;
  const height = Math.max(1, rows - (hasTitle ? 2 : 0));
  const most = Math.max(0, all.length - height);
  const scroll = Math.min(Math.max(0, drawing.scroll), most);
  const shown = all.slice(scroll, scroll + height);
  const place =
    most === 0 ? '' : ` ${glyphs.between} ${scroll + 1} to ${scroll + shown.length} of ${all.length}`;
  const title: Line = [
    span('Keys and commands', { bold: true, tone: 'accent' }),
    span(`  esc closes${place}`, { tone: 'muted' }),
  ];
  const fitted = [...(hasTitle ? [title, []] : []), ...shown].map((row) =>
    lineCells(row) <= columns ? row : cutLine(row, columns, glyphs.more),
  );
  return { rows: fitted, most };
}
