import { clip } from '../activity.ts';
import type { OutputStream } from '../output-stream.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const interval = 120;

/** One line on a terminal that says that work goes on: elapsed time and what runs. */
export class Spinner {
  private timer: NodeJS.Timeout | null = null;
  private label = 'thinking';
  private frame = 0;
  private readonly begun = Date.now();
  private drawn = false;

  constructor(private readonly stream: OutputStream) {}

  start(): void {
    this.timer = setInterval(() => this.draw(), interval);
    this.timer.unref();
  }

  show(label: string): void {
    this.label = clip(label, 60);
  }

  /** Takes the line away, so that something else can be written; it comes back by itself. */
  clear(): void {
    if (!this.drawn) return;
    this.drawn = false;
    void this.stream.wipeLine();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.clear();
  }

  private draw(): void {
    this.frame = (this.frame + 1) % frames.length;
    this.drawn = true;
    const seconds = Math.round((Date.now() - this.begun) / 1000);
    void this.stream.wipeLine();
    void this.stream.write(`${frames[this.frame]} ${seconds}s ${this.label}`);
  }
}
