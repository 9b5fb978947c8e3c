import type { HttpResponse } from '../http/http-response.ts';
import { list, record, text } from '../wire/json.ts';
import { decodeSse, type SseEvent } from '../wire/sse.ts';

/** Asks for what follows after a token; the rest of the request stays as it was. */
export type Resume = (token: string) => Promise<HttpResponse>;

/** A server that never comes to an end is broken. */
const mostResumptions = 20;

/**
 * The events of an answer that the server may break off with a token, to be gone on with in the answer to
 * another request (wire formats, section 8, `CONTINUATION`). The SDK would do it as it reads.
 */
export async function* decodeContinued(
  chunks: AsyncIterable<Uint8Array>,
  resume: Resume | undefined,
): AsyncGenerator<SseEvent[], void, undefined> {
  let body = chunks;
  for (let resumed = 0; resumed <= mostResumptions; resumed += 1) {
    let token = '';
    for await (const batch of decodeSse(body)) {
      for (const event of batch) if (event.data.includes('"CONTINUATION"')) token = tokenOf(event) || token;
      yield batch;
    }
    if (token === '' || resume === undefined) return;
    body = (await resume(token)).body;
  }
}

function tokenOf({ data }: SseEvent): string {
  try {
    const candidate = record(list(record(JSON.parse(data))['candidates'])[0]);
    return candidate['finishReason'] === 'CONTINUATION' ? text(candidate['continuationToken']) : '';
  } catch {
    // Half an event: the answer was cut off, and says no more.
    return '';
  }
}
