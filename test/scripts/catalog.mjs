// Writes adapters/providers/catalog/prices.json: what the package @pydantic/genai-prices (MIT), a dev dependency,
// says of context windows and prices, for the models that one would hold a conversation with. larik itself does
// not use the package: it brings extractors and two thousand models that nobody asks for.
//
//   npm run catalog -- [--released YYYY-MM-DD] [--on YYYY-MM-DD] [--check]
//
// --released is the day on which the package's version came out, as its registry says; it is kept while the
// version stays the same. --on is the day whose prices count, where they change on a day (default: today; with
// --check the day in the file). --check writes nothing and fails if the file is not what the package gives.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findProvider } from '@pydantic/genai-prices';
import { format, resolveConfig } from 'prettier';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const file = join(root, 'adapters', 'providers', 'catalog', 'prices.json');

/** No conversation, or none with tools. */
const others =
  /embed|tts|audio|realtime|transcribe|whisper|moderation|guard|ocr|voice|image|video|vision-preview|computer-use|deep-research|search|instruct-0914|turbo-instruct|:|^~|live|omni|distill|multi-agent|saba|codestral|chat-latest/;

/** larik's id of a provider, the package's, and which of its models are of a generation still worth having. */
const wanted = [
  ['anthropic', 'anthropic', /^claude-(opus|sonnet|haiku|fable|mythos)-/],
  ['openai', 'openai', /^(gpt-(4\.1|[5-9])|o[34])/],
  ['gemini', 'google', /^gemini-(2\.5|[3-9])/],
  ['groq', 'groq', /^(openai|moonshotai|qwen|meta-llama)\/|^llama-3\.[13]-.*(instant|versatile)/],
  ['deepseek', 'deepseek', /^deepseek-v[3-9]/],
  ['xai', 'x-ai', /^grok-([4-9]|build|code)/],
  [
    'mistral',
    'mistral',
    /^(mistral-(large|medium|small)|devstral|magistral|ministral)-?.*(25|26|latest|3-5)/,
  ],
  ['cerebras', 'cerebras', /./],
  ['fireworks', 'fireworks', /./],
  [
    'openrouter',
    'openrouter',
    /^(anthropic\/claude-(opus|sonnet|haiku|fable)-[4-9]|openai\/gpt-([5-9]|oss)|google\/gemini-(2\.5|[3-9])|x-ai\/grok-[4-9]|deepseek\/deepseek-v|mistralai\/(mistral-(large|medium|small)-(2|3)|devstral)|moonshotai\/kimi-k|z-ai\/glm-([5-9]|4\.[5-9])|qwen\/qwen3|minimax\/minimax-m[2-9])/,
  ],
];

/** The prices of a day; where they differ by the hour, the highest ones. */
function pricesOn(prices, day) {
  if (!Array.isArray(prices)) return prices;
  const begun = prices.filter(
    ({ constraint }) => constraint?.start_date === undefined || constraint.start_date <= day,
  );
  const last = begun.findLastIndex(({ constraint }) => constraint?.type !== 'time_of_date');
  const base = (price) => price?.base ?? price ?? 0;
  return begun
    .slice(Math.max(last, 0))
    .map((each) => each.prices)
    .reduce((a, b) => (base(b.input_mtok) > base(a.input_mtok) ? b : a));
}

const kinds = ['input_mtok', 'output_mtok', 'cache_read_mtok', 'cache_write_mtok'];

/** Input, output, cache read, cache write; caching costs what input costs where nothing is said of it. */
function four(prices, at) {
  const of = (kind) => {
    const price = prices[kind];
    if (price === undefined) return undefined;
    return typeof price === 'number' ? price : at(price);
  };
  const [input, output, read = input, write = input] = kinds.map(of);
  return [input, output, read, write];
}

/** One row: window (null: not said), the four prices, and a list like it for each size above which others hold. */
function row(model, day) {
  const prices = pricesOn(model.prices, day);
  const sizes = new Set(kinds.flatMap((kind) => prices[kind]?.tiers?.map(({ start }) => start) ?? []));
  const base = four(prices, (price) => price.base);
  if (base.some((price) => price === undefined)) return null;
  const tiers = [...sizes]
    .sort((a, b) => a - b)
    .map((size) => [
      size,
      ...four(prices, (price) => price.tiers.findLast(({ start }) => start <= size)?.price ?? price.base),
    ]);
  return [model.context_window ?? null, ...base, ...tiers];
}

const byName = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);
const sorted = (entries) => Object.fromEntries([...entries].sort(byName));

/** The ids that a rule of the package names as they are. */
function equalIds(match) {
  if (match.equals !== undefined) return [match.equals];
  return (match.or ?? []).flatMap(equalIds);
}

function modelsOf(id, pattern, day) {
  const rows = new Map();
  const fits = (name) => pattern.test(name) && !others.test(name);
  for (const model of findProvider({ providerId: id }).models) {
    const values = model.deprecated ? null : row(model, day);
    if (values === null) continue;
    const equal = equalIds(model.match);
    // Fireworks' own names of models are paths; the package's ids are the last part of them.
    const names = id === 'fireworks' ? equal : [model.id, ...equal];
    for (const name of names) {
      // `gpt-5-4` is no name that the vendor gives; a dated one is found by its beginning.
      const spelling =
        /^gpt-\d-\d|(-\d{4}-\d{2}-\d{2}|-\d{8}|-\d{4}|-latest)$/.test(name) && name !== model.id;
      if (fits(name) && !spelling && !rows.has(name)) rows.set(name, values);
    }
  }
  return sorted(rows);
}

const { values: flags } = parseArgs({
  options: { released: { type: 'string' }, on: { type: 'string' }, check: { type: 'boolean' } },
});
const require = createRequire(import.meta.url);
const entry = require.resolve('@pydantic/genai-prices');
const { version } = JSON.parse(readFileSync(join(dirname(dirname(entry)), 'package.json'), 'utf8'));
let before = {};
try {
  before = JSON.parse(readFileSync(file, 'utf8'));
} catch {
  // The first time.
}
const released = flags.released ?? (before.version === version ? before.released : undefined);
if (released === undefined) {
  console.error(`Say when version ${version} came out: npm run catalog -- --released YYYY-MM-DD`);
  process.exit(2);
}
const on = flags.on ?? (flags.check ? before.on : new Date().toISOString().slice(0, 10));
const models = Object.fromEntries(
  wanted.map(([ours, theirs, pattern]) => [ours, modelsOf(theirs, pattern, on)]),
);
const text = await format(
  JSON.stringify({ source: '@pydantic/genai-prices', version, released, on, models }),
  {
    ...(await resolveConfig(file)),
    filepath: file,
  },
);
if (!flags.check) writeFileSync(file, text);
else if (text !== readFileSync(file, 'utf8')) {
  console.error('adapters/providers/catalog/prices.json is not what the package gives; run npm run catalog');
  process.exit(1);
}
const count = Object.values(models).reduce((sum, rows) => sum + Object.keys(rows).length, 0);
console.log(`${count} models, ${text.length} bytes, prices of ${on}, version ${version} of ${released}`);
