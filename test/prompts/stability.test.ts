import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { instructionFiles } from '../../adapters/content/instruction-files.ts';
import { environment } from './contexts.ts';

const files = ['config/AGENTS.md', 'p/AGENTS.md', 'p/CLAUDE.md', 'p/web/CLAUDE.md', 'p/other.md'];

/** All that a fresh context sends before the first prompt, built from modules loaded anew. */
async function built(root: string): Promise<string> {
  vi.resetModules();
  const { builtinTools } = await import('../../adapters/tools/builtin.ts');
  const { systemPrompt } = await import('../../domain/prompt/system-prompt.ts');
  const { toolJson } = await import('../../apps/commands/context-size.ts');
  const content = instructionFiles({
    config: join(root, 'config'),
    project: join(root, 'p'),
    cwd: join(root, 'p', 'web'),
    mayLeadTo: () => Promise.resolve(true),
  });
  const { files: instructions } = await content.instructions();
  const tools = builtinTools.map(({ spec }) => toolJson(spec)).sort();
  return [...tools, systemPrompt({ environment, instructions }).text.replaceAll(root, '')].join('\n');
}

async function inProject(order: readonly string[], noise: string): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'larik-stable-')));
  try {
    await mkdir(join(root, 'config'), { recursive: true });
    await mkdir(join(root, 'p', 'web'), { recursive: true });
    for (const name of order) await writeFile(join(root, name), `Rules of ${name}\n`);
    await writeFile(join(root, 'p', `new-${noise}.txt`), noise);
    return await built(root);
  } finally {
    await rm(root, { recursive: true });
  }
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('what stands before the first prompt', () => {
  it('is the same under another clock, locale, order of entries, terminal and environment', async () => {
    const reference = await inProject(files, 'a');
    const surroundings = fc.record({
      order: fc.shuffledSubarray(files, { minLength: files.length }),
      time: fc.integer({ min: 0, max: 4_000_000_000_000 }),
      zone: fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns'),
      locale: fc.constantFrom('C', 'de_DE.UTF-8', 'tr_TR.UTF-8', 'ja_JP.UTF-8'),
      columns: fc.constantFrom('20', '80', '500'),
      noise: fc.stringMatching(/^[a-z0-9]{1,12}$/),
    });
    await fc.assert(
      fc.asyncProperty(surroundings, async ({ order, time, zone, locale, columns, noise }) => {
        vi.useFakeTimers({ now: time, toFake: ['Date'] });
        vi.stubEnv('TZ', zone);
        vi.stubEnv('LANG', locale);
        vi.stubEnv('LC_ALL', locale);
        vi.stubEnv('COLUMNS', columns);
        vi.stubEnv('LARIK_TEST_NOISE', noise);
        expect(await inProject(order, noise)).toBe(reference);
      }),
      { numRuns: 8 },
    );
  });
});
