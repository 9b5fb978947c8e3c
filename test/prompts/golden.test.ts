import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtinTools } from '../../adapters/tools/builtin.ts';
import { basePrompt } from '../../domain/prompt/base-prompt.ts';
import { toolJson } from '../../apps/commands/context-size.ts';
import { systemPrompt } from '../../domain/prompt/system-prompt.ts';
import { byteLength } from '../../domain/text/cut.ts';
import type { ToolSpec } from '../../ports/provider.ts';
import { contexts } from './contexts.ts';
import { autoCheckTexts, compactionTexts, loopErrorTexts, noteTexts, type NamedText } from './loop-texts.ts';
import { toolErrorTexts } from './tool-texts.ts';

const golden = (name: string): string => join(import.meta.dirname, '..', 'fixtures', 'prompts', name);

/** Texts under one another, each under its name. */
function sheet(texts: readonly NamedText[]): string {
  return texts.map(({ name, text }) => `=== ${name}\n${text}\n`).join('\n');
}

interface Field {
  type?: string;
  description?: string;
  enum?: string[];
  items?: Field;
  properties?: Record<string, Field>;
  required?: string[];
}

function fieldLines(schema: Field, indent: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const needed = schema.required?.includes(name) === true ? ', required' : '';
    const values = field.enum === undefined ? '' : `, one of ${field.enum.join(', ')}`;
    return [
      `${indent}- ${name} (${field.type}${needed}${values}): ${field.description}`,
      ...fieldLines(field.items ?? {}, `${indent}  `),
    ];
  });
}

/** A tool as prose, with its size as sent. */
function toolSheet(spec: ToolSpec): string {
  const head = `## ${spec.name} (${byteLength(toolJson(spec))} bytes as JSON)`;
  return [head, '', spec.description, '', ...fieldLines(spec.inputSchema as Field, ''), ''].join('\n');
}

const specs = builtinTools.map(({ spec }) => spec).toSorted((a, b) => (a.name < b.name ? -1 : 1));

// `npm run prompts -- --update` rewrites these files; a change to one is a commit that says why.
describe('what the model reads', () => {
  it('has the pinned base prompt', async () => {
    await expect(`${basePrompt}\n`).toMatchFileSnapshot(golden('base-prompt.md'));
  });

  it.each(Object.entries(contexts))('has the pinned %s', async (name, facts) => {
    await expect(`${systemPrompt(facts).text}\n`).toMatchFileSnapshot(golden(`${name}.md`));
  });

  it('has the pinned tools, as prose and byte for byte', async () => {
    await expect(specs.map(toolSheet).join('\n')).toMatchFileSnapshot(golden('tools.md'));
    await expect(`${specs.map(toolJson).join('\n')}\n`).toMatchFileSnapshot(golden('tools.jsonl'));
  });

  it('has the pinned results of the tools', async () => {
    await expect(sheet(await toolErrorTexts())).toMatchFileSnapshot(golden('tool-results.txt'));
  });

  it('has the pinned notes', async () => {
    await expect(sheet(noteTexts)).toMatchFileSnapshot(golden('notes.txt'));
  });

  it('has the pinned texts around a compaction', async () => {
    await expect(sheet(compactionTexts)).toMatchFileSnapshot(golden('compaction.txt'));
  });

  it('has the pinned check of mode auto', async () => {
    await expect(sheet(autoCheckTexts)).toMatchFileSnapshot(golden('auto-check.txt'));
  });

  it('has the pinned results of the loop', async () => {
    await expect(sheet(await loopErrorTexts())).toMatchFileSnapshot(golden('loop-errors.txt'));
  });
});
