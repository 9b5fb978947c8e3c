import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addShared, addTrusted, defaultSettings } from '../../../../adapters/settings/layering.ts';
import { keysAt } from '../../../../adapters/settings/schema.ts';
import { readLayer } from '../../../../adapters/settings/settings-layer.ts';
import { sharedRights } from '../../../../adapters/settings/trust/shared-rights.ts';
import type { LoadedSettings, RuleSource } from '../../../../ports/settings.ts';

/** Sections whose keys have rights of their own. */
const sections = ['permissions', 'sandbox', 'limits'];

describe('the rights of a shared file', () => {
  it('are said of every key of the schema, and of no other but those that wait', () => {
    const keys = keysAt([]).flatMap((key) =>
      sections.includes(key) ? keysAt([key]).map((name) => `${key}.${name}`) : [key],
    );
    const waiting = Object.keys(sharedRights).filter((key) => sharedRights[key] === 'wait');
    expect(Object.keys(sharedRights).sort()).toEqual([...new Set([...keys, ...waiting])].sort());
    expect(waiting).toEqual(['hooks', 'mcp_servers', 'plugins']);
  });

  it('let only these keys have a say', () => {
    const heard = Object.keys(sharedRights).filter((key) => sharedRights[key] === 'tighten');
    expect(heard).toEqual([
      'permissions.ask',
      'permissions.deny',
      'sandbox.type',
      'sandbox.deny_read',
      'limits.max_steps',
      'limits.budget_usd',
      'limits.tool_output_bytes',
      'limits.bash_timeout',
    ]);
  });

  const texts = fc.array(fc.constantFrom('bash', 'edit', 'bash(git *)', '/', '~/.ssh', 'x', '*'), {
    maxLength: 3,
  });
  const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const limit = some(fc.integer({ min: 1, max: 400 }));
  const file = fc.record({
    model: some(fc.constantFrom('a/b', 'c/d')),
    effort: some(fc.constantFrom('low', 'max')),
    mode: some(fc.constantFrom('default', 'accept-edits', 'plan', 'yolo')),
    guard: some(fc.constantFrom('on', 'off')),
    roles: some(fc.dictionary(fc.constantFrom('smart', 'auto'), fc.constant('a/b'))),
    fallbacks: some(fc.dictionary(fc.constantFrom('smart', 'a/b'), fc.array(fc.constant('c/d')))),
    providers: some(fc.dictionary(fc.constantFrom('anthropic', 'x'), fc.record({ base_url: fc.webUrl() }))),
    models: some(fc.dictionary(fc.constantFrom('a/b'), fc.record({ images: fc.boolean() }))),
    permissions: some(fc.record({ allow: some(texts), ask: some(texts), deny: some(texts) })),
    sandbox: some(
      fc.record({
        type: some(fc.constantFrom('auto', 'bubblewrap', 'none')),
        writable: some(texts),
        deny_read: some(texts),
        env: some(texts),
        network: some(fc.boolean()),
        allowed_domains: some(texts),
      }),
    ),
    limits: some(
      fc.record({
        max_steps: limit,
        budget_usd: some(fc.option(fc.integer({ min: 0, max: 9 }))),
        tool_output_bytes: limit,
        bash_timeout: limit,
      }),
    ),
    checkpoint_retention_days: limit,
    theme: some(fc.constantFrom('auto', 'paper')),
    keys: some(fc.constant({ submit: 'enter' })),
    status_line: some(fc.constant({ type: 'command', command: 'curl evil' })),
    mouse: some(fc.boolean()),
    notifications: some(fc.boolean()),
    hooks: some(fc.anything()),
    mcp_servers: some(fc.anything()),
    plugins: some(fc.anything()),
    trusted: some(fc.boolean()),
    __proto__: some(fc.constant({ mode: 'yolo' })),
  });

  const layerOf = async (value: unknown, env: Record<string, string> | null) =>
    (await readLayer('/f.json', { text: JSON.stringify(value) ?? '' }, env)).layer;

  const ruleTexts = (rules: RuleSource[]): string[] => rules.map(({ text }) => text);
  const strictness = ['none', 'auto', 'bubblewrap'];

  /** A copy without what a shared file may tighten: none of the rest may move. */
  const fixed = (settings: LoadedSettings) => ({
    ...settings,
    rules: settings.rules.allow,
    sandbox: { ...settings.sandbox, type: null, denyRead: null },
    limits: null,
    problems: null,
  });

  it('make nothing looser than without the file', async () => {
    await fc.assert(
      fc.asyncProperty(file, file, async (personal, shared) => {
        const own = await layerOf(personal, {});
        const before = own === null ? defaultSettings() : addTrusted(defaultSettings(), own);
        const layer = await layerOf(shared, null);
        if (layer === null) return;
        const { settings: after, ignored } = addShared(before, layer);
        expect(fixed(after)).toEqual(fixed(before));
        expect(ruleTexts(after.rules.ask)).toEqual(expect.arrayContaining(ruleTexts(before.rules.ask)));
        expect(ruleTexts(after.rules.deny)).toEqual(expect.arrayContaining(ruleTexts(before.rules.deny)));
        expect(after.sandbox.denyRead).toEqual(expect.arrayContaining(before.sandbox.denyRead));
        expect(strictness.indexOf(after.sandbox.type)).toBeGreaterThanOrEqual(
          strictness.indexOf(before.sandbox.type),
        );
        for (const name of ['maxSteps', 'toolOutputBytes', 'bashTimeout'] as const) {
          expect(after.limits[name]).toBeLessThanOrEqual(before.limits[name]);
        }
        expect(after.limits.budgetUsd ?? Infinity).toBeLessThanOrEqual(before.limits.budgetUsd ?? Infinity);
        // What was ignored is told in one text.
        const told = after.problems.filter(({ text }) => text.includes('so they are ignored'));
        expect(told).toHaveLength(ignored.length > 0 ? 1 : 0);
        for (const { path } of ignored) expect(told[0]?.text).toContain(path.join('.'));
      }),
      { numRuns: 200 },
    );
  });

  it('are told of once: sections that wait are no unknown keys', async () => {
    const text = '{"hooks": 1, "mcp_servers": {}, "plugins": [], "odd": 1}';
    const told = async (env: Record<string, string> | null): Promise<string[]> =>
      (await readLayer('/f.json', { text }, env)).problems.map((one) => one.text);
    expect(await told(null)).toEqual(['/f.json:1:55: unknown key odd; it has no effect']);
    expect(await told({})).toHaveLength(4);
  });
});
