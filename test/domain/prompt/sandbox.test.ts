import { expect, it } from 'vitest';
import { sandboxChanged, sandboxParagraph } from '../../../domain/prompt/sandbox.ts';
import { sandbox } from '../../prompts/contexts.ts';

it('says on a resume what is now so of the sandbox, and nothing where it is as it was', () => {
  const off = { ...sandbox, works: false };
  const recorded = `above\n\n${sandboxParagraph(sandbox)}\n\nbelow`;
  expect(sandboxChanged(recorded, sandbox)).toBeNull();
  expect(sandboxChanged(recorded, { ...sandbox, network: true })).toContain('The network is open.');
  expect(sandboxChanged(recorded, off)).toContain(sandboxParagraph(off));
  expect(sandboxChanged('a context without such a paragraph', sandbox)).toContain(sandboxParagraph(sandbox));
});
