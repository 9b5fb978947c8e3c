import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { basePrompt } from '../../domain/prompt/base-prompt.ts';
import { systemPrompt } from '../../domain/prompt/system-prompt.ts';
import { contexts } from './contexts.ts';
import { loopErrorTexts, noteTexts, type NamedText } from './loop-texts.ts';

const golden = (name: string): string => join(import.meta.dirname, '..', 'fixtures', 'prompts', name);

/** Texts under one another, each under its name. */
function sheet(texts: readonly NamedText[]): string {
  return texts.map(({ name, text }) => `=== ${name}\n${text}\n`).join('\n');
}

// `npm run prompts -- --update` rewrites these files; a change to one is a commit that says why.
describe('what the model reads', () => {
  it('has the pinned base prompt', async () => {
    await expect(`${basePrompt}\n`).toMatchFileSnapshot(golden('base-prompt.md'));
  });

  it.each(Object.entries(contexts))('has the pinned %s', async (name, facts) => {
    await expect(`${systemPrompt(facts).text}\n`).toMatchFileSnapshot(golden(`${name}.md`));
  });

  it('has the pinned notes', async () => {
    await expect(sheet(noteTexts)).toMatchFileSnapshot(golden('notes.txt'));
  });

  it('has the pinned results of the loop', async () => {
    await expect(sheet(await loopErrorTexts())).toMatchFileSnapshot(golden('loop-errors.txt'));
  });
});
