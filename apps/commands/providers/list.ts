import { isUsable, type ProviderState } from '../../../adapters/providers/overview.ts';
import { jsonText } from '../../../domain/text/json-text.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import type { CommandOutput } from '../command-output.ts';

/** What a terminal shows of a line, at the least. */
const columns = 80;

/** What a provider lacks, or how it is reached; in few words. */
export function standing({ key, served, problem }: ProviderState): string {
  if (problem !== null) return oneLine(problem);
  if (served === null) return 'does not run';
  if (key !== 'unneeded' && 'missing' in key) return `no key (${key.missing.join(' or ')})`;
  const running = runningText(served);
  if (key === 'unneeded') return running ?? 'needs no key';
  return running === null ? `key: ${oneLine(key.found)}` : `${running}, key: ${oneLine(key.found)}`;
}

function runningText(served: ProviderState['served']): string | null {
  if (served === 'no list') return 'answers, but gives no list of models';
  return Array.isArray(served) ? `runs, ${served.length} ${served.length === 1 ? 'model' : 'models'}` : null;
}

/** Two or three lines each, so that long addresses and names of models have room in 80 columns. */
function lines(state: ProviderState, width: number): string {
  const { id, address, defaultModel } = state;
  const indent = ' '.repeat(width + 2);
  const where = `${indent}${oneLine(address ?? 'no address')}`;
  const model = defaultModel === null ? '' : `default ${oneLine(defaultModel.slice(id.length + 1))}`;
  const fits = where.length + 2 + model.length <= columns;
  const more = model === '' ? where : `${where}${fits ? '  ' : `\n${indent}`}${model}`;
  return `${oneLine(id).padEnd(width)}  ${standing(state)}\n${more}\n`;
}

function row(state: ProviderState): object {
  const { id, address, key, served, defaultModel, problem } = state;
  return {
    id,
    usable: isUsable(state),
    address,
    key: key === 'unneeded' ? null : 'found' in key ? key.found : null,
    key_variables: key !== 'unneeded' && 'missing' in key ? key.missing : [],
    running: served === 'not asked' ? null : served !== null,
    models: Array.isArray(served) ? served : null,
    default: defaultModel,
    problem,
  };
}

/** `larik providers [--json]` (spec: cli): the providers, those that can be used first. Returns the exit code. */
export function listProviders(states: readonly ProviderState[], json: boolean, io: CommandOutput): number {
  const sorted = usableFirst(states);
  if (json) {
    io.stdout(`${jsonText(sorted.map(row))}\n`);
    return 0;
  }
  const width = Math.max(...sorted.map(({ id }) => id.length));
  io.stdout(sorted.map((state) => lines(state, width)).join(''));
  return 0;
}

/** Those that can be used before the others, otherwise in their order. */
export function usableFirst(states: readonly ProviderState[]): ProviderState[] {
  return [...states.filter(isUsable), ...states.filter((state) => !isUsable(state))];
}
