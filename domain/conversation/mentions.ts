import { isPortError } from '../../ports/errors.ts';
import type { Images } from '../../ports/images.ts';
import type { Block } from '../../ports/message.ts';
import type { ToolContext } from '../../ports/tool.ts';
import { attachedFile, attachedFolder, maxFileBytes } from './attachments.ts';
import { fitImage } from '../images/fit-image.ts';
import { pictureScaled } from '../prompt/pictures.ts';
import { imageFacts, imageFileBytes, imageType } from '../text/image.ts';
import { oneLine } from '../text/one-line.ts';

/** A file or folder that a prompt names with `@`. */
export interface Mention {
  path: string;
  /** First and last line, from 1. */
  range?: [number, number];
}

/** Longer ones are no paths. */
const longestPath = 4096;

/** More than these are not attached from one prompt. */
const maxMentions = 50;

const mention = /(?<=^|[\s([{<"'`,;])@(?:"([^"\n]+)"(:\d+(?:-\d+)?)?|([^\s"'`@<>|*][^\s"'`<>|*]*))/g;
const lineRange = /:(\d+)(?:-(\d+))?$/;

/** Takes away what belongs to the sentence and not to the path: a full stop, a bracket without its partner. */
function withoutPunctuation(text: string): string {
  const partners: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
  let path = text;
  for (;;) {
    const last = path.at(-1) ?? '';
    const partner = partners[last];
    const count = (character: string): number => path.split(character).length - 1;
    const strip = partner === undefined ? /[.,;:!?]/.test(last) : count(last) > count(partner);
    if (!strip) return path;
    // `..` is a folder, not the end of a sentence.
    if (/(?:^|\/)\.\.?$/.test(path)) return path;
    path = path.slice(0, -1);
  }
}

function withRange(path: string, range: RegExpExecArray | null): Mention {
  if (range === null) return { path };
  const from = Math.max(1, Number(range[1]));
  const to = Math.max(1, Number(range[2] ?? range[1]));
  return { path, range: [Math.min(from, to), Math.max(from, to)] };
}

/**
 * What a prompt mentions: `@path`, `@path:10-20`, `@"path with blanks"`, each once, in order. It goes
 * by the text alone: `@scope/package` is among them, and is a mention only if such a file exists.
 */
export function parseMentions(prompt: string): Mention[] {
  const found = new Map<string, Mention>();
  for (const [, quoted, quotedRange, plain] of prompt.matchAll(mention)) {
    if ((plain ?? quoted ?? '').length > longestPath) continue;
    const text = withoutPunctuation(plain ?? '');
    const one =
      quoted === undefined
        ? withRange(text.replace(lineRange, ''), lineRange.exec(text))
        : withRange(quoted, lineRange.exec(quotedRange ?? ''));
    if (one.path !== '') found.set(JSON.stringify(one), one);
  }
  return [...found.values()];
}

/** Whether a mention of nothing that exists was meant as a path, and not as a name or a package. */
function looksLikePath({ path, range }: Mention): boolean {
  if (path.includes('@')) return false;
  return range !== undefined || /\s|^[./~\\]|[^/\\.]\.[A-Za-z]\w{0,9}$/.test(path);
}

export interface Expanded {
  /** To stand behind the prompt in the user's message. */
  blocks: Block[];
  /** What was not attached, and why; for the user. */
  problems: string[];
}

/** What mentions are read with. */
interface Surroundings extends Pick<ToolContext, 'files' | 'freshness' | 'cwd' | 'signal'> {
  /** Absent: pictures that are too large are refused. */
  images?: Images | undefined;
}

/** The beginning of a file, as much as tells a picture. */
const headBytes = 65_536;

/** Why a file cannot be read at once; null for one that can. A picture may be larger: it is scaled down. */
async function tooLarge(files: Surroundings['files'], path: string, size: number): Promise<string | null> {
  if (size <= maxFileBytes) return null;
  const { bytes } = await files.read(path, { offset: 0, length: headBytes });
  if (imageType(bytes) === null)
    return `it has ${size} bytes, and at most ${maxFileBytes} are read at once. Ask for the part that matters.`;
  if (size <= imageFileBytes) return null;
  return `the picture has ${size} bytes, and at most ${imageFileBytes} are read; scale it down with another program first.`;
}

/** What is attached for one mention, or why nothing is; null for what was not meant as a path. */
async function attachment(
  one: Mention,
  { files, freshness, cwd, images, signal }: Surroundings,
): Promise<Block[] | string | null> {
  const { path } = await files.resolve(one.path, cwd);
  const stat = await files.stat(path);
  if (stat === null) return looksLikePath(one) ? 'there is no such file or folder.' : null;
  if (stat.kind === 'folder') {
    const entries = await files.list(path);
    const readable = await files.readable(entries.map(({ name }) => `${path.replace(/\/$/, '')}/${name}`));
    const shown = entries.filter((_, at) => readable[at]);
    return [{ type: 'text', text: attachedFolder(one.path, shown) }];
  }
  const problem = await tooLarge(files, path, stat.size);
  if (problem !== null) return problem;
  const { bytes, hash } = await files.read(path);
  if (imageFacts(bytes) !== null) {
    const fitted = await fitImage(bytes, images, signal);
    if ('refused' in fitted) return `${fitted.refused}.`;
    const { image, note } = fitted;
    return note === null ? [image] : [image, { type: 'text', text: pictureScaled(note) }];
  }
  const attached = attachedFile(one, bytes);
  if ('problem' in attached) return `${attached.problem}.`;
  if (hash !== null) await freshness.saw(path, hash);
  return [{ type: 'text', text: attached.text }];
}

/**
 * Reads what a prompt mentions (spec: agent-loop, "One turn", 3): files with line numbers, line
 * ranges, folders, pictures. The files count as read. What cannot be attached is told and stops nothing.
 */
export async function expandMentions(prompt: string, context: Surroundings): Promise<Expanded> {
  const expanded: Expanded = { blocks: [], problems: [] };
  const mentions = parseMentions(prompt);
  for (const one of mentions.slice(0, maxMentions)) {
    const found = await attachment(one, context).catch((error: unknown) => {
      if (isPortError(error, 'file')) return error.message;
      throw error;
    });
    if (typeof found === 'string') expanded.problems.push(`@${oneLine(one.path)} was not attached: ${found}`);
    else if (found !== null) expanded.blocks.push(...found);
  }
  if (mentions.length > maxMentions) {
    expanded.problems.push(
      `Only the first ${maxMentions} of the ${mentions.length} files that the prompt mentions were attached.`,
    );
  }
  return expanded;
}
