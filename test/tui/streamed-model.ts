import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer while it is given, piece by piece as the test says. */
export interface StreamedAnswer {
  say(text: string): void;
  end(): void;
}

/** A model on this machine that speaks Chat Completions, and says nothing that the test does not. */
export interface StreamedModel {
  /** Settings that make it the model of a session. */
  settings: Record<string, unknown>;
  /** Resolves when the next request has come, in the order of the calls. */
  asked(): Promise<StreamedAnswer>;
  close(): Promise<void>;
}

function answerOver(response: ServerResponse, number: number): StreamedAnswer {
  const write = (data: unknown): void => void response.write(`data: ${JSON.stringify(data)}\n\n`);
  const chunk = (delta: unknown, finish: string | null): void =>
    write({
      id: `c${number}`,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  return {
    say: (content) => chunk({ role: 'assistant', content }, null),
    end: () => {
      chunk({}, 'stop');
      write({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
      response.end('data: [DONE]\n\n');
    },
  };
}

export async function streamedModel(): Promise<StreamedModel> {
  const came: StreamedAnswer[] = [];
  const awaited: ((answer: StreamedAnswer) => void)[] = [];
  let requests = 0;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const answer = answerOver(response, requests++);
    const next = awaited.shift();
    if (next === undefined) came.push(answer);
    else next(answer);
  };
  const server = createServer(take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: settingsFor(`http://127.0.0.1:${port}`),
    asked: () =>
      new Promise((resolve) => {
        const answer = came.shift();
        if (answer === undefined) awaited.push(resolve);
        else resolve(answer);
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Settings for a model behind such an address; commands run without a sandbox. */
export function settingsFor(url: string): Record<string, unknown> {
  const mock = { type: 'openai-compatible', base_url: `${url}/v1`, api_key: 'key-of-a-test' };
  return { model: 'mock/mock', providers: { mock }, sandbox: { type: 'none' } };
}
