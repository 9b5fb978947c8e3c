import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, sandbox, type Sandbox } from '../e2e/larik.ts';
import { modelServer, type ModelServer, type Reply } from '../e2e/model-server.ts';
import { startLarik } from './larik-screen.ts';
import type { ProgramInTerminal } from './pty.ts';
import { settingsFor } from './streamed-model.ts';

const startsTask: Reply = {
  calls: [
    {
      name: 'bash',
      input: { command: 'echo $$ > task; exec sleep 1000', run_in_background: true, description: 'wait' },
    },
  ],
};

describe('what is typed', () => {
  let server: ModelServer;
  let box: Sandbox;
  let screen: ProgramInTerminal;

  afterEach(async () => {
    screen.kill('SIGKILL');
    await screen.exited;
    await server.close();
    await box.dispose();
  });

  async function start(replies: Reply[], args: string[] = []): Promise<void> {
    server = await modelServer(replies);
    box = await sandbox({}, true, settingsFor(server.url));
    screen = startLarik(box, args);
    await screen.waitFor('Ask for something');
  }

  /** The texts of the user's messages in the request of this number. */
  function prompts(request: number): string[] {
    const { messages } = JSON.parse(server.bodies[request] ?? '') as {
      messages: { role: string; content: string | { text: string }[] }[];
    };
    return messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) =>
        typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
      );
  }

  it('TUI-06 folds a paste of 10,000 lines, and sends all of it as one prompt when enter is pressed', async () => {
    await start([{ text: 'That was long.' }]);
    const lines = Array.from({ length: 10_000 }, (_, at) => `line ${at} of 你好`);
    screen.write(`see: \u001b[200~${lines.join('\r')}\u001b[201~ end`);
    await screen.waitFor(/\[Pasted text 1, 10000 lines\] end/);
    expect(server.bodies).toEqual([]);
    screen.write('\r');
    await screen.waitFor('That was long.');
    await screen.waitFor('? for shortcuts');
    expect(server.bodies.length).toBe(1);
    expect(prompts(0).at(-1)).toContain(`see: ${lines.join('\n')} end`);
  });

  it('TUI-17 gives queued prompts back when escape stops the turn, and lets a background task live', async () => {
    await start([startsTask, { text: 'It is running.', hang: true }], ['--mode', 'yolo']);
    screen.write('begin\r');
    await screen.waitFor('It is running.');
    screen.write('first thought\r');
    await screen.waitFor('up takes the last one back');
    screen.write('second thought\t');
    await screen.waitFor('after this turn: second thought');
    screen.write('\u001b');
    await screen.waitFor('Interrupted. What next?');
    await screen.waitFor((shown) => !/Working|Stopping/.test(shown.join('')));
    expect(
      screen
        .screen()
        .slice(-4, -1)
        .map((row) => row.trim()),
    ).toEqual(['› first thought', '', 'second thought']);
    const task = Number(readFileSync(join(box.project, 'task'), 'utf8'));
    expect(isAlive(task)).toBe(true);
    expect(server.bodies.length).toBe(2);

    // Ctrl+c clears what is typed, then interrupts what runs, and only twice leaves.
    screen.write('\u0003');
    await screen.waitFor((shown) => shown.at(-2)?.trim() === '›');
    screen.write('go on\r');
    await screen.waitFor((shown) => shown.join('\n').split('It is running.').length === 3);
    screen.write('a draft');
    await screen.waitFor('a draft');
    screen.write('\u0003');
    await screen.waitFor('Say more while it works');
    screen.write('\u0003');
    await screen.waitFor((shown) => shown.join('\n').split('Interrupted. What next?').length === 3);
    await screen.waitFor((shown) => !/Working|Stopping/.test(shown.join('')));
    screen.write('\u0003\u0003');
    const { code } = await screen.exited;
    expect(code).toBe(0);
    const left = screen.screen().join('\n');
    expect(left).toMatch(/▌ go on\n\n.*It is running\.\n\nGo on: larik --resume \d{8}-\d{6}-\S+\n/);
    expect(isAlive(task)).toBe(false);
  });
});
