/** Text as it comes in, in pieces of any size. */
export type Chunks = AsyncIterable<string | Uint8Array>;

/** The lines of a text, without their ends; the last one may lack its own. */
export async function* linesOf(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
