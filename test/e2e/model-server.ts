import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One answer of the server: text, calls, or an HTTP error. */
export interface Reply {
  text?: string;
  calls?: { name: string; input: unknown }[];
  status?: number;
  body?: string;
  /** Headers beside `status`, such as another content type. */
  headers?: Record<string, string>;
  /** Sends the beginning and then nothing more. */
  hang?: boolean;
  /** Tokens that the request is said to have had, over Messages; 10 without it. */
  inputTokens?: number;
  /** Milliseconds between the words of the text, over Messages. */
  pace?: number;
}

export interface ModelServer {
  url: string;
  /** Bodies of the requests, as they came. */
  bodies: string[];
  /** Headers of the requests. */
  headers: IncomingMessage['headers'][];
  close(): Promise<void>;
}

type Write = (event: string, data: unknown) => void;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function anthropic(reply: Reply, number: number, write: Write): Promise<void> {
  write('message_start', {
    message: {
      id: `m${number}`,
      role: 'assistant',
      content: [],
      usage: { input_tokens: reply.inputTokens ?? 10, output_tokens: 1 },
    },
  });
  let index = 0;
  if (reply.text !== undefined) {
    write('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for (const text of reply.pace === undefined ? [reply.text] : reply.text.split(/(?<= )/)) {
      write('content_block_delta', { index, delta: { type: 'text_delta', text } });
      if (reply.pace !== undefined) await pause(reply.pace);
    }
    if (reply.hang === true) return;
    write('content_block_stop', { index: index++ });
  }
  for (const [i, call] of (reply.calls ?? []).entries()) {
    const block = { type: 'tool_use', id: `toolu_${number}_${i}`, name: call.name, input: {} };
    write('content_block_start', { index, content_block: block });
    write('content_block_delta', {
      index,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
    });
    write('content_block_stop', { index: index++ });
  }
  write('message_delta', {
    delta: { stop_reason: reply.calls ? 'tool_use' : 'end_turn' },
    usage: { output_tokens: 5 },
  });
  write('message_stop', {});
}

function chat(reply: Reply, number: number, write: Write): void {
  const chunk = (delta: unknown, finish: string | null = null): void =>
    write('', {
      id: `c${number}`,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  if (reply.text !== undefined) chunk({ role: 'assistant', content: reply.text });
  if (reply.hang === true) return;
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const made = { name: call.name, arguments: JSON.stringify(call.input) };
    chunk({ tool_calls: [{ index, id: `call_${number}_${index}`, type: 'function', function: made }] });
  }
  chunk({}, reply.calls ? 'tool_calls' : 'stop');
  write('', { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const piece of request) chunks.push(piece as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * A model server on this machine that speaks Messages and Chat Completions and gives its replies in
 * turn; the last one again and again.
 */
export async function modelServer(replies: Reply[] | ((number: number) => Reply)): Promise<ModelServer> {
  const bodies: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(request);
    if (request.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const number = bodies.push(body) - 1;
    headers.push(request.headers);
    const reply = typeof replies === 'function' ? replies(number) : (replies[number] ?? replies.at(-1) ?? {});
    if (reply.status !== undefined) {
      response
        .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        .end(reply.body ?? '{}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const messages = request.url?.includes('/messages') === true;
    const write: Write = (event, data) => {
      const payload = event === '' ? data : { type: event, ...(data as object) };
      response.write(`${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(payload)}\n\n`);
    };
    if (messages) await anthropic(reply, number, write);
    else chat(reply, number, write);
    if (reply.hang === true) return;
    if (!messages) response.write('data: [DONE]\n\n');
    response.end();
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
