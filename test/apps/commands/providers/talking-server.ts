import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server answers one request; a status above 200 answers with an error. */
export interface Say {
  text?: string;
  call?: { name: string; arguments: string };
  /** Tokens read and from a cache; absent: no usage is reported. */
  usage?: { input: number; cached?: number } | undefined;
  stop?: 'length';
  /** The connection ends before the answer does. */
  cut?: boolean;
  status?: number;
  error?: string;
}

type Json = Record<string, unknown>;
const event = (json: Json, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(json)}\n\n`;

function anthropic({ text = '', call, usage, stop, cut }: Say): string {
  const blocks: [start: Json, delta: Json][] = [];
  if (text !== '')
    blocks.push([
      { type: 'text', text: '' },
      { type: 'text_delta', text },
    ]);
  if (call !== undefined) {
    blocks.push([
      { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} },
      { type: 'input_json_delta', partial_json: call.arguments },
    ]);
  }
  const counts =
    usage === undefined
      ? {}
      : {
          usage: {
            input_tokens: usage.input,
            output_tokens: 3,
            cache_read_input_tokens: usage.cached ?? 0,
            cache_creation_input_tokens: 0,
          },
        };
  const start = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], ...counts };
  const reason = stop === 'length' ? 'max_tokens' : call === undefined ? 'end_turn' : 'tool_use';
  const events: [string, Json][] = [
    ['message_start', { message: start }],
    ...blocks.flatMap(([content_block, delta], index): [string, Json][] => [
      ['content_block_start', { index, content_block }],
      ['content_block_delta', { index, delta }],
      ['content_block_stop', { index }],
    ]),
    ...(cut
      ? []
      : ([
          ['message_delta', { delta: { stop_reason: reason }, ...counts }],
          ['message_stop', {}],
        ] as [string, Json][])),
  ];
  return events.map(([type, json]) => event({ type, ...json }, type)).join('');
}

function chat({ text, call, usage, stop, cut }: Say): string {
  const delta: Json = {
    ...(text !== undefined && { content: text }),
    ...(call && { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] }),
  };
  const finish = stop ?? (call === undefined ? 'stop' : 'tool_calls');
  const counts = usage && {
    usage: {
      prompt_tokens: usage.input + (usage.cached ?? 0),
      completion_tokens: 3,
      ...(usage.cached !== undefined && { prompt_tokens_details: { cached_tokens: usage.cached } }),
    },
  };
  if (cut) return event({ choices: [{ index: 0, delta }] });
  return `${event({ choices: [{ index: 0, delta }] })}${event({ choices: [{ index: 0, delta: {}, finish_reason: finish }] })}${
    counts ? event({ choices: [], ...counts }) : ''
  }data: [DONE]\n\n`;
}

function ollama({ text = '', call, usage, stop, cut }: Say): string {
  const calls = call && {
    tool_calls: [{ function: { name: call.name, arguments: JSON.parse(call.arguments) as Json } }],
  };
  const lines: Json[] = [{ message: { role: 'assistant', content: text, ...calls }, done: false }];
  const counts = usage && { prompt_eval_count: usage.input, eval_count: 3 };
  if (!cut)
    lines.push({
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: stop ?? 'stop',
      ...counts,
    });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

export const protocols = { anthropic, 'openai-compat': chat, ollama };

/** A server that answers one request of a conversation after the other, and keeps what it was asked. */
export class TalkingServer {
  readonly requests: Json[] = [];
  models: string[] = [];
  #say: Say[] = [];
  #speak: (say: Say) => string = chat;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  says(protocol: keyof typeof protocols, answers: Say[]): void {
    this.requests.length = 0;
    this.#speak = protocols[protocol];
    this.#say = [...answers];
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (!/\/(messages|chat|completions)(\?|$)/.test(request.url ?? '')) {
      const data = this.models.map((id) => ({ id, name: id, model: id }));
      response.setHeader('content-type', 'application/json');
      return void response.end(JSON.stringify({ data, models: data }));
    }
    this.requests.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json);
    const say = this.#say.shift() ?? { status: 500, error: 'asked too often' };
    if (say.status !== undefined) {
      response.writeHead(say.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: say.error } }));
    }
    const type = this.#speak === ollama ? 'application/x-ndjson' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type });
    response.end(this.#speak(say));
  }
}
