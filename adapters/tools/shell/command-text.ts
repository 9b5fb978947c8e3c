import { byteLength, cutEnd, cutStart } from '../../../domain/text/cut.ts';
import { cleanTerminalText } from '../../../domain/text/terminal/terminal-text.ts';

/** A command's output as it was kept: `omitted` bytes are missing between head and tail. */
export interface KeptText {
  head: string;
  tail: string;
  omitted: number;
  file: string | null;
  /** Of a flood the file has only the beginning, this many bytes. */
  fileBytes?: number;
}

/**
 * Output as the model gets it: cleaned, and of at most `limit` bytes, with a line where the middle is
 * left out that says how much is missing and where all of it lies (spec: tools, "Output cap").
 */
export function commandText(kept: KeptText, limit: number): string {
  const { head, tail, omitted } = kept;
  const start = cleanTerminalText(head);
  const end = cleanTerminalText(tail);
  if (omitted === 0 && end === '' && byteLength(start) <= limit) return start;
  const room = Math.max(0, limit - byteLength(leftOut(Number.MAX_SAFE_INTEGER, kept)) - 2);
  const cutHead = cutEnd(start, Math.ceil(room / 2));
  const rest = omitted === 0 && end === '' ? start.slice(cutHead.length) : end;
  const cutTail = cutStart(rest, Math.floor(room / 2));
  const missing =
    omitted +
    byteLength(start.slice(cutHead.length)) +
    byteLength(end) -
    (rest === end ? 0 : byteLength(end));
  const lost = missing - byteLength(cutTail);
  return [cutHead.replace(/\n$/, ''), leftOut(Math.max(lost, 0), kept), cutTail.replace(/^\n/, '')].join(
    '\n',
  );
}

function leftOut(bytes: number, kept: KeptText): string {
  return kept.file === null
    ? `[… ${bytes} bytes left out …]`
    : `[… ${bytes} bytes left out; ${whereItIs(kept)} …]`;
}

/** Where all of a long output lies, or the beginning of a flood. */
export function whereItIs({ file, fileBytes }: Pick<KeptText, 'file' | 'fileBytes'>): string {
  const what = fileBytes === undefined ? 'all' : `the first ${Math.floor(fileBytes / 2 ** 20)} MiB`;
  return `${what} of it ${fileBytes === undefined ? 'is' : 'are'} in ${file}, for \`read\` or \`grep\``;
}

/** `0.4 s`, `12 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
