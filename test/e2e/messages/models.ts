import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { programPath } from '../../installed.ts';
import type { Reply } from '../model-server.ts';
import type { Scenario, Stage } from './scenario.ts';

const run = ['-p', 'x'];
/** Makes the program try again at once. */
const now = { 'retry-after-ms': '1' };

const model = (name: string, ref: string): Scenario => ({
  name: `model: ${name}`,
  args: [...run, '--model', ref],
});

/** One answer of a server, in place of a model's, over both protocols. */
function answers(name: string, anthropic: Reply, chat: Reply): Scenario[] {
  return [
    { name: `provider: ${name} (Messages)`, args: run, prepare: (stage) => stage.serve(anthropic) },
    { name: `provider: ${name} (Chat Completions)`, args: run, prepare: (stage) => stage.serveChat(chat) },
  ];
}

function status(name: string, code: number, type: string, message: string, headers = {}): Scenario[] {
  const anthropic = { type: 'error', error: { type, message } };
  const chat = { error: { message, type, code: type } };
  const reply = (body: object): Reply => ({ status: code, body: JSON.stringify(body), headers });
  return answers(name, reply(anthropic), reply(chat));
}

const html: Reply = {
  status: 200,
  body: '<!doctype html><html><body>Please sign in</body></html>',
  headers: { 'content-type': 'text/html' },
};

const at = (name: string, base_url: string, more: object = {}): Scenario => ({
  name: `provider: ${name}`,
  args: run,
  prepare: (stage) => stage.provider({ base_url, ...more }),
});

/** A key and a certificate that nobody vouches for. */
async function selfSigned({ box }: Stage): Promise<{ key: Buffer; cert: Buffer }> {
  const [key, cert] = [join(box.home, 'key.pem'), join(box.home, 'cert.pem')];
  const kind = '-x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost';
  execFileSync('openssl', ['req', ...kind.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: await readFile(key), cert: await readFile(cert) };
}

/** Models that there are not, and servers that do not answer as they should. */
export const models: Scenario[] = [
  model('an unknown provider', 'frobnicate/x'),
  model('a misspelt provider', 'antropic/claude'),
  model('an unknown model', 'frobnicate'),
  model('a misspelt model', 'claude-opus-5.5x'),
  model('a provider alone', 'anthropic'),
  model('no model behind the slash', 'anthropic/'),
  model('a vendor that is not spoken to', 'openai/gpt-5.6'),
  model('no key', 'anthropic/claude-opus-5-5'),
  model('no key of a preset', 'groq/x'),
  model('a script that there is not', 'script/none.yaml'),
  {
    name: 'model: a role that leads to itself',
    args: [...run, '--model', 'a'],
    prepare: async (stage) => void (await stage.settings('{"roles":{"a":"b","b":"a"}}')),
  },
  at('no address', ''),
  at('a bad address', 'not an address'),
  at('an unknown type', 'http://127.0.0.1:9', { type: 'frob' }),
  at('a variable for the key that is not set', 'http://127.0.0.1:9/v1', { api_key_env: 'NO_KEY' }),
  at('a key command that fails', 'http://127.0.0.1:9/v1', { api_key_command: ['false'] }),
  at('connection refused', 'http://127.0.0.1:9/v1'),
  // Too long to be one, so that it is not found without asking anybody.
  at(
    'a name that there is not',
    'http://a-name-with-more-than-the-63-characters-that-a-part-of-one-may-have/v1',
  ),
  {
    name: 'provider: https where http is spoken',
    args: run,
    prepare: async (stage) => {
      await stage.serve({ text: 'x' });
      const url = stage.server?.url.replace('http:', 'https:') ?? '';
      return stage.provider({ base_url: `${url}/v1` });
    },
  },
  {
    name: 'provider: a certificate of its own',
    args: run,
    skip: programPath('openssl') === null && 'needs openssl',
    prepare: async (stage) => {
      const server = createServer(await selfSigned(stage));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      stage.later(() => void server.close());
      const { port } = server.address() as AddressInfo;
      stage.names.set(`:${port}`, ':PORT');
      return stage.provider({ base_url: `https://127.0.0.1:${port}/v1` });
    },
  },
  ...['http', 'https'].map((scheme): Scenario => ({
    name: `provider: a proxy for ${scheme} that does not answer`,
    args: run,
    prepare: async (stage) => {
      await stage.provider({ base_url: `${scheme}://larik.invalid/v1` });
      return { env: { [`${scheme.toUpperCase()}_PROXY`]: 'http://me:key-secret@127.0.0.1:9' } };
    },
  })),
  ...status('407 of a proxy', 407, 'proxy_error', 'Proxy Authentication Required'),
  ...status('a redirect', 308, '', '', { location: 'http://127.0.0.1:9/v2' }),
  ...status('401', 401, 'authentication_error', 'invalid x-api-key'),
  ...status('403', 403, 'permission_error', 'no access to this model'),
  ...status('404', 404, 'not_found_error', 'model: m'),
  ...status('429', 429, 'rate_limit_error', 'too many requests', now),
  ...status('429 for an hour', 429, 'rate_limit_error', 'too many requests', { 'retry-after': '3600' }),
  ...status('no credit', 402, 'insufficient_quota', 'You exceeded your current quota'),
  ...status('500', 500, 'api_error', 'internal server error', now),
  ...status('529', 529, 'overloaded_error', 'Overloaded', now),
  ...status('400', 400, 'invalid_request_error', 'temperature: unexpected'),
  ...answers('HTML in place of JSON', html, html),
  ...answers('HTML with 404', { ...html, status: 404 }, { ...html, status: 404 }),
  ...answers(
    '200 with an error inside',
    {
      status: 200,
      body: 'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"broken; retry in 1ms"}}\n\n',
      headers: { 'content-type': 'text/event-stream' },
    },
    {
      status: 200,
      body: 'data: {"error":{"message":"broken","code":400}}\n\n',
      headers: { 'content-type': 'text/event-stream' },
    },
  ),
  ...answers(
    'an answer that ends in the middle',
    {
      status: 200,
      body: 'event: message_start\ndata: {"type":"message_start","message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
      headers: { 'content-type': 'text/event-stream' },
    },
    {
      status: 200,
      body: 'data: {"id":"c","choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}\n\n',
      headers: { 'content-type': 'text/event-stream' },
    },
  ),
  {
    name: 'provider: content blocked',
    args: run,
    prepare: (stage) =>
      stage.serveChat({
        status: 200,
        body: 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}\n\ndata: [DONE]\n\n',
        headers: { 'content-type': 'text/event-stream' },
      }),
  },
  ...status(
    'too long for the model',
    400,
    'context_length_exceeded',
    "This model's maximum context length is 10 tokens. However, your messages resulted in 20 tokens.",
  ),
  {
    name: 'provider: an answer that stalls',
    args: run,
    prepare: (stage) => stage.serveChat({ text: 'Hel', hang: true }, { stall_timeout: 1 }),
  },
  {
    name: 'run: the time is over',
    args: [...run, '--timeout', '2'],
    prepare: (stage) => stage.serveChat({ hang: true }),
  },
  {
    name: 'run: no more steps',
    args: [...run, '--max-steps', '1'],
    prepare: (stage) => stage.serve({ calls: [{ name: 'read', input: { path: 'a.txt' } }] }, { text: 'ok' }),
  },
  {
    name: 'run: what the model wanted was not allowed',
    args: [...run, '--fail-on-deny'],
    prepare: (stage) =>
      stage.serve({ calls: [{ name: 'bash', input: { command: 'make' } }] }, { text: 'ok' }),
  },
  {
    name: 'run: a budget for a model without a price',
    args: [...run, '--budget', '1'],
    prepare: (stage) => stage.serveChat({ text: 'ok' }),
  },
];
