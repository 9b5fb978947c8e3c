import { oneLine } from '../../../../domain/text/one-line.ts';
import type { Look } from '../look/glyphs.ts';
import { cellsOf } from '../text/cells.ts';
import { cutLine, span, type Line } from '../text/line.ts';
import type { Status, View } from '../view/view.ts';

/** The longest of these that fits, or the last. */
function fitting(columns: number, forms: readonly string[]): string {
  return forms.find((form) => cellsOf(form) <= columns) ?? forms.at(-1) ?? '';
}

function answering({ model, effort }: Status, columns: number): Line {
  if (model === null) {
    const forms = ['No model yet: /connect adds a provider.', 'No model yet: /connect', '/connect a model'];
    return [span(fitting(columns, forms), { tone: 'warning' })];
  }
  const name = oneLine(model);
  const short = name.slice(name.lastIndexOf('/') + 1);
  const how = effort === null ? '' : `, effort ${oneLine(effort)}`;
  return [span(fitting(columns, [`${name} answers${how}.`, `${name} answers.`, `${short} answers.`, short]))];
}

/** Which larik it is, and where; unknown until the session is open. */
function about({ surroundings }: Status, { glyphs }: Look, columns: number): Line {
  if (surroundings === null) return [span('larik', { tone: 'muted' })];
  const { version, branch } = surroundings;
  const folder = oneLine(surroundings.folder);
  const name = `larik ${oneLine(version)}`;
  const between = ` ${glyphs.between} `;
  const where = branch === undefined ? folder : `${folder} on ${oneLine(branch)}`;
  return [span(fitting(columns, [name + between + where, name + between + folder, name]), { tone: 'muted' })];
}

/** What stands where there is no conversation yet: what to type, who answers, how to leave. */
export function drawStart(
  { status }: Pick<View, 'status'>,
  columns: number,
  rows: number,
  look: Look,
): readonly Line[] {
  const type = [
    'Say what is to be done; / for commands, @ for files, ! for a shell command.',
    'Say what is to be done; / commands, @ files, ! shell.',
    'Say what is to be done.',
    'Say what to do.',
  ];
  const leave = ['ctrl+c twice leaves; ? shows all keys.', 'ctrl+c twice leaves.'];
  const lines: Line[] = [
    about(status, look, columns),
    [],
    [span(fitting(columns, type))],
    answering(status, columns),
    [span(fitting(columns, leave), { tone: 'muted' })],
  ];
  // The three lines count more than what stands above them.
  const shown = rows >= 6 ? [[], ...lines] : lines.slice(Math.max(0, lines.length - Math.max(0, rows)));
  return shown.map((row) => cutLine(row, columns, look.glyphs.more));
}
