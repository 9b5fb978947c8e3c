import { cleanTerminalText } from '../../../domain/text/terminal/terminal-text.ts';
import type { AgentEvent } from '../../../ports/event.ts';
import type { OutputStream } from '../output-stream.ts';
import { answerText, eventLine } from './event-text.ts';

/** What is written, line by line; answers and output of commands as they come. */
export class Transcript {
  /** A text is on its way: its line is open. */
  private inText = false;
  /** The answer that is on its way was shown as it came. */
  private hasStreamed = false;

  constructor(private readonly out: OutputStream) {}

  async say(text: string): Promise<void> {
    await this.endText();
    await this.out.write(`${cleanTerminalText(text)}\n`);
  }

  /** A piece of a text; what comes next but another piece begins a line of its own. */
  async stream(text: string): Promise<void> {
    this.inText = !text.endsWith('\n');
    await this.out.write(text);
  }

  private async endText(): Promise<void> {
    if (this.inText) await this.out.write('\n');
    this.inText = false;
  }

  /** Tells of an event; a turn's prompt only if it is not the one that was just `sent`. */
  async show(event: AgentEvent, sent: string): Promise<void> {
    switch (event.type) {
      case 'turn_start':
        this.hasStreamed = false;
        if (event.prompt !== sent) await this.say(`> ${event.prompt}`);
        return;
      case 'text_delta':
        this.hasStreamed = true;
        return this.stream(event.text);
      case 'assistant_message': {
        const text = this.hasStreamed ? '' : answerText(event);
        this.hasStreamed = false;
        await this.endText();
        if (text !== '') await this.say(text);
        return;
      }
      default: {
        const line = eventLine(event);
        if (line !== null) await this.say(line);
      }
    }
  }
}
