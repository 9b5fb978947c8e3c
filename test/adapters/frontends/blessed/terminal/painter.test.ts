import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Painter } from '../../../../../adapters/frontends/blessed/terminal/painter.ts';
import { paletteOf, type Palette } from '../../../../../adapters/frontends/blessed/terminal/palette.ts';
import { cellsOf, graphemesOf } from '../../../../../adapters/frontends/blessed/text/cells.ts';
import type { Line, Style } from '../../../../../adapters/frontends/blessed/text/line.ts';
import { screenAfter } from '../../../../tui/pty.ts';
import { testTheme } from './test-theme.ts';

const palette: Palette = paletteOf(testTheme, { colours: 16_777_216, links: true });
const size = { columns: 20, rows: 4 };

const row = (text: string, style: Style = {}): Line => [{ text, style }];
const frame = (rows: readonly Line[], cursor: { x: number; y: number } | null = null) => ({ rows, cursor });

/** The bytes of the last of several frames. */
function lastBytes(...frames: ReturnType<typeof frame>[]): string {
  const painter = new Painter(palette);
  return frames.map((each) => painter.paint(each, size)).at(-1) ?? '';
}

describe('a painter of frames', () => {
  it('writes nothing if nothing changed', () => {
    expect(lastBytes(frame([row('one')]), frame([row('one')]))).toBe('');
  });

  it('writes only what changed', () => {
    const bytes = lastBytes(
      frame([row('one'), row('count: 41 of 90')]),
      frame([row('one'), row('count: 42 of 90')]),
    );
    expect(bytes).toBe('\u001b[?2026h\u001b[2;9H2\u001b[?2026l');
  });

  it('jumps over what stays, unless the jump is longer', () => {
    const before = frame([row('abcdefghijklmno')]);
    expect(lastBytes(before, frame([row('XbcdefghijklmnX')]))).toBe(
      '\u001b[?2026h\u001b[1;1HX\u001b[1;15HX\u001b[?2026l',
    );
    expect(lastBytes(before, frame([row('XbcXefghijklmno')]))).toBe(
      '\u001b[?2026h\u001b[1;1HXbcX\u001b[?2026l',
    );
  });

  it('clears the end of a row at once', () => {
    expect(lastBytes(frame([row('a long row of text')]), frame([row('a')]))).toBe(
      '\u001b[?2026h\u001b[1;3H\u001b[K\u001b[?2026l',
    );
  });

  it('moves the cursor alone if only that moved', () => {
    const rows = [row('one')];
    expect(lastBytes(frame(rows, { x: 1, y: 0 }), frame(rows, { x: 3, y: 0 }))).toBe('\u001b[1;4H');
    expect(lastBytes(frame(rows, { x: 1, y: 0 }), frame(rows))).toBe('\u001b[?25l');
    expect(lastBytes(frame(rows), frame(rows, { x: 1, y: 0 }))).toBe('\u001b[1;2H\u001b[?25h');
  });

  it('TUI-05 leaves the cursor behind wide characters where it is to stand', async () => {
    const bytes = lastBytes(frame([row('你好')], { x: 4, y: 0 }));
    expect(bytes.endsWith('\u001b[1;5H\u001b[?25h\u001b[?2026l')).toBe(true);
    expect((await screenAfter(bytes, 20, 4)).cursor).toEqual({ x: 4, y: 0 });
  });

  it('hides the cursor while it paints', () => {
    const bytes = lastBytes(frame([row('a')], { x: 0, y: 0 }), frame([row('b')], { x: 0, y: 0 }));
    expect(bytes).toBe('\u001b[?2026h\u001b[?25l\u001b[1;1Hb\u001b[1;1H\u001b[?25h\u001b[?2026l');
  });

  it('paints all again after it was told to forget, and in another size', () => {
    const painter = new Painter(palette);
    const one = frame([row('one')]);
    const first = painter.paint(one, size);
    painter.forget();
    expect(painter.paint(one, size)).toBe(first);
    expect(painter.paint(one, { columns: 10, rows: 2 })).toContain('\u001b[2J');
  });

  it('puts what follows an emoji where it belongs, whatever its width is to the terminal', async () => {
    const painter = new Painter(palette);
    const bytes = painter.paint(frame([row('👨‍👩‍👧|✅|🇩🇪|')]), size);
    const cells = (await screenAfter(bytes, 20, 4)).cells(0);
    expect([2, 5, 8].map((x) => cells[x]?.text)).toEqual(['|', '|', '|']);
    const after = painter.paint(frame([row('plain')]), size);
    expect((await screenAfter(bytes + after, 20, 4)).rows[0]).toBe('plain');
  });

  it('replaces what controls a terminal, and shows nothing of what is invisible', async () => {
    const bytes = lastBytes(frame([row('a\u001b[2Jb\u202ec\u200bd\r\ne\u009b')]));
    expect((await screenAfter(bytes, 20, 4)).rows[0]).toBe('a?[2Jbcd?e?');
  });

  it('cuts off what does not fit, and no wide character in half', async () => {
    const rows = [
      row('x'.repeat(30)),
      row('你'.repeat(30)),
      row(`x${'你'.repeat(30)}`),
      row('y'.repeat(30)),
      row('z'),
    ];
    const screen = await screenAfter(lastBytes(frame(rows)), 20, 4);
    expect(screen.rows).toEqual(['x'.repeat(20), '你'.repeat(10), `x${'你'.repeat(9)}`, 'y'.repeat(20)]);
  });

  it('opens a link once and closes it', () => {
    const bytes = lastBytes(
      frame([[...row('see '), ...row('here', { link: 'https://example.org/' }), ...row('.')]]),
    );
    expect(bytes).toMatch(/see \u001b\]8;id=\w+;https:\/\/example\.org\/\u001b\\here\u001b\]8;;\u001b\\\./);
  });

  it('keeps within its memory of styles', async () => {
    const painter = new Painter(palette);
    let bytes = '';
    for (let at = 0; at < 5000; at += 1) {
      bytes = painter.paint(frame([row(`link ${at}`, { link: `https://example.org/${at}` })]), size);
    }
    expect(bytes).toContain('https://example.org/4999');
  });

  it('brings any screen to any other', async () => {
    const texts = ['a', 'bc ', ' ', '你', '好', 'é', 'e\u0301', '한', '─', 'שלום', '\u200b'];
    const style = fc.constantFrom<Style>(
      {},
      { tone: 'accent' },
      { ground: 'selected', bold: true },
      { underline: true },
    );
    const line = fc.array(
      fc.record({
        text: fc.array(fc.constantFrom(...texts), { maxLength: 8 }).map((all) => all.join('')),
        style,
      }),
      { maxLength: 4 },
    );
    const screens = fc.array(fc.array(line, { maxLength: 4 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(screens, async (all) => {
        const painter = new Painter(palette);
        const bytes = all.map((rows) => painter.paint(frame(rows), size)).join('');
        const [gradual, whole] = await Promise.all([
          screenAfter(bytes, 20, 4),
          screenAfter(new Painter(palette).paint(frame(all.at(-1) ?? []), size), 20, 4),
        ]);
        for (let y = 0; y < size.rows; y += 1) expect(gradual.cells(y)).toEqual(whole.cells(y));
        expect(whole.rows.map((shown) => shown.trimEnd())).toEqual(
          Array.from({ length: 4 }, (_, y) => plainText(all.at(-1)?.[y] ?? [])),
        );
      }),
      { numRuns: 150 },
    );
  });
});

/** What of a line fits into the columns. */
function plainText(line: Line): string {
  let text = '';
  let used = 0;
  for (const grapheme of line.flatMap((part) => [...graphemesOf(part.text)])) {
    const cells = cellsOf(grapheme);
    if (used + cells > size.columns) break;
    if (cells > 0) text += grapheme;
    used += cells;
  }
  return text.trimEnd();
}
