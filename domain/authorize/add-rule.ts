import { isPortError } from '../../ports/errors.ts';
import type { AgentEvent } from '../../ports/event.ts';
import type { Facts, PermissionCall } from '../permissions/facts.ts';
import { matchingAllow } from '../permissions/rule-match.ts';
import { parseRule } from '../permissions/rules.ts';
import type { Run } from '../scope.ts';

/** What became of an answer "always"; `events` tell the user what is not as they may think. */
export interface AddedRule {
  /** As it holds now; null: it does not. */
  rule: string | null;
  /** Later sessions of this project will have it too. */
  persisted: boolean;
  events: AgentEvent[];
}

function told(text: string): AgentEvent {
  return { type: 'notice', level: 'warning', code: 'rule', text };
}

/** Keeps the rule for later sessions. Null where that was done; else why not, empty if nobody keeps rules. */
async function save(run: Run, rule: string): Promise<string | null> {
  const { savedRules } = run.ports;
  if (savedRules === undefined) return '';
  try {
    await savedRules.allow(rule);
    return null;
  } catch (error) {
    if (!isPortError(error, 'settings')) throw error;
    return error.message;
  }
}

/**
 * "Always": the rule holds from now on for all calls that follow, and is kept in the user's private
 * settings of the project (spec: permissions, "Authorize"). `text` is the suggested rule, or what the
 * user made of it.
 */
export async function addRule(
  run: Run,
  text: string,
  call: PermissionCall,
  facts: Facts,
): Promise<AddedRule> {
  const { state, options } = run;
  const rule = parseRule({ text, origin: 'this session' });
  if (typeof rule === 'string') {
    const events = [told(`The rule \`${text}\` was not added: ${rule}`)];
    return { rule: null, persisted: false, events };
  }
  const { settings, rules } = state;
  const allow = [...settings.rules.allow, rule.source];
  state.settings = { ...settings, rules: { ...settings.rules, allow } };
  state.rules = { ...rules, allow: [...rules.allow, rule] };

  const added = rule.source.text;
  const events: AgentEvent[] = [];
  if (matchingAllow([rule], call, facts, options) === null) {
    events.push(
      told(`The rule \`${added}\` does not cover this call, so the next one like it is asked about.`),
    );
  }
  const unsaved = await save(run, added);
  if (unsaved !== null && unsaved !== '') {
    events.push(
      told(`The rule \`${added}\` holds for this session only, since it could not be saved:\n${unsaved}`),
    );
  }
  return { rule: added, persisted: unsaved === null, events };
}
