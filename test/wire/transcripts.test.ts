// Each conversation of test/fixtures/wire/transcripts as a server really receives it from the SDKs.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../ports/message.ts';
import type { Effort, JsonSchema, ModelRequest } from '../../ports/provider.ts';
import { FixtureServer, fixturesOf, wireFolder } from './fixture-server.ts';
import { adapters, sentMessages } from './providers.ts';

interface Transcript {
  name: string;
  targets: Record<string, { provider: string; model: string }>;
  request: {
    system: string;
    tools: { name: string; description: string; schema: JsonSchema }[];
    maxTokens: number;
    effort: Effort | null;
    cacheKey: string;
  };
  messages: Message[];
}

const folder = path.join(wireFolder, 'transcripts');
const transcripts = fs
  .readdirSync(folder)
  .filter((file) => /^[^.]+\.json$/.test(file))
  .map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')) as Transcript);

const server = new FixtureServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

function requestOf(transcript: Transcript, model: string, messages = transcript.messages): ModelRequest {
  const { system, tools, maxTokens, effort, cacheKey } = transcript.request;
  return {
    model,
    system,
    messages,
    tools: tools.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
    maxTokens,
    cacheKey,
    ...(effort !== null && { effort }),
  };
}

/** What the server got for a conversation. */
async function sentBody(
  protocol: string,
  transcript: Transcript,
  messages?: Message[],
): Promise<Record<string, unknown>> {
  server.answer = fixturesOf(protocol).find((fixture) => fixture.name === 'plain-text')!;
  server.requests.length = 0;
  const { provider, model } = transcript.targets[protocol]!;
  const stream = adapters[protocol]!(provider, server.url).stream(
    requestOf(transcript, model, messages),
    new AbortController().signal,
  );
  for await (const event of stream) expect(event).toBeDefined();
  expect(server.requests.length).toBe(1);
  return JSON.parse(server.requests[0]!.body) as Record<string, unknown>;
}

describe.each(Object.keys(adapters))('requests of %s', (protocol) => {
  for (const transcript of transcripts) {
    it(`transcripts/${transcript.name}.${protocol} is sent as written`, async () => {
      const expected = fs.readFileSync(path.join(folder, `${transcript.name}.${protocol}.json`), 'utf8');
      const body = await sentBody(protocol, transcript);
      expect(body).toEqual(JSON.parse(expected));
      // As text too where the order of keys means something: what a model sent as arguments.
      expect(argumentTexts(body)).toEqual(argumentTexts(JSON.parse(expected)));
    });

    it(`extends what was sent for each earlier part of ${transcript.name}`, async () => {
      const whole = withoutMarkers(sentMessages(await sentBody(protocol, transcript)));
      for (const [at, message] of transcript.messages.entries()) {
        const next = transcript.messages[at + 1];
        if (message.role !== 'user' || next?.role === 'user') continue;
        const part = withoutMarkers(
          sentMessages(await sentBody(protocol, transcript, transcript.messages.slice(0, at + 1))),
        );
        expect(part.slice(0, -1)).toEqual(whole.slice(0, part.length - 1));
        expect(extendsMessage(whole[part.length - 1], part.at(-1))).toBe(true);
      }
    });
  }
});

function argumentTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'input' ? [JSON.stringify(item)] : argumentTexts(item),
  );
}

function withoutMarkers(messages: unknown[]): unknown[] {
  return JSON.parse(
    JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  ) as unknown[];
}

/** The same message, or one with content appended because the answer to it was dropped. */
function extendsMessage(whole: unknown, part: unknown): boolean {
  if (JSON.stringify(whole) === JSON.stringify(part)) return true;
  const [a, b] = [whole, part].map((message) => {
    const { content, parts } = message as { content?: unknown; parts?: unknown };
    return content ?? parts;
  });
  if (typeof a === 'string' && typeof b === 'string') return a.startsWith(b);
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return JSON.stringify(a.slice(0, b.length)) === JSON.stringify(b);
}
