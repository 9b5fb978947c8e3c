// What larik trace makes of records that nobody wrote so: another version, a hand, a broken disk.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { traceFile } from '../../adapters/trace/file-tracer.ts';
import { traceCommand } from '../../apps/commands/trace.ts';
import type { SessionStore } from '../../ports/session.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-broken-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Steers a terminal, in each way. */
const hostile = 'a\u001b]0;t\u0007\u009b2J\u202eb\r\nc\u2028d';

const names = { request: 1, attempt: 1, model: 'm', purpose: 'turn' };
const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
/** One of each type. */
const whole: Record<string, unknown>[] = [
  { type: 'start', larik: '1', session: 's' },
  { type: 'context', reason: 'startup' },
  { type: 'request', ...names, sent: { system: 's', tools: [], messages: [] } },
  { type: 'http_request', ...names, method: 'POST', url: 'http://h', headers: {}, body: 'b' },
  { type: 'prefix', ...names, sent: 3, before: 2, shared: 1, cause: 'system changed' },
  {
    type: 'prefix_break',
    ...names,
    at: 1,
    cause: 'c',
    change: { part: 'system', how: 'changed', was: 'a', is: 'b' },
  },
  { type: 'http_response', ...names, status: 200, headers: {} },
  { type: 'http_end', ...names, status: 200, bytes: 2, body: 'b', error: null },
  { type: 'answer', ...names, message: { role: 'assistant', blocks: [] }, usage, stop_reason: 'end_turn' },
  { type: 'failure', request: 1, kind: 'server', text: 't' },
  { type: 'event', event: { type: 'notice', level: 'info', text: 't' } },
  { type: 'event', event: { type: 'error', kind: 'server', text: 't' } },
  { type: 'event', event: { type: 'permission_resolved', request_id: 'p', outcome: 'allowed' } },
  { type: 'event', event: { type: 'mode_changed', mode: 'yolo' } },
  { type: 'event', event: { type: 'done', stop_reason: 'end_turn' } },
  { type: 'full', bytes: 1 },
];

const odd = [null, 5, -1e308, [], {}, hostile, [hostile], { [hostile]: hostile }];

/** The records, each with one field that is not what it should be. */
const spoilt = whole.flatMap((record) =>
  Object.keys(record).flatMap((field) => odd.map((value) => ({ ...record, [field]: value }))),
);
const events = whole
  .filter(({ type }) => type === 'event')
  .flatMap(({ event }) =>
    Object.keys(event as object).flatMap((field) =>
      odd.map((value) => ({ type: 'event', event: { ...(event as object), [field]: value } })),
    ),
  );

async function shown(lines: readonly string[], args: { json?: boolean; cache?: boolean }) {
  const session = join(folder, '20261130-120000-abcdef.jsonl');
  await mkdir(dirname(traceFile(session)), { recursive: true });
  await writeFile(traceFile(session), lines.map((line) => `${line}\n`).join(''));
  const sessions = { find: async () => ({ id: 's', path: session }) } as unknown as SessionStore;
  const [out, err]: string[][] = [[], []];
  const io = {
    stdout: (text: string) => void out?.push(text),
    stderr: (text: string) => void err?.push(text),
  };
  const ports = { sessions, isFile: async () => true, written: async () => undefined };
  const code = await traceCommand({ id: 's', json: false, cache: false, ...args }, ports, io);
  return { code, out: out?.join('') ?? '', err: err?.join('') ?? '' };
}

it.each([{}, { json: true }, { cache: true }, { cache: true, json: true }])(
  'prints records of any shape, and nothing that steers a terminal: %j',
  async (args) => {
    const time = '2026-11-30T12:00:00.000Z';
    const records = [...whole, ...spoilt, ...events].map((record, at) => ({ time, seq: at, ...record }));
    const { code, out, err } = await shown(
      records.map((each) => JSON.stringify(each)),
      args,
    );
    expect([code, err.split('\n').filter((line) => !line.includes('no whole record'))]).toEqual([0, ['']]);
    expect(out.length).toBeGreaterThan(100);
    expect(/[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]/.exec(out)?.[0]).toBe(undefined);
  },
);
