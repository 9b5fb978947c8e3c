import type { Style } from '../../text/line.ts';

/** So many different styles fit on any screen; links make new ones without end. */
const mostStyles = 4096;

function keyOf(style: Style): string {
  const { tone = 'text', ground = 'plain', bold, italic, underline, strike, link = '' } = style;
  const shape = [bold, italic, underline, strike].map((on) => (on === true ? '1' : '0')).join('');
  return `${tone} ${ground} ${shape} ${link}`;
}

/** What of a style is seen where there is no character. */
function blankOf({ tone, ground, underline, strike, link }: Style): Style {
  const isLined = underline === true || strike === true || link !== undefined;
  if (!isLined) return ground === undefined ? {} : { ground };
  return {
    ...(tone !== undefined && { tone }),
    ...(ground !== undefined && { ground }),
    ...(underline === true && { underline }),
    ...(strike === true && { strike }),
    ...(link !== undefined && { link }),
  };
}

/** Styles as numbers, equal ones as the same; 0 is the plain one. */
export class Styles {
  private styles: Style[] = [];
  private blanks: number[] = [];
  private byKey = new Map<string, number>();
  private byStyle = new WeakMap<Style, number>();

  constructor() {
    this.clear();
  }

  get isFull(): boolean {
    return this.styles.length >= mostStyles;
  }

  /** Numbers given before mean nothing after this. */
  clear(): void {
    this.styles = [];
    this.blanks = [];
    this.byKey = new Map();
    this.byStyle = new WeakMap();
    this.numberOf({});
  }

  numberOf(style: Style): number {
    const seen = this.byStyle.get(style);
    if (seen !== undefined) return seen;
    const number = this.numberByKey(style);
    this.byStyle.set(style, number);
    return number;
  }

  /** The style of a blank in a text of this one. */
  blankNumberOf(number: number): number {
    const seen = this.blanks[number];
    if (seen !== undefined) return seen;
    const blank = this.numberOf(blankOf(this.styleOf(number)));
    this.blanks[number] = blank;
    return blank;
  }

  styleOf(number: number): Style {
    return this.styles[number] ?? {};
  }

  private numberByKey(style: Style): number {
    const key = keyOf(style);
    const number = this.byKey.get(key) ?? this.styles.length;
    if (number === this.styles.length) {
      this.byKey.set(key, number);
      this.styles.push(style);
    }
    return number;
  }
}
