import { ConversationDrawing } from '../../../adapters/frontends/blessed/conversation/viewport.ts';
import { unicodeGlyphs } from '../../../adapters/frontends/blessed/look/glyphs.ts';
import { darkTheme } from '../../../adapters/frontends/blessed/look/themes.ts';
import { Painter } from '../../../adapters/frontends/blessed/terminal/painter.ts';
import { paletteOf } from '../../../adapters/frontends/blessed/terminal/palette.ts';
import { frameOf } from '../../../adapters/frontends/blessed/view/frame.ts';
import { initialView } from '../../../adapters/frontends/blessed/view/initial-view.ts';
import { reduce, type Around } from '../../../adapters/frontends/blessed/view/reduce.ts';
import type { Action, Size, View } from '../../../adapters/frontends/blessed/view/view.ts';
import type { AgentEvent } from '../../../ports/event.ts';

const settings = { theme: 'auto' as const, themes: [], keys: {}, mouse: true, notifications: false };

/** Writes for a terminal with all colours. */
export const painterOf = (): Painter =>
  new Painter(paletteOf(darkTheme, { colours: 16_777_216, links: true }));

/** A screen without a terminal: what an action makes of it, as the bytes that would be written. */
export class Screen {
  readonly #drawing = new ConversationDrawing();
  readonly #painter = painterOf();
  #view: View;
  #now = 1_000_000;
  #seq = 0;

  constructor(size: Size) {
    const known = { model: 'bench/bench', contextTokens: 50_000, contextWindow: 200_000, costUsd: 0.5 };
    this.#view = initialView(size, settings, [], known);
    this.act({ type: 'activity', activity: { type: 'idle' } });
  }

  act(action: Action): void {
    this.#view = reduce(this.#view, action, this.#around()).view;
  }

  hear(event: AgentEvent): void {
    this.#seq += 1;
    this.act({ type: 'event', event: { ...event, session: 's', seq: this.#seq, time: this.#now } });
  }

  /** The bytes of the next frame, 16 ms later. */
  frame(): string {
    this.#now += 16;
    return this.#painter.paint(frameOf(this.#view, this.#around()), this.#view.size);
  }

  #around(): Around {
    return { look: { glyphs: unicodeGlyphs, now: this.#now }, drawing: this.#drawing };
  }
}

/** A key by its name. */
export const key = (name: string): Action => ({ type: 'input', input: { type: 'key', name } });
export const typed = (text: string): Action => ({ type: 'input', input: { type: 'text', text } });
