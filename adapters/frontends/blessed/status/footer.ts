import { oneLine } from '../../../../domain/text/one-line.ts';
import type { Mode } from '../../../../ports/mode.ts';
import type { Glyphs, Look } from '../look/glyphs.ts';
import { cutLine, span, type Line, type Tone } from '../text/line.ts';
import type { Status, View } from '../view/view.ts';
import { moneyText, tokensText } from '../text/amounts.ts';
import { colouredLine } from './coloured-line.ts';
import { rowOfParts, type RowPart } from './row-parts.ts';

type Name = 'mode' | 'model' | 'sandbox' | 'tasks' | 'recording' | 'cost' | 'context';

/** What is least missed goes first. That nothing confines commands, and the mode, stay longest. */
const confined: readonly Name[] = [
  'model',
  'context',
  'sandbox',
  'cost',
  'model',
  'tasks',
  'context',
  'cost',
  'model',
  'recording',
  'context',
];
const unconfined: readonly Name[] = [...confined.filter((name) => name !== 'sandbox'), 'sandbox'];

const modeTones: Readonly<Record<Mode, Tone>> = {
  default: 'muted',
  plan: 'accent',
  'accept-edits': 'accent',
  auto: 'warning',
  yolo: 'error',
};

/** Cells of the bar. */
const barCells = 8;

/** Muted, and from 70 % and 90 % on more than that (spec: tui, "Footer"). */
export function fillTone(part: number): Tone {
  if (part >= 0.9) return 'error';
  return part >= 0.7 ? 'warning' : 'muted';
}

/** Full cells of the bar: none only for nothing, all only for everything. */
function fullCells(part: number): number {
  if (part <= 0) return 0;
  return part >= 1 ? barCells : Math.max(1, Math.min(barCells - 1, Math.round(part * barCells)));
}

function contextForms({ contextTokens, contextWindow }: Status, glyphs: Glyphs): Line[] {
  if (contextTokens === null) return [];
  const used = tokensText(contextTokens);
  if (contextWindow === null || contextWindow <= 0) {
    return [[span(`ctx ${used}`, { tone: 'muted' })], [span(used, { tone: 'muted' })]];
  }
  const part = contextTokens / contextWindow;
  const tone = fillTone(part);
  const full = fullCells(part);
  const counts = `${used}/${tokensText(contextWindow)}`;
  const bar: Line = [
    span('ctx ', { tone: 'muted' }),
    ...(full === 0 ? [] : [span(glyphs.full.repeat(full), { tone: tone === 'muted' ? 'accent' : tone })]),
    ...(full === barCells ? [] : [span(glyphs.empty.repeat(barCells - full), { tone: 'muted' })]),
    span(` ${counts}`, { tone }),
  ];
  return [bar, [span(counts, { tone })], [span(`${Math.round(part * 100)}%`, { tone })]];
}

function costForms({ costUsd, budgetUsd }: Status): Line[] {
  if (costUsd === null) return [];
  const cost = moneyText(costUsd);
  if (budgetUsd === null) return [[span(cost, { tone: 'muted' })]];
  const tone = budgetUsd > 0 ? fillTone(costUsd / budgetUsd) : 'error';
  return [[span(`${cost} of ${moneyText(budgetUsd)}`, { tone })], [span(cost, { tone })]];
}

function modelForms({ model, effort }: Status): Line[] {
  if (model === null) return [[span('no model', { tone: 'warning' })]];
  const name = oneLine(model);
  const short = name.slice(name.lastIndexOf('/') + 1);
  const behind = effort === null ? [] : [span(` ${oneLine(effort)}`, { tone: 'muted' as const })];
  return [[span(name), ...behind], [span(short), ...behind], [span(short)]];
}

function sandboxForms({ surroundings }: Status): Line[] {
  const sandbox = surroundings?.sandbox;
  if (sandbox === undefined) return [];
  if (!sandbox.works) return [[span('no sandbox', { tone: 'warning' })]];
  return [[span(sandbox.network ? 'sandbox with network' : 'sandbox', { tone: 'muted' })]];
}

function partsOf(status: Status, glyphs: Glyphs): Record<Name, RowPart> {
  const { tasks, surroundings } = status;
  const running = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}`;
  const recording = [span(`${glyphs.recording} rec`, { tone: 'error' as const })];
  return {
    mode: { side: 'left', forms: [[span(status.mode, { tone: modeTones[status.mode] })]] },
    model: { side: 'left', forms: modelForms(status) },
    sandbox: { side: 'left', forms: sandboxForms(status) },
    tasks: { side: 'left', forms: tasks.length === 0 ? [] : [[span(running, { tone: 'accent' })]] },
    recording: { side: 'left', forms: surroundings?.recording === true ? [recording] : [] },
    cost: { side: 'right', forms: costForms(status) },
    context: { side: 'right', forms: contextForms(status, glyphs) },
  };
}

/** The row below the input, and under it that of the user's status-line command, if there is one. */
export function drawFooter({ status }: Pick<View, 'status'>, columns: number, look: Look): readonly Line[] {
  const { glyphs } = look;
  const steps = status.surroundings?.sandbox?.works === false ? unconfined : confined;
  const first = rowOfParts(partsOf(status, glyphs), steps, columns, glyphs);
  const own = status.line === null ? [] : colouredLine(status.line);
  return own.length === 0 ? [first] : [first, cutLine(own, columns, glyphs.more)];
}
