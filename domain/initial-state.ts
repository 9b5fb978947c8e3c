import type { RunSettings } from '../ports/settings.ts';
import { noUsage } from './budget.ts';
import { resumeNotes, type Restored } from './conversation/restore.ts';
import { parseRules } from './permissions/rules.ts';
import type { AgentOptions, AgentPorts, AgentState } from './scope.ts';

/** The state of an agent that has said nothing yet, or goes on where a session file ends. */
export function initialState(
  ports: AgentPorts,
  options: AgentOptions,
  settings: RunSettings,
  restored: Restored,
): AgentState {
  const { model, seen: _seen, notes, ...kept } = restored;
  const changes = resumeNotes(kept.context, {
    date: ports.clock.today(),
    interactive: options.environment.interactive,
    tools: ports.tools.map((tool) => tool.spec.name),
  });
  return {
    ...kept,
    notes: [...notes, ...changes],
    cleared: false,
    queue: [],
    prompts: [],
    spent: noUsage,
    notedModel: model ?? settings.model,
    fallback: null,
    pending: [
      ...(options.warnings ?? []).map((text) => ({ type: 'notice', level: 'warning', text }) as const),
      ...options.notices.map((text) => ({ type: 'notice', level: 'info', text }) as const),
    ],
    settings,
    rules: parseRules(settings.rules).rules,
    justCompacted: false,
    roomMade: false,
    toldOfBudget: false,
    repairs: new Map(),
    blindTold: new Set(),
  };
}
