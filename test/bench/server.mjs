// A model server for measurements, in a process of its own: Chat Completions, streamed. The first part of
// the path names what it plays: /short, /steps, /parallel, /stream or /markdown (small pieces). GET /log
// tells of every request since the last look: when it came (milliseconds since 1970), and whether it
// extends the one before.
import { createServer } from 'node:http';
import { markdownPieces } from './screen/markdown.mjs';

const now = () => performance.timeOrigin + performance.now();
const steps = 50;
const reads = 20;
const answerChunk = 'All went as it should, and here is some text to fill the answer with. '.repeat(14);
const streamedBytes = 2_000_000;
const pieceLength = 20;

let log = [];
let last = null;

/** The message list and tools of the last request are the beginning of this one's. */
function extendsLast({ messages, tools }) {
  const before = last;
  last = { messages: messages.map((message) => JSON.stringify(message)), tools: JSON.stringify(tools) };
  if (before === null || messages.length === 1) return true;
  return before.tools === last.tools && before.messages.every((text, index) => text === last.messages[index]);
}

function toolCall(index, id, name, input) {
  return { index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}

function* answer(play, messages) {
  const results = messages.filter(({ role }) => role === 'tool').length;
  if (play === 'steps' && results < steps) {
    yield { tool_calls: [toolCall(0, `call_${results}`, 'bash', { command: `echo ${results}` })] };
  } else if (play === 'parallel' && results < reads) {
    const calls = Array.from({ length: reads }, (_, index) =>
      toolCall(index, `call_${index}`, 'read', { path: `file${index + 1}.txt` }),
    );
    yield { tool_calls: calls };
  } else if (play === 'stream') {
    for (let sent = 0; sent < streamedBytes; sent += answerChunk.length) yield { content: answerChunk };
  } else if (play === 'markdown') {
    for (const content of markdownPieces(streamedBytes, pieceLength)) yield { content };
  } else {
    yield { content: 'All went as it should.' };
  }
}

async function respond(play, body, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data) =>
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`) ||
    new Promise((resolve) => response.once('drain', resolve));
  let calls = false;
  for (const delta of answer(play, body.messages)) {
    calls ||= delta.tool_calls !== undefined;
    await send({
      id: 'a',
      object: 'chat.completion.chunk',
      model: 'bench',
      choices: [{ index: 0, delta, finish_reason: null }],
    });
  }
  const end = { index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  await send({ id: 'a', object: 'chat.completion.chunk', model: 'bench', choices: [end], usage });
  await send('[DONE]');
  response.end();
}

const server = createServer((request, response) => {
  const at = now();
  if (request.url === '/log') {
    response.end(JSON.stringify(log));
    log = [];
    last = null;
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    if (!request.url.endsWith('/chat/completions')) {
      // A GET only asks what the server is.
      if (request.method !== 'GET')
        process.stderr.write(`${request.method} ${request.url}: ${text.slice(0, 300)}\n`);
      response.writeHead(404).end();
      return;
    }
    const body = JSON.parse(text);
    log.push({ at, bytes: text.length, extends: extendsLast(body) });
    void respond((request.url ?? '').split('/')[1], body, response);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
process.on('disconnect', () => process.exit());
