import { drawQuestion } from '../../../../../adapters/frontends/blessed/questions/draw-question.ts';
import type {
  PermissionRequest,
  Question,
} from '../../../../../adapters/frontends/blessed/questions/question.ts';
import {
  askedBy,
  drawnQuestion,
  reduceQuestion,
} from '../../../../../adapters/frontends/blessed/questions/reduce-question.ts';
import type { Input } from '../../../../../adapters/frontends/blessed/terminal/input.ts';
import { unicodeGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { textOf } from '../../../../../adapters/frontends/blessed/text/line.ts';

export const look = { glyphs: unicodeGlyphs, now: 0 };

export const room = { columns: 80, mostRows: 16 };

export function request(fields: Partial<PermissionRequest> = {}): PermissionRequest {
  return {
    type: 'permission_request',
    session: 's',
    seq: 1,
    time: 0,
    request_id: 'perm-1',
    tool_id: 't1',
    tool_name: 'bash',
    input: { command: 'npm run build' },
    suggested_rule: 'bash(npm run build*)',
    cwd: '/home/me/larik',
    sandboxed: false,
    reason: 'no rule and no mode covers it',
    ...fields,
  };
}

/** A question whose first frame stood on the screen at 1000. */
export function shownQuestion(fields: Partial<PermissionRequest> = {}, where = room): Question {
  return drawnQuestion(askedBy(request(fields)), 1000, where);
}

export function rowsOf(question: Question, where = room, waiting = 1): string[] {
  return drawQuestion(question, { ...where, waiting, look }).rows.map(textOf);
}

export const text = (letters: string): Input => ({ type: 'text', text: letters });
export const key = (name: string): Input => ({ type: 'key', name });

/** What comes of inputs, one every so many milliseconds from a time on, each with its frame. */
export function after(question: Question, inputs: readonly Input[], from = 2000, every = 10, where = room) {
  let step = reduceQuestion(question, inputs[0] ?? text(''), { ...where, now: from });
  for (const [at, input] of inputs.entries()) {
    if (at === 0) continue;
    if (step.answer !== undefined) break;
    const now = from + at * every;
    step = reduceQuestion(drawnQuestion(step.question, now, where), input, { ...where, now });
  }
  return step;
}
