/** What a model says in one answer, whatever its protocol. */
export interface Said {
  thinking?: string;
  text?: string;
  /** `raw`: the arguments as text, where a protocol sends them as such. */
  calls?: { name: string; input: object; raw?: string }[];
}

/** An answer on the wire, and what of it must come back unchanged to the model that gave it. */
export interface Spoken {
  type: string;
  body: string;
  /** Reasoning as its validator asks for it: signatures, items, texts. */
  own: string[];
}

const usage = { input: 100, output: 10 };

/** The stream of a protocol that says this; `number` makes ids and signatures that no other answer has. */
export function spoken(protocol: string, said: Said, number: number): Spoken {
  const make = streams[protocol];
  if (make === undefined) throw new Error(`no stream for ${protocol}`);
  return make(said, number);
}

const streams: Record<string, (said: Said, number: number) => Spoken> = {
  anthropic,
  'openai-responses': responses,
  gemini,
  ollama,
  'openai-compat': chat,
};

const sse = (events: readonly object[], end = '\n', named = true): string =>
  events
    .map((event) => {
      const { type } = event as { type?: string };
      const name = named && type !== undefined ? `event: ${type}${end}` : '';
      return `${name}data: ${JSON.stringify(event)}${end}${end}`;
    })
    .join('');

const rawOf = (call: { input: object; raw?: string }): string => call.raw ?? JSON.stringify(call.input);

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}

function anthropic(said: Said, number: number): Spoken {
  const own: string[] = [];
  const blocks: { start: object; deltas: object[] }[] = [];
  if (said.thinking !== undefined) {
    const signature = `sig/${number}+==`;
    own.push(signature);
    const deltas: object[] = halves(said.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...deltas, { type: 'signature_delta', signature }],
    });
  }
  if (said.text !== undefined)
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: halves(said.text).map((text) => ({ type: 'text_delta', text })),
    });
  for (const [at, call] of (said.calls ?? []).entries()) {
    blocks.push({
      start: { type: 'tool_use', id: `toolu_${number}_${at}`, name: call.name, input: {} },
      deltas: halves(rawOf(call)).map((json) => ({ type: 'input_json_delta', partial_json: json })),
    });
  }
  const stop = said.calls ? 'tool_use' : 'end_turn';
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: usage.input, output_tokens: 1 } } },
    ...blocks.flatMap(({ start, deltas }, index) => [
      { type: 'content_block_start', index, content_block: start },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: usage.output } },
    { type: 'message_stop' },
  ];
  return { type: 'text/event-stream', body: sse(events), own };
}

function responses(said: Said, number: number): Spoken {
  const own: string[] = [];
  const items: object[] = [];
  if (said.thinking !== undefined) {
    const summary = [{ type: 'summary_text', text: said.thinking }];
    const item = { id: `rs_${number}`, type: 'reasoning', summary, encrypted_content: `gAAA${number}==` };
    own.push(JSON.stringify(item));
    items.push(item);
  }
  if (said.text !== undefined) {
    const phase = said.calls ? 'commentary' : 'final_answer';
    own.push(phase);
    const content = [{ type: 'output_text', annotations: [], text: said.text }];
    items.push({
      id: `msg_${number}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      phase,
      content,
    });
  }
  for (const [at, call] of (said.calls ?? []).entries()) {
    const id = `call_${number}_${at}|fc_${'0'.repeat(48)}`;
    items.push({
      id: `fc_${number}_${at}`,
      type: 'function_call',
      call_id: id,
      name: call.name,
      arguments: rawOf(call),
    });
  }
  const counts = { input_tokens: usage.input, output_tokens: usage.output, total_tokens: 110 };
  const events = [
    { type: 'response.created', response: { id: `resp_${number}` } },
    ...items.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: started(item) },
      ...pieces(item, index),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    {
      type: 'response.completed',
      response: { id: `resp_${number}`, status: 'completed', output: [], usage: counts },
    },
  ];
  return { type: 'text/event-stream', body: sse(events), own };
}

function started(item: object): object {
  return 'arguments' in item ? { ...item, arguments: '' } : item;
}

function pieces(item: object, index: number): object[] {
  if (!('arguments' in item)) return [];
  return halves(String(item.arguments)).map((delta) => ({
    type: 'response.function_call_arguments.delta',
    output_index: index,
    delta,
  }));
}

function gemini(said: Said, number: number): Spoken {
  const own: string[] = [];
  const signed = (): { thoughtSignature: string } => {
    const signature = Buffer.from(`thought ${number}`).toString('base64');
    own.push(signature);
    return { thoughtSignature: signature };
  };
  const parts: object[] = [];
  if (said.thinking !== undefined) parts.push({ text: said.thinking, thought: true });
  if (said.text !== undefined) parts.push({ text: said.text });
  for (const [at, { name, input }] of (said.calls ?? []).entries()) {
    // A made-up id where the server gives none, and one that other vendors refuse.
    const id = number % 2 === 0 ? {} : { id: `fn:${number}.${at}/x` };
    parts.push({ functionCall: { ...id, name, args: input }, ...(at === 0 && signed()) });
  }
  if (!said.calls) parts.push({ text: '', ...signed() });
  const events = parts.map((part, at) => ({
    candidates: [
      {
        content: { role: 'model', parts: [part] },
        index: 0,
        ...(at === parts.length - 1 && { finishReason: 'STOP' }),
      },
    ],
    usageMetadata: { promptTokenCount: usage.input, candidatesTokenCount: usage.output },
  }));
  return { type: 'text/event-stream', body: sse(events, '\r\n', false), own };
}

function ollama(said: Said, number: number): Spoken {
  const own = said.thinking === undefined ? [] : [said.thinking];
  const messages: object[] = [];
  if (said.thinking !== undefined) messages.push({ role: 'assistant', content: '', thinking: said.thinking });
  if (said.text !== undefined)
    messages.push(...halves(said.text).map((content) => ({ role: 'assistant', content })));
  if (said.calls)
    messages.push({
      role: 'assistant',
      content: '',
      tool_calls: said.calls.map(({ name, input }) => ({ function: { name, arguments: input } })),
    });
  const lines = messages.map((message) => ({ model: 'm', message, done: false }));
  // The whole of a long conversation, so that nothing looks cut.
  const end = { model: 'm', message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
  const counts = { prompt_eval_count: 30_000 + number, eval_count: usage.output };
  const body = [...lines, { ...end, ...counts }].map((line) => `${JSON.stringify(line)}\n`).join('');
  return { type: 'application/x-ndjson', body, own };
}

function chat(said: Said, number: number): Spoken {
  const deltas: object[] = [];
  if (said.thinking !== undefined) deltas.push({ reasoning_content: said.thinking });
  if (said.text !== undefined) deltas.push(...halves(said.text).map((content) => ({ content })));
  for (const [index, call] of (said.calls ?? []).entries()) {
    const id = `chatcmpl-tool:${number}.${index}`;
    deltas.push({
      tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    for (const half of halves(rawOf(call)))
      deltas.push({ tool_calls: [{ index, function: { arguments: half } }] });
  }
  const finish = said.calls ? 'tool_calls' : 'stop';
  const events = [
    ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } },
  ];
  const own = said.thinking === undefined ? [] : [said.thinking];
  return { type: 'text/event-stream', body: `${sse(events)}data: [DONE]\n\n`, own };
}
