import type { AgentEvent } from '../../ports/event.ts';
import type { Block, Message } from '../../ports/message.ts';
import type { AgentState, Run } from '../scope.ts';
import { append } from './conversation.ts';

/** Puts a text of the user's, or of larik's to the model, at the end of the conversation. */
export async function addUserText(run: Run, block: Block): Promise<void> {
  const message: Message = { role: 'user', blocks: [block] };
  await run.ports.log.append({ type: 'message', message });
  run.state.messages = append(run.state.messages, message);
}

/** How many prompts are kept, and how many characters of each. */
const keptPrompts = 3;
const promptLength = 2000;

/** Keeps what the user typed for whoever has to judge calls by it. */
export function rememberPrompt(state: AgentState, text: string): void {
  const kept = text.length > promptLength ? `${text.slice(0, promptLength)}…` : text;
  state.prompts = [...state.prompts, kept].slice(-keptPrompts);
}

/** Puts what the user typed meanwhile behind the latest results. */
export async function* deliverSteering(run: Run): AsyncGenerator<AgentEvent, void> {
  const { state } = run;
  const steering = state.queue.filter((item) => item.kind === 'steering');
  if (steering.length === 0) return;
  state.queue = state.queue.filter((item) => item.kind !== 'steering');
  for (const item of steering) {
    await addUserText(run, { type: 'text', text: item.text });
    rememberPrompt(state, item.text);
  }
  yield { type: 'queue', items: state.queue };
}
