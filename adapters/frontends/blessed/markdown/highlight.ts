import { withinLines, type HighlightNode } from './highlight-nodes.ts';
import type { Line } from '../text/line.ts';

/** UTF-16 units; a longer text is drawn plain, since it would hold up the keys. */
const longestCode = 16_384;
const longestLine = 2_000;

interface Grammars {
  registered(language: string): boolean;
  highlight(language: string, code: string): { children: readonly HighlightNode[] };
}

let grammars: Grammars | null = null;
let loading: Promise<void> | null = null;

/** Whether code is drawn in colours now; `loadHighlighter` makes it so. */
export const highlighter: { readonly ready: boolean } = {
  get ready() {
    return grammars !== null;
  },
};

/** Changes when code that was drawn before would be drawn otherwise now. */
export function highlightVersion(): number {
  return grammars === null ? 0 : 1;
}

/** Loads the grammars, which take longer than a frame: not before the first one is on the screen. */
export function loadHighlighter(): Promise<void> {
  loading ??= import('./grammars.ts').then((loaded) => {
    grammars = loaded.grammars;
  });
  return loading;
}

/** Lines of code in colours; null: as it is, for its language is unknown or it is too long. */
export function highlightCode(code: string, language: string): readonly Line[] | null {
  if (grammars === null || code.length > longestCode || !grammars.registered(language)) return null;
  const lines = code.split('\n');
  if (lines.some((line) => line.length > longestLine)) return null;
  try {
    return withinLines(grammars.highlight(language, code).children);
  } catch {
    return null;
  }
}
