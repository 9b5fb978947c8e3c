import { describe, expect, it } from 'vitest';
import { generationOf, thinkingConfig } from '../../../../adapters/providers/gemini/generation.ts';
import type { Effort } from '../../../../ports/provider.ts';

const efforts: (Effort | undefined)[] = [undefined, 'low', 'medium', 'high', 'xhigh', 'max'];
const level = ['', 'LOW', 'MEDIUM', 'HIGH', 'HIGH', 'HIGH'];
const withoutMedium = ['', 'LOW', 'HIGH', 'HIGH', 'HIGH', 'HIGH'];
const budget = ['', 2048, 8192, 24_576, 24_576, 24_576];

describe('thinking by generation', () => {
  it.each([
    ['gemini-2.5-pro', budget],
    ['gemini-2.5-flash-lite-preview-09-2025', budget],
    ['gemini-3-pro', withoutMedium],
    ['gemini-3-pro-preview', withoutMedium],
    ['models/gemini-3-pro-preview', withoutMedium],
    ['gemini-3.1-pro-preview', level],
    ['gemini-3-flash', level],
    ['gemini-3.8-flash', level],
    ['gemini-4-argon', level],
    ['gemini-9', level],
    ['gemini-10.5-pro', level],
    ['gemini-flash-latest', level],
    ['google/gemini-3-flash', level],
  ])('%s is asked for thoughts, and for as much of them as was set', (model, expected) => {
    const word = expected === budget ? 'thinkingBudget' : 'thinkingLevel';
    const sent = efforts.map((effort) => thinkingConfig(generationOf(model), effort));
    expect(sent).toEqual(
      expected.map((value) => ({ includeThoughts: true, ...(value !== '' && { [word]: value }) })),
    );
  });

  it.each(['gemini-2.0-flash', 'gemini-1.5-pro', 'gemma-3-27b-it', 'my-model', 'not-gemini-3'])(
    '%s is not asked for thoughts, which it would refuse',
    (model) => {
      expect(efforts.map((effort) => thinkingConfig(generationOf(model), effort))).toEqual(
        efforts.map(() => null),
      );
    },
  );

  it.each([
    ['gemini-2.5-flash', false],
    ['gemini-3-pro', true],
    ['gemini-4-argon', true],
    ['gemini-9', true],
    ['gemma-3-27b-it', false],
  ])('%s needs signatures and takes images in results: %s', (model, expected) => {
    const { needsSignature, imagesInResults } = generationOf(model);
    expect([needsSignature, imagesInResults]).toEqual([expected, expected]);
  });
});
