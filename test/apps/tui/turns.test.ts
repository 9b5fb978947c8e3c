import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OpenedSession } from '../../../adapters/frontends/host.ts';
import { openFolder } from '../../../apps/folder/folder.ts';
import { TuiHost } from '../../../apps/tui/host.ts';
import { Program } from '../../../apps/tui/program.ts';
import { playedScreen, type PlayedScreen } from '../../adapters/frontends/blessed/played-screen.ts';

const never = new AbortController().signal;

let root: string;
let program: Program;
let host: TuiHost;
let screen: PlayedScreen;
let ended: Promise<number>;

/** Larik on a screen, with the real session behind it. */
async function begin(answers: readonly object[], flags: Record<string, string> = {}): Promise<void> {
  await writeFile(join(root, 'script.json'), JSON.stringify(answers));
  const all = { cwd: join(root, 'project'), model: `script/${join(root, 'script.json')}`, ...flags };
  program = new Program({ folder: await openFolder(all), flags: all, version: '0.0.0', env: process.env });
  host = new TuiHost(program);
  screen = playedScreen({ host });
  ended = screen.frontEnd.runOpening(() => program.open(), never);
  await screen.seen('Say what is to be done');
}

async function send(text: string): Promise<void> {
  screen.type(text);
  await screen.seen(text);
  screen.type('\r');
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'larik-turns-'));
  await mkdir(join(root, 'project'));
  await writeFile(join(root, 'project', 'a.txt'), 'a\n');
  vi.stubEnv('LARIK_HOME', join(root, 'home'));
  for (const name of ['LARIK_MODEL', 'LARIK_MODE', 'LARIK_EFFORT', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'])
    vi.stubEnv(name, '');
});
afterEach(async () => {
  screen.type('\u0004');
  await ended;
  await host.dispose();
  await program.dispose();
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

const read = { calls: [{ name: 'read', input: { path: 'a.txt' } }] };

describe('a turn on the screen that ends early', () => {
  it('goes on past the step limit when the user says so, and not otherwise', async () => {
    await begin([read, read, { text: 'the end of it' }], { 'max-steps': '1' });
    await send('look at it');
    await screen.seen('1 step was made. Go on?');
    screen.pass(1000);
    screen.type('y');
    await screen.seen(/✓ read[^]*✓ read[^]*1 step was made. Go on\?/);
    screen.pass(1000);
    screen.type('n');
    await screen.seen('1 step was made. Go on?', 'gone');
    expect(screen.rows().join('\n')).not.toContain('the end of it');
    await send('and now');
    await screen.seen('the end of it');
  });

  it('goes on past the budget with another one', async () => {
    const usage = { input: 1_000_000, output: 0 };
    await mkdir(join(root, 'home', 'config'), { recursive: true });
    const prices = { input: 1, output: 1 };
    const models = { [`script/${join(root, 'script.json')}`]: { prices } };
    await writeFile(join(root, 'home', 'config', 'config.json'), JSON.stringify({ models }));
    await begin(
      [
        { ...read, usage },
        { text: 'the end of it', usage },
      ],
      { budget: '0.5' },
    );
    await send('look at it');
    await screen.seen('The budget of $0.50 is used up. Go on?');
    screen.pass(1000);
    screen.type('e');
    await screen.seen('USD');
    screen.type('\u00155\r');
    await screen.seen('the end of it');
    expect(screen.rows().join('\n')).toContain('$5');
  });

  it('says what helps where no server answers', async () => {
    await mkdir(join(root, 'home', 'config'), { recursive: true });
    const providers = { mine: { type: 'openai-compatible', base_url: 'http://127.0.0.1:1/v1' } };
    await writeFile(join(root, 'home', 'config', 'config.json'), JSON.stringify({ providers, retries: 0 }));
    await begin([], { model: 'mine/one' });
    await send('hello there');
    await screen.seen('/model');
    const rows = screen.rows().join('\n');
    expect(rows).toMatch(/127\.0\.0\.1:1/);
  });
});

describe('a session that does not open', () => {
  it('offers to connect where there is no key, and sends then what was typed', async () => {
    await begin([{ text: 'connected now' }], { model: 'openai/gpt-5' });
    await screen.seen('openai: no key');
    await screen.seen('Connect to a model');
    screen.type('demo');
    await screen.seen('offline demo');
    screen.type('\r');
    await screen.seen('Connect to a model', 'gone');
    await screen.seen('demo/demo');
  });

  it('goes on in a copy of one that another larik is at', async () => {
    await begin([{ text: 'first answer' }, { text: 'second answer' }]);
    await send('hello');
    await screen.seen('first answer');
    const [{ id } = { id: '' }] = await program.sessions.list();
    const flags = { ...program.flags, resume: id };
    const other = new Program({ folder: program.folder, flags, version: '0.0.0', env: process.env });
    const failed = await other.open().catch((error: unknown) => error);
    const dialog = await new TuiHost(other).unopened(failed);
    expect(dialog?.choices?.map(({ value }) => value)).toEqual([`copy:${id}`, 'again', 'new', 'leave']);
    const otherHost = new TuiHost(other);
    expect(await otherHost.choose('unopened', `copy:${id}`, null, never)).toEqual({ type: 'nothing' });
    const copy: OpenedSession = await other.open();
    expect(copy.session.id).not.toBe(id);
    expect(copy.history).toContainEqual(expect.objectContaining({ type: 'turn_start', prompt: 'hello' }));
    await copy.session.dispose();
    await otherHost.choose('unopened', 'new', null, never);
    const fresh = await other.open();
    expect(fresh.history).toEqual([]);
    await fresh.session.dispose();
    expect(await otherHost.choose('unopened', 'leave', null, never)).toEqual({ type: 'quit' });
    expect(await otherHost.unopened(new Error('anything else'))).toBeNull();
    await other.dispose();
  });
});
