import type { AgentEvent } from '../ports/event.ts';
import type { Block, Message } from '../ports/message.ts';
import type { Mode } from '../ports/mode.ts';
import { noUsage } from './budget.ts';
import { compactIfDue } from './context/compaction.ts';
import { freshContext } from './context/fresh-context.ts';
import { append, systemNote } from './conversation/conversation.ts';
import { expandMentions } from './conversation/mentions.ts';
import { nextModel } from './fallback.ts';
import { attachedImages } from './images/attached-images.ts';
import { learnModel } from './local-model.ts';
import { planModeEnded, planModeOn } from './prompt/notes.ts';
import { rememberPrompt } from './conversation/user-text.ts';
import { withoutOwnTags } from './text/one-line.ts';
import type { Asked, Run } from './scope.ts';

/** Begins a fresh context, and records what it begins with. */
async function* openContext(run: Run): AsyncGenerator<AgentEvent, void> {
  const { state, ports } = run;
  const context = yield* freshContext(run);
  await ports.log.append({ type: 'context', reason: state.cleared ? 'clear' : 'startup', ...context });
  state.context = context;
  state.cleared = false;
}

/** What the model must be told of the mode: in plan mode each time, and once when it has ended. */
function modeNotes(mode: Mode, told: Mode): string[] {
  if (mode === 'plan') return [planModeOn];
  return told === 'plan' ? [planModeEnded(mode)] : [];
}

/**
 * Begins a turn: a fresh context where there is none, a new undo unit, and the user's message with
 * what it mentions, behind the notes that have waited (spec: agent-loop, "One turn", 1 to 7). In
 * `material`, which others may have written, nothing is followed.
 */
export async function* openTurn(run: Run, asked: Asked): AsyncGenerator<AgentEvent, void> {
  const { text: prompt, material } = asked;
  const { ports, options, state } = run;
  const { mode, model, effort } = state.settings;
  yield { type: 'turn_start', prompt, mode, model };
  state.turn += 1;
  state.spent = noUsage;
  state.roomMade = false;
  if (state.context === null) yield* openContext(run);

  run.checkpoints.begin(state.turn);
  if (model !== state.notedModel) {
    await ports.log.append({ type: 'model', model, ...(effort === undefined ? {} : { effort }) });
  }
  if (mode !== state.toldMode) await ports.log.append({ type: 'mode', mode });
  await ports.log.append({ type: 'turn', n: state.turn, phase: 'start' });
  yield* learnModel(run, nextModel(run).info.ref);
  yield* compactIfDue(run, false);

  const mentioned = await expandMentions(prompt, { ...run, cwd: options.cwd, images: ports.images });
  const pictures = await attachedImages(asked.images, ports.images, run.signal);
  for (const text of [...pictures.problems, ...mentioned.problems])
    yield { type: 'notice', level: 'warning', text };

  const notes = [...modeNotes(mode, state.toldMode), ...state.notes];
  const blocks: Block[] = notes.map(systemNote);
  // Pictures may speak for themselves, and no provider takes an empty text.
  if (prompt.trim() !== '' || pictures.blocks.length === 0) blocks.push({ type: 'text', text: prompt });
  blocks.push(...pictures.blocks);
  if (material !== '') blocks.push({ type: 'text', text: withoutOwnTags(material) });
  blocks.push(...mentioned.blocks);
  const message: Message = { role: 'user', blocks };
  await ports.log.append({ type: 'message', message, ...run.freshness.drain() });
  state.messages = append(state.messages, message);
  rememberPrompt(state, prompt);
  state.notes = [];
  state.toldMode = mode;
  state.notedModel = model;
}
