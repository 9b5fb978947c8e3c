import type { QueuedPrompt, StampedEvent } from '../../../../ports/event.ts';
import { addPrompt } from '../conversation/additions.ts';
import { changedFilesOf, todosOf } from '../conversation/facts.ts';
import { reduceEvent } from '../conversation/reduce-event.ts';
import { reduceEditor } from '../editor/reduce-editor.ts';
import { goOnAfter } from '../questions/go-on.ts';
import { askedBy } from '../questions/reduce-question.ts';
import { lowerColumns } from './layout.ts';
import { stepTo } from './step.ts';
import type { Effect, Status, Step, View } from './view.ts';

/** A turn that took so long is told of when the terminal has no focus, in milliseconds. */
const longTurn = 10_000;

/** The view after an event, wherever it came from. */
export function reduceEventOf(view: View, event: StampedEvent, now: number): Step {
  const step = reduceParts({ ...view, status: statusAfter(view.status, event) }, event, now);
  return { ...step, view: { ...step.view, conversation: reduceEvent(step.view.conversation, event, now) } };
}

function reduceParts(view: View, event: StampedEvent, now: number): Step {
  switch (event.type) {
    case 'permission_request':
      return stepTo(
        { ...view, questions: [...view.questions, askedBy(event)], dialog: null, help: null },
        { type: 'notify', text: `larik asks about ${event.tool_name}` },
      );
    case 'permission_resolved':
      return stepTo({
        ...view,
        questions: view.questions.filter(({ request }) => request.request_id !== event.request_id),
      });
    case 'queue':
      return stepTo(withQueue(view, event.items));
    case 'usage':
      if (event.agent !== undefined || view.activity.type !== 'turn') return stepTo(view);
      return stepTo({
        ...view,
        activity: { ...view.activity, outputTokens: view.activity.outputTokens + event.turn.output },
      });
    case 'done':
      return event.agent === undefined ? ended(view, event, now) : stepTo(view);
    default:
      return stepTo(view);
  }
}

/** Steering that left the queue was delivered, unless the user took it back, which is known before. */
function withQueue(view: View, items: readonly QueuedPrompt[]): View {
  const delivered = view.queue.filter(
    (item) => item.kind === 'steering' && !items.some(({ id }) => id === item.id),
  );
  const conversation = delivered.reduce(
    (shown, { text }) => addPrompt(shown, { text, images: 0, steering: true }),
    view.conversation,
  );
  return { ...view, queue: items, conversation };
}

type Done = Extract<StampedEvent, { type: 'done' }>;

/** What was queued goes back to where it was typed when the user stops the turn. */
function ended(view: View, event: Done, now: number): Step {
  const { activity } = view;
  const effects: Effect[] = [];
  if (activity.type === 'turn' && now - activity.startedAt > longTurn)
    effects.push({ type: 'notify', text: 'larik has finished' });
  const goOn = goOnAfter(event, view.status);
  const next: View = { ...view, questions: [], goOn };
  const mayGoOn = event.stop_reason === 'end_turn' || view.queue.length === 0;
  if (mayGoOn) return { view: next, effects };
  const texts = [
    ...view.queue.map(({ text }) => text),
    ...(view.editor.text === '' ? [] : [view.editor.text]),
  ];
  const editor = reduceEditor(view.editor, { type: 'set', text: texts.join('\n\n') }, lowerColumns(view));
  for (const { id } of view.queue) effects.push({ type: 'requeue', id, text: null });
  return { view: { ...next, queue: [], editor }, effects };
}

function statusAfter(status: Status, event: StampedEvent): Status {
  const after = { ...status };
  const todos = todosOf(event);
  if (todos !== null && event.agent === undefined) after.todos = todos;
  const changed = changedFilesOf(event).filter((path) => !status.changedFiles.includes(path));
  if (changed.length > 0) after.changedFiles = [...status.changedFiles, ...changed];
  switch (event.type) {
    case 'usage':
      after.usage = event.total;
      after.costUsd = event.cost_usd;
      if (event.agent === undefined) {
        after.contextTokens = event.context_tokens;
        after.contextWindow = event.context_window;
      }
      break;
    case 'turn_start':
      if (event.agent === undefined) after.mode = event.mode;
      break;
    case 'mode_changed':
      after.mode = event.mode;
      break;
    case 'model_changed':
      after.model = event.model;
      after.effort = event.effort;
      break;
    case 'compacted':
      if (event.agent === undefined) after.contextTokens = event.after_tokens;
      break;
    case 'task_started':
      after.tasks = [...status.tasks, { id: event.task_id, label: event.label }];
      break;
    case 'task_done':
      after.tasks = status.tasks.filter(({ id }) => id !== event.task_id);
      break;
    default:
      break;
  }
  return after;
}
