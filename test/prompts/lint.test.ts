import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinTools } from '../../adapters/tools/builtin.ts';
import { defaultLines, lineCharacters } from '../../adapters/tools/files/limits.ts';
import { defaultHits, mostPaths } from '../../adapters/tools/search/limits.ts';
import { defaultSeconds, longestSeconds } from '../../adapters/tools/shell/limits.ts';
import { basePrompt, groundRules } from '../../domain/prompt/base-prompt.ts';
import { contextSize, toolJson } from '../../apps/commands/context-size.ts';
import { byteLength } from '../../domain/text/cut.ts';
import type { ToolSpec } from '../../ports/provider.ts';
import { freshContext } from './contexts.ts';
import { compactionTexts, loopErrorTexts, noteTexts } from './loop-texts.ts';
import { toolErrorTexts } from './tool-texts.ts';

interface Field {
  type?: string;
  description?: string;
  enum?: unknown[];
  items?: Field;
  properties?: Record<string, Field>;
  required?: string[];
}

const specs = builtinTools.map(({ spec }) => spec);
const propertiesOf = (schema: Field): Record<string, Field> => schema.properties ?? {};

/** Each field of a schema under its path, those in lists too. */
function fieldsOf(schema: Field, path = ''): [string, Field][] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]): [string, Field][] => [
    [`${path}${name}`, field],
    ...fieldsOf(field.items ?? {}, `${path}${name}[].`),
  ]);
}

const toolFields = specs.flatMap(({ name, inputSchema }) =>
  fieldsOf(inputSchema as Field).map(([path, field]) => [`${name}.${path}`, field] as const),
);

function toolTexts(spec: ToolSpec): string {
  return [
    spec.description,
    ...fieldsOf(spec.inputSchema as Field).map(([, field]) => field.description),
  ].join('\n');
}

/** Where something can be ruled: a point of the base prompt, or a tool's definition. */
const places: [string, string][] = [
  ...basePrompt
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, string] => [line.slice(0, 40), line]),
  ...specs.map((spec): [string, string] => [spec.name, toolTexts(spec)]),
];

const written: [string, string][] = [
  ['base prompt', basePrompt],
  ...specs.map((spec): [string, string] => [`tool ${spec.name}`, toolJson(spec)]),
  ...[...noteTexts, ...compactionTexts].map(({ name, text }): [string, string] => [`note: ${name}`, text]),
];

describe('sizes', () => {
  it('keeps the base prompt and the ground rules short', () => {
    expect(byteLength(basePrompt)).toBeLessThanOrEqual(3500);
    expect(byteLength(groundRules)).toBeLessThanOrEqual(1400);
  });

  it.each(specs.map((spec) => [spec.name, spec] as const))('keeps %s short', (name, spec) => {
    const most = { bash: 1600, grep: 1000 }[name] ?? 700;
    expect(byteLength(toolJson(spec))).toBeLessThanOrEqual(most);
  });

  it('keeps the core tools together, and a fresh context in a git project, within their room', () => {
    const size = contextSize(specs, freshContext.parts);
    expect(size.tools).toBeLessThanOrEqual(7000);
    expect(size.total).toBeLessThanOrEqual(12_288);
  });
});

describe('tool definitions', () => {
  it('has the eleven core tools, each once', () => {
    expect(specs.map(({ name }) => name).sort()).toEqual([
      'bash',
      'bash_output',
      'bash_stop',
      'edit',
      'exit_plan_mode',
      'glob',
      'grep',
      'multi_edit',
      'read',
      'todo_write',
      'write',
    ]);
  });

  it.each(toolFields)('describes %s in at most 120 bytes', (_, field) => {
    expect(field.description ?? '').not.toBe('');
    expect(byteLength(field.description ?? '')).toBeLessThanOrEqual(120);
  });

  it.each(specs.map((spec) => [spec.name, spec.inputSchema as Field] as const))(
    'gives %s a flat schema',
    (name, schema) => {
      const json = JSON.stringify(schema);
      for (const word of ['anyOf', 'oneOf', 'allOf', '$ref', '$schema', 'format'])
        expect(json).not.toContain(`"${word}"`);
      const lists = fieldsOf(schema).filter(([, field]) => field.type === 'array');
      expect(lists.length > 0).toBe(['multi_edit', 'todo_write'].includes(name));
      for (const [, field] of fieldsOf(schema)) {
        expect(['string', 'integer', 'boolean', 'array', 'object']).toContain(field.type);
      }
    },
  );
});

describe('limits', () => {
  it.each([
    ['read', [defaultLines, lineCharacters]],
    ['glob', [mostPaths]],
    ['grep', [defaultHits]],
    ['bash', [defaultSeconds, longestSeconds]],
  ])('in the text of %s are those that are enforced', (name, limits) => {
    const spec = specs.find((one) => one.name === name)!;
    // The numbers in prose, but for those that count lines or items from 1.
    const told = new Set(
      Array.from(toolTexts(spec).matchAll(/\d[\d,]*/g), ([number]) => Number(number.replaceAll(',', ''))),
    );
    told.delete(1);
    expect([...told].toSorted((a, b) => a - b)).toEqual([...new Set(limits)].toSorted((a, b) => a - b));
  });
});

describe('words', () => {
  const toolNames = new Set(specs.map(({ name }) => name));
  const parameters = new Set(toolFields.flatMap(([path]) => path.split(/\.|\[\]/)));
  const values = new Set(toolFields.flatMap(([, field]) => (field.enum ?? []).map(String)));

  it.each(written)('names only tools and parameters that exist in %s', (_, text) => {
    const names = Array.from(text.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g), ([, name]) => name ?? '');
    const unknown = names.filter(
      (name) => !toolNames.has(name) && !parameters.has(name) && !values.has(name),
    );
    expect(unknown.filter((name) => !['acme_ask', 'zeta_find', 'cd'].includes(name))).toEqual([]);
  });

  it.each(written)('stays calm and neutral in %s', (_, text) => {
    expect(text).not.toMatch(/\b(?:MUST|NEVER|ALWAYS|IMPORTANT|CRITICAL|WARNING|NOTE|DO NOT|ONLY)\b/);
    expect(text).not.toMatch(/\bimportant\b|!(?!\w)/i);
    expect(text).not.toMatch(/\p{Extended_Pictographic}/u);
    expect(text).not.toMatch(
      /\b(?:anthropic|claude|openai|chatgpt|gpt|codex|gemini|google|ollama|mistral|llama|deepseek|grok|qwen|copilot|cursor)\b/i,
    );
    expect(text).not.toMatch(/(?:^|[\s`"'(])(?:\/(?:usr|etc|home|tmp|var|work|root)\b|[A-Z]:\\)/);
  });

  it.each(written.filter(([name]) => name !== 'note: resumed on another day'))(
    'holds no date in %s',
    (_, text) => {
      expect(text).not.toMatch(/\b(?:19|20)\d\d\b/);
    },
  );
});

describe('subjects', () => {
  const subjects = JSON.parse(
    readFileSync(join(import.meta.dirname, '..', 'fixtures', 'prompts', 'subjects.json'), 'utf8'),
  ) as { name: string; pattern: string }[];

  it.each(subjects.map(({ name, pattern }) => [name, pattern]))('rules %s in one place', (_, pattern) => {
    const found = places.filter(([, text]) => new RegExp(pattern, 'i').test(text)).map(([place]) => place);
    expect(found).toHaveLength(1);
  });
});

describe('results', () => {
  it('keeps every error short and clean', async () => {
    for (const { name, text } of [...(await loopErrorTexts()), ...(await toolErrorTexts())]) {
      const most = name.startsWith('edit') ? 3000 : 1500;
      expect([name, byteLength(text) <= most]).toEqual([name, true]);
      expect([name, /\n\s+at \S+ \(|Error:|\.ts:\d/.test(text)]).toEqual([name, false]);
      expect(text).not.toMatch(/[^\S\n]+$/m);
    }
  });

  it('has one sentence a note', () => {
    const short = noteTexts.filter(({ name }) => name !== 'title'); // That one is a request.
    for (const { text } of short) expect(text.match(/[.!?](?:\s|$)/g)).toHaveLength(1);
  });
});
