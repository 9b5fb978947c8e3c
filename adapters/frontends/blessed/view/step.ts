import type { Tone } from '../text/line.ts';
import type { Effect, Step, View } from './view.ts';

/** The next view with what is to be done for it. */
export function stepTo(view: View, ...effects: Effect[]): Step {
  return { view, effects };
}

/** The view with a short line that stands for so many milliseconds from now on. */
export function telling(
  view: View,
  text: string,
  tone: Extract<Tone, 'muted' | 'warning' | 'error'>,
  { now, standsFor }: { now: number; standsFor: number },
): View {
  return { ...view, told: { text, tone, until: now + standsFor } };
}

/** The view as a turn begins. */
export function withTurn(view: View, now: number): View {
  return { ...view, activity: { type: 'turn', startedAt: now, stopping: false, outputTokens: 0 } };
}
