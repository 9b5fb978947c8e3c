/** At the end of each answer: nobody should take it for more than it is. */
export const notAModel =
  "(I am larik's built-in demo: fixed rules that use the real tools, not a language model.)";

const abilities = `I can do these, in plain English and several at once:
- summarise this folder, or a file
- find TODO · where is "parseLine"? · find files named *.md
- show README.md · show lines 10-20 of src/index.ts · explain @src/index.ts:10-20
- replace "old" by "new" in notes.txt
- create hello.txt with the text "hi"
- run \`git status\` · run the tests`;

/** The command that puts a key into the environment of this shell. */
const setKey = (name: string): string =>
  process.platform === 'win32' ? `$env:${name} = "…"` : `export ${name}=…`;

/** For a machine where no key and no server was found. */
const nothingFound = `To work with a real model, do one of these:
- with a key of Anthropic, OpenAI or Gemini: \`${setKey('ANTHROPIC_API_KEY')}\` (or \`OPENAI_API_KEY\`, \`GEMINI_API_KEY\`), then \`larik -p "…"\`
- with a key of OpenRouter, Groq, Mistral or others: likewise, see \`larik help environment\`; \`larik models\` lists what to write behind \`--model\`
- with a model on this machine: start Ollama or the server of LM Studio, then \`larik -p "…"\`; or llama.cpp or vLLM, then \`larik --model llamacpp/MODEL -p "…"\` or \`vllm/MODEL\`
- with any other server that speaks Chat Completions: put this, with your address and model, into the personal file that \`larik config path\` shows, then \`larik -p "…"\`
  {"model": "local/MODEL", "providers": {"local": {"type": "openai-compatible", "base_url": "http://localhost:8000/v1"}}}`;

function connect(ways: readonly string[]): string {
  if (ways.length === 0) return nothingFound;
  return `To work with a real model on this machine:\n${ways.map((way) => `- ${way}`).join('\n')}`;
}

/** Who is there, and what it can do. */
export function helpText(ways: readonly string[]): string {
  return `I am larik's built-in demo, not a language model: fixed rules that use larik's real tools on your project.\n\n${abilities}\n\n${connect(ways)}`;
}

/** For a prompt that is none of the things that the demo knows. */
export function notUnderstood(ways: readonly string[]): string {
  return `I did not understand that, and did nothing: I am larik's built-in demo, not a language model.\n\n${abilities}\n\n${connect(ways)}`;
}
