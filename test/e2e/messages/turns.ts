import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { modelServer, type Reply } from '../model-server.ts';
import type { Scenario, Stage } from './scenario.ts';

const run = ['-p', 'x'];
const demo = ['--model', 'demo/demo'];
const isRoot = process.getuid?.() === 0;
const onlyLinux = process.platform !== 'linux' && 'needs Linux';

const read: Reply = { calls: [{ name: 'read', input: { path: 'a.txt' } }] };
const refused = (message: string): Reply => ({
  status: 400,
  body: JSON.stringify({ error: { message, type: 'invalid_request_error' } }),
});

/** A model whose window is nearly full once the server has counted its 15 tokens. */
async function narrow(stage: Stage, replies: readonly Reply[]): Promise<void> {
  // A conversation is worth a summary once it has a few messages.
  stage.server = await modelServer([read, ...replies]);
  const providers = { mock: { type: 'openai-compatible', base_url: `${stage.server.url}/v1` } };
  const models = { 'mock/m': { context_window: 18 } };
  await stage.settings(JSON.stringify({ model: 'mock/m', providers, models }));
}

const compaction = (name: string, ...replies: Reply[]): Scenario => ({
  name: `compaction: ${name}`,
  args: run,
  prepare: (stage) => narrow(stage, replies),
});

const chat = (name: string, ...replies: Reply[]): Scenario => ({
  name: `run: ${name}`,
  args: run,
  prepare: async (stage) => {
    stage.server = await modelServer(replies);
    await stage.provider({ base_url: `${stage.server.url}/v1` });
  },
});

const script = (name: string, content: string): Scenario => ({
  name: `script: ${name}`,
  args: ({ box }) => [...run, '--model', `script/${box.home}/model.json`],
  prepare: async (stage) => void (await stage.write(join(stage.box.home, 'model.json'), content)),
});

/** What happens within a turn. */
export const turns: Scenario[] = [
  compaction('the provider refuses to summarise', read, refused('odd'), { text: 'ok' }),
  compaction('the model writes no summary', read, { text: '' }, { text: 'ok' }),
  compaction('frees little', read, { text: '<summary>read it</summary>' }, { text: 'ok' }),
  chat('a part that the provider refuses', read, refused('messages[3].content: odd'), { text: 'ok' }),
  chat('nothing for an answer, twice', {}, {}),
  chat(
    'a call written as text',
    { text: '<tool_call>{"name":"read","arguments":{"path":"a.txt"}}</tool_call>' },
    { text: 'ok' },
  ),
  chat('the answer reached the output limit', {
    status: 200,
    body: 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n',
    headers: { 'content-type': 'text/event-stream' },
  }),
  {
    name: 'run: the budget is used up',
    args: [...run, '--budget', '0.00001'],
    prepare: (stage) => stage.serve(read, { text: 'ok' }),
  },
  { name: 'run: a mention of what is not there', args: ['-p', 'help me with @none.txt', ...demo] },
  {
    name: 'run: a mention of what is no text',
    args: ['-p', 'help me with @a.bin', ...demo],
    prepare: async ({ box, write }) =>
      void (await write(join(box.project, 'a.bin'), Buffer.from('7f454c4600010203ff00', 'hex'))),
  },
  {
    name: 'run: instructions that are too long',
    args: ['-p', 'help', ...demo],
    prepare: async ({ box, write }) =>
      void (await write(join(box.project, 'AGENTS.md'), 'Be brief.\n'.repeat(20_000))),
  },
  {
    name: 'run: a file that is denied',
    args: ['-p', 'show a.txt', ...demo, '--deny', 'read(a.txt)'],
  },
  {
    name: 'run: no folder for temporary files',
    args: ['-p', 'help', ...demo, '--no-session'],
    skip: onlyLinux,
    prepare: () => Promise.resolve({ env: { TMPDIR: '/proc/nowhere' } }),
  },
  {
    name: 'run: the disk is full in the middle',
    args: ['-p', 'show a.txt', ...demo],
    skip: onlyLinux || (!isRoot && 'only root may mount a small disk'),
    prepare: async (stage) => {
      const folder = join(stage.box.home, 'small');
      await mkdir(folder);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k,nr_inodes=400', 'tmpfs', folder]);
      stage.later(() => void execFileSync('umount', [folder]));
      await stage.write(join(folder, 'filler'), new Uint8Array(8192));
      return { env: { LARIK_HOME: folder } };
    },
  },
  script('no list', '{"a": 1}'),
  script('a reply that is none', '[{"frob": 1}]'),
  script('no reply is left', '[]'),
];

/** What the doctor finds, where it does not depend on the machine. */
export const doctors: Scenario[] = [
  {
    name: 'doctor: what stops larik',
    args: ['doctor'],
    only: /^fail/,
    prepare: async (stage) => {
      await stage.settings('{"permissions":{"deny":["bash("]},"model":"frobnicate/x"}');
      await stage.write(join(stage.box.home, 'larik', 'data'), '');
      return { env: { HTTPS_PROXY: 'http://[' } };
    },
  },
  {
    name: 'doctor: a proxy, a key and settings that do nothing',
    args: ['doctor'],
    only: /^(?:warn|fail) +(?:proxy|keys|settings|model) /,
    prepare: async (stage) => {
      await stage.settings(
        '{"modle":"a/b","providers":{"mine":{"type":"openai-compatible","base_url":"http://127.0.0.1:9","api_key_env":"NO_KEY"}}}',
      );
      return { env: { HTTPS_PROXY: 'socks5://127.0.0.1:9', OPENAI_API_KEY: 'key-secret' } };
    },
  },
];
