import { base64, imageFacts } from '../../../domain/text/image.ts';
import type { ImageBlock } from '../../../ports/message.ts';
import { programOutput } from '../program-output.ts';
import { type ClipboardProgram, imageReaders, writers } from './programs.ts';

/** Bytes of a picture that are taken. */
export const largestImage = 20 * 1024 * 1024;
/** AppleScript prints a picture as hexadecimal digits. */
const maxBytes = 2 * largestImage + 1024;
const timeoutMs = 3000;

export interface ClipboardOptions {
  platform: NodeJS.Platform;
  /** What the programs get: no keys. */
  env: Record<string, string>;
  /** The absolute path of a program, or null. */
  find(program: string): Promise<string | null>;
}

/** The system's clipboard, by way of the programs that are there for it. */
export class Clipboard {
  constructor(private readonly options: ClipboardOptions) {}

  /** False: no program took the text. */
  async write(text: string): Promise<boolean> {
    for (const program of writers) {
      const command = await this.found(program);
      if (command === null) continue;
      const { env } = this.options;
      const asked = { command, env, input: text, timeoutMs, maxBytes };
      const { exitCode } = await programOutput(asked, AbortSignal.timeout(timeoutMs));
      if (exitCode === 0) return true;
    }
    return false;
  }

  /** The picture that lies there; null where there is none, or no program that reads it. */
  async image(signal: AbortSignal): Promise<ImageBlock | null> {
    for (const program of imageReaders) {
      const command = await this.found(program);
      if (command === null || signal.aborted) continue;
      const { env } = this.options;
      const { exitCode, output } = await programOutput({ command, env, timeoutMs, maxBytes }, signal);
      const block = exitCode === 0 ? imageBlock(fromAppleScript(output)) : null;
      if (block !== null) return block;
    }
    return null;
  }

  private async found(program: ClipboardProgram): Promise<[string, ...string[]] | null> {
    const { platform, display, command } = program;
    if (platform !== undefined && platform !== this.options.platform) return null;
    if (display !== undefined && (this.options.env[display] ?? '') === '') return null;
    const [name, ...args] = command;
    const path = await this.options.find(name);
    return path === null ? null : [path, ...args];
  }
}

/** `«data PNGf89504E…»` as the bytes that it stands for; other output as it is. */
function fromAppleScript(output: Buffer): Buffer {
  if (output.subarray(0, 1).toString('hex') !== 'c2' && output[0] !== 0xab) return output;
  const digits = /PNGf([0-9A-F]+)/.exec(output.toString('latin1'))?.[1];
  return digits === undefined ? output : Buffer.from(digits, 'hex');
}

/** A picture by its bytes, whatever its name says; null if it is none that models take, or too large. */
export function imageBlock(bytes: Uint8Array): ImageBlock | null {
  const facts = bytes.length <= largestImage ? imageFacts(bytes) : null;
  return facts === null ? null : { type: 'image', mediaType: facts.mediaType, data: base64(bytes) };
}
