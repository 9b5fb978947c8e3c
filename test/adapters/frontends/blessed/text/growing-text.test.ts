import { expect, it } from 'vitest';
import { grownText, grownUp, partOf } from '../../../../../adapters/frontends/blessed/text/growing-text.ts';

it('keeps the end of a long text beside it, and no more than that', () => {
  let growing: { text: string; recent?: string } = { text: '' };
  let most = 0;
  for (let at = 0; at < 8_000; at += 1) {
    growing = grownText(growing, `piece ${at} `);
    most = Math.max(most, growing.recent?.length ?? 0);
    expect(growing.text.length < 16_384 || growing.recent !== undefined).toBe(true);
  }
  const { text, recent = '' } = growing;
  expect(text.endsWith('piece 7999 ')).toBe(true);
  expect(text.endsWith(recent)).toBe(true);
  expect(recent.length).toBeGreaterThan(1_000);
  expect(most).toBeLessThanOrEqual(32_768);
  expect(partOf(growing, 0, 7)).toBe('piece 0');
  expect(partOf(growing, text.length - 5, text.length - 1)).toBe('7999');
  expect(partOf(growing, text.length - recent.length - 3, text.length)).toBe(text.slice(-recent.length - 3));
  expect(grownUp(growing)).toEqual({ text });
});

it('reads a part at the end without the whole text', () => {
  expect(partOf({ text: '.'.repeat(10), recent: 'abcd' }, 7, 9)).toBe('bc');
});
