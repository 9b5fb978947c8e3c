/** At the end of each answer: nobody should take it for more than it is. */
export const notAModel =
  "(I am larik's built-in demo: fixed rules that use the real tools, not a language model.)";

const abilities = `I can do these, in plain English and several at once:
- summarise this folder, or a file
- find TODO · where is "parseLine"? · find files named *.md
- show README.md · show lines 10-20 of src/index.ts
- replace "old" by "new" in notes.txt
- create hello.txt with the text "hi"
- run \`git status\` · run the tests`;

/** For a machine where neither a key nor a server was found. */
const nothingFound = `To work with a real model, do one of these and start larik again:
- set a key in the environment: ANTHROPIC_API_KEY=… or OPENAI_API_KEY=…
- start a model server on this machine, such as Ollama or LM Studio
- name another server under "providers" in larik's config.json, and the model with --model provider/model`;

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
