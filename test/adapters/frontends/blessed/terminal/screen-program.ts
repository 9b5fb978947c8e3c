import { asciiGlyphs } from '../../../../../adapters/frontends/blessed/look/glyphs.ts';
import { capabilitiesOf } from '../../../../../adapters/frontends/blessed/terminal/capabilities.ts';
import { paletteOf } from '../../../../../adapters/frontends/blessed/terminal/palette.ts';
import { Terminal } from '../../../../../adapters/frontends/blessed/terminal/terminal.ts';
import { testTheme } from './test-theme.ts';

// A program that takes the terminal, shows what comes from it, and ends in the ways that are typed.

const { stdin, stdout } = process;
const capabilities = capabilitiesOf(process.env);
const palette = paletteOf(testTheme, capabilities);
const terminal = new Terminal({ stdin, stdout, capabilities, palette });
const heard: string[] = [];

function draw(): void {
  terminal.draw({
    rows: [
      [{ text: `${asciiGlyphs.prompt} screen of the test`, style: { tone: 'accent' } }],
      ...heard.slice(-15).map((text) => [{ text, style: {} }]),
    ],
    cursor: { x: 2, y: 0 },
  });
}

const ends: Readonly<Record<string, () => void>> = {
  q: () => {
    terminal.close();
    terminal.print([[{ text: 'goodbye', style: { tone: 'error', link: 'https://example.org/' } }]]);
    process.exitCode = 3;
  },
  x: () => process.exit(4),
  u: () => {
    throw new Error('thrown on purpose');
  },
  r: () => void Promise.reject(new Error('rejected on purpose')),
  z: () => terminal.suspend(),
  m: () => terminal.setMouse(false),
  e: () =>
    void terminal.handOver(() => {
      process.stdout.write('the editor is here\r\n');
      const working = setInterval(() => undefined, 1000);
      return new Promise<void>((resolve) =>
        process.once('SIGUSR2', () => {
          clearInterval(working);
          resolve();
        }),
      );
    }),
};

terminal.open(
  {
    input(input) {
      heard.push(JSON.stringify(input));
      draw();
      if (input.type === 'text') ends[input.text]?.();
    },
    size(size) {
      heard.push(`${size.columns} by ${size.rows}`);
      draw();
    },
    closed() {
      terminal.close();
      process.exitCode = 5;
    },
    leaving: () => [],
  },
  { mouse: true },
);
draw();
