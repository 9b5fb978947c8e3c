import { keyDescriptions } from '../../../adapters/settings/descriptions.ts';
import { keyText } from '../../../adapters/settings/key-path.ts';
import { jsonText } from '../../../domain/text/json-text.ts';
import { oneLine } from '../../../domain/text/one-line.ts';
import type { CommandOutput } from '../command-output.ts';
import type { Saying, Setting } from './origins.ts';

/** A value on one line: texts as they are, the rest as JSON. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return 'not set';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The layers that a value comes from. */
function layersOf({ sayings }: Setting): string[] {
  const names = sayings.filter(({ status }) => status === 'in force').map(({ layer }) => layer);
  return names.length === 0 ? ['default'] : names;
}

/** `larik config list`: every setting with its value and layer. */
export function showList(settings: readonly Setting[], json: boolean, io: CommandOutput): void {
  const rows = settings.map((one) => ({
    key: keyText(one.path),
    value: one.value ?? null,
    layers: layersOf(one),
  }));
  if (json) {
    io.stdout(`${jsonText(rows)}\n`);
    return;
  }
  const width = Math.max(...rows.map(({ key }) => key.length));
  for (const { key, value, layers } of rows) {
    io.stdout(`${key.padEnd(width)}  ${shownValue(value)}  (${layers.join(', ')})\n`);
  }
}

/** What a key is; `*` in the descriptions is any name. */
function describe(path: readonly string[]): string | undefined {
  const found = Object.keys(keyDescriptions).find((pattern) => {
    const parts = pattern.split('.');
    return parts.length === path.length && parts.every((part, at) => part === '*' || part === path[at]);
  });
  return found === undefined ? undefined : keyDescriptions[found];
}

function line({ layer, source, value, status, why }: Saying): string {
  const where = source === null ? '' : `  ${oneLine(source)}`;
  const reason = why === undefined ? '' : ` (${why})`;
  return `  ${status.padEnd(10)}  ${layer.padEnd(11)}  ${shownValue(value)}${where}${reason}`;
}

/** `larik config explain`: what each layer says, strongest first, and what became of it. */
export function showExplanation(settings: readonly Setting[], json: boolean, io: CommandOutput): void {
  if (json) {
    const rows = settings.map(({ path, value, sayings }) => ({
      key: keyText(path),
      value: value ?? null,
      layers: sayings.toReversed().map((one) => ({ ...one, status: one.status.replace(' ', '_') })),
    }));
    io.stdout(`${jsonText(rows)}\n`);
    return;
  }
  for (const { path, value, sayings } of settings) {
    const about = describe(path);
    io.stdout(`${keyText(path)}: ${shownValue(value)}\n${about === undefined ? '' : `  ${about}\n`}`);
    for (const one of sayings.toReversed()) io.stdout(`${line(one)}\n`);
  }
}
