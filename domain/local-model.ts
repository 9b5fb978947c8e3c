import type { AgentEvent } from '../ports/event.ts';
import type { Run } from './scope.ts';

/** Asks a server of the user's own what it knows of a model, where that is not known yet. */
export async function* learnModel(
  { ports, signal }: Pick<Run, 'ports' | 'signal'>,
  ref: string,
): AsyncGenerator<AgentEvent, void> {
  try {
    const notices = (await ports.models.learn?.(ref, signal)) ?? [];
    for (const notice of notices) yield { type: 'notice', ...notice };
  } catch (error) {
    // The turn finds that it was interrupted by itself.
    if (!signal.aborted) throw error;
  }
}
