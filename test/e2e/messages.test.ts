import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { configs } from './messages/config.ts';
import { models } from './messages/models.ts';
import { permissions } from './messages/permissions.ts';
import { places, sessions } from './messages/places.ts';
import { sandboxes } from './messages/sandbox.ts';
import { play } from './messages/scenario.ts';
import { settings } from './messages/settings.ts';
import { doctors, turns } from './messages/turns.ts';
import { foreign, usage } from './messages/usage.ts';

// Every message that bad input, settings, rights and network bring to a person, produced by the built
// program. After a change: UPDATE=1 npx vitest run test/e2e/messages.test.ts, and read the difference.

const golden = new URL('../fixtures/messages.txt', import.meta.url);
const updates = process.env['UPDATE'] === '1';

/** The blocks of the golden file by their names. */
function blocks(text: string): Map<string, string> {
  const all = text.split(/^(?=# )/m).filter((block) => block.startsWith('# '));
  return new Map(all.map((block) => [/^# (.*)/.exec(block)?.[1] ?? '', `${block.trimEnd()}\n`]));
}

const expected = blocks(existsSync(golden) ? readFileSync(golden, 'utf8') : '');
const found = new Map<string, string>();
const scenarios = [
  usage,
  foreign,
  settings,
  configs,
  sandboxes,
  permissions,
  models,
  turns,
  sessions,
  places,
  doctors,
].flat();

/** The messages on standard error, each with the lines that belong to it. */
function messages(err: string): string[] {
  return err
    .trimEnd()
    .split(
      /\n(?=larik\b|warning: |error: |stopped |not allowed: |compacted: |session |this session |I read|· )/,
    );
}

afterAll(() => {
  if (!updates) return;
  // What this machine cannot produce stays as it was.
  const all = scenarios.map(({ name }) => found.get(name) ?? expected.get(name) ?? '');
  writeFileSync(golden, all.filter((block) => block !== '').join('\n'));
});

describe.concurrent('messages', () => {
  for (const scenario of scenarios) {
    const { name, skip = false } = scenario;
    it.skipIf(skip !== false)(
      skip === false ? name : `${name} (${skip})`,
      async () => {
        const { block, ended } = await play(scenario);
        for (const one of messages(ended.err)) {
          expect(one.split('\n').length, block).toBeLessThanOrEqual(3);
        }
        // No stack, no place in the code, no class.
        expect(block).not.toMatch(/\n\s+at |node:internal|\.cjs:\d|\w+Error\b|\[object |undefined|\bNaN\b/);
        expect(block).not.toContain('key-secret');
        if (!updates) expect(block).toBe(expected.get(name));
        found.set(name, block);
      },
      60_000,
    );
  }

  it('the golden file holds nothing else', () => {
    const names = scenarios.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    if (!updates) expect([...expected.keys()]).toEqual(names.filter((name) => expected.has(name)));
  });
});
