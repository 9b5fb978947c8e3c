import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryFiles } from '../../plugins/testing/memory-files.ts';
import { modes } from '../../ports/mode.ts';
import { callOf, decideCall, type Setting } from '../domain/permissions/permissions.ts';
import { modelDecision, type ModelCall, type ModelSetting, type World } from './model.ts';

const runs = Number(process.env['LARIK_FUZZ_CASES'] ?? 1500);
const seed = Number(process.env['LARIK_FUZZ_SEED'] ?? 20_260_101);

const entries = [
  '/p/',
  '/p/src/',
  '/p/src/a',
  '/p/src/B',
  '/p/sub/',
  '/p/sub/a',
  '/p/sub/deep/',
  '/p/sub/deep/a',
  '/p/a',
  '/p/.git/',
  '/p/.git/config',
  '/p/.npmrc',
  '/out/',
  '/out/a',
  '/q/',
  '/q/a',
];
const links = fc.dictionary(
  fc.constantFrom('/p/l', '/p/src/l', '/p/sub/l', '/out/l', '/p/a.l'),
  fc.constantFrom('/out', '..', 'src', '../sub', '/p', 'l', '../out/a', '/p/.git', 'nowhere', '/out/l', 'a'),
);
const world: fc.Arbitrary<World> = fc.record({
  entries: fc.constant(entries),
  links,
  cwd: fc.constantFrom('/p', '/p/sub', '/p/src'),
});

const part = fc.constantFrom(
  'a',
  'B',
  'b',
  'A',
  'src',
  'SRC',
  'sub',
  'deep',
  'l',
  '.git',
  '.GIT',
  'config',
  '.npmrc',
  '..',
  '.',
  'new',
  'out',
  'p',
  'a.l',
);
const path = fc
  .tuple(fc.constantFrom('', '/', '/p/', './', '../'), fc.array(part, { minLength: 1, maxLength: 4 }))
  .map(([start, parts]) => start + parts.join('/'));
const patternPart = fc.constantFrom(
  'a',
  'b',
  'B',
  'src',
  'sub',
  'deep',
  '*',
  '**',
  's*',
  'l',
  '?',
  '.git',
  'new',
);
const pathPattern = fc
  .tuple(fc.constantFrom('', '/p/', '/', '/out/'), fc.array(patternPart, { minLength: 1, maxLength: 3 }))
  .map(([start, parts]) => start + parts.join('/'));

const command = fc.constantFrom(
  'npm',
  'npm test',
  'npm tests',
  'npm test x',
  'pwd',
  'git status',
  'git status x',
  'git push',
  'rm',
  'rm x',
  'rmx',
  'npm-run x',
  'npm test-all',
);
const commandPattern = fc.constantFrom(
  'npm',
  'npm*',
  'npm *',
  'npm test*',
  'npm test',
  'rm',
  'rm*',
  'rm *',
  'git*',
  'git push*',
  'git status',
  'pwd',
  '*',
);
const host = fc.constantFrom('a.example', 'b.a.example', 'xa.example', 'example', 'a.example.evil.test');
const hostPattern = fc.constantFrom('domain:a.example', 'domain:example', 'domain:b.a.example');

const call: fc.Arbitrary<ModelCall> = fc.oneof(
  fc.record({ tool: fc.constantFrom('read' as const, 'write' as const, 'edit' as const), subject: path }),
  fc.record({
    tool: fc.constant('bash' as const),
    subject: fc.array(command, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ tool: fc.constant('web_fetch' as const), subject: host }),
  fc.record({ tool: fc.constantFrom('mcp__s__t' as const, 'mcp__s2__t' as const), subject: fc.constant('') }),
);
const rule = fc.oneof(
  fc.constantFrom('read', 'write', 'edit', 'bash', 'web_fetch', 'mcp__s', 'mcp__s__t', 'mcp__s2__t'),
  fc
    .tuple(fc.constantFrom('read', 'write', 'edit'), pathPattern)
    .map(([tool, pattern]) => `${tool}(${pattern})`),
  commandPattern.map((pattern) => `bash(${pattern})`),
  hostPattern.map((pattern) => `web_fetch(${pattern})`),
);
const rules = fc.uniqueArray(rule, { maxLength: 4 });
const setting: fc.Arbitrary<ModelSetting> = fc.record({
  world,
  mode: fc.constantFrom(...modes),
  sandboxed: fc.boolean(),
  rules: fc.record({ allow: rules, ask: rules, deny: rules }),
});

function filesOf({ entries: there, links: leading }: World) {
  const files = memoryFiles();
  for (const entry of there) {
    if (entry.endsWith('/')) files.folder(entry.slice(0, -1));
    else files.put(entry, '');
  }
  for (const [at, target] of Object.entries(leading)) files.link(at, target);
  return files;
}

async function decided({ tool, subject }: ModelCall, given: ModelSetting): Promise<'allow' | 'ask' | 'deny'> {
  const text = tool === 'web_fetch' ? `https://${String(subject)}/` : [subject].flat().join(' && ');
  const { world: of, mode, sandboxed } = given;
  const { allow, ask, deny } = given.rules;
  const real: Setting = {
    allow: [...allow],
    ask: [...ask],
    deny: [...deny],
    mode,
    sandboxed,
    cwd: of.cwd,
    files: filesOf(of),
  };
  return (await decideCall(callOf(tool, text), real)).decision;
}

const rank = { deny: 0, ask: 1, allow: 2 };

describe('decisions against a model of the rules', () => {
  it(`${runs} calls are decided as the model decides them`, async () => {
    await fc.assert(
      fc.asyncProperty(call, setting, async (one, given) => {
        expect(await decided(one, given)).toBe(modelDecision(one, given));
      }),
      { numRuns: runs, seed },
    );
  });

  it('a deny rule, an ask rule and plan mode never allow more', async () => {
    await fc.assert(
      fc.asyncProperty(call, setting, rule, async (one, given, more) => {
        const before = rank[await decided(one, given)];
        const { rules: old } = given;
        const stricter: ModelSetting[] = [
          { ...given, rules: { ...old, deny: [...old.deny, more] } },
          { ...given, rules: { ...old, ask: [...old.ask, more] } },
          { ...given, mode: 'plan' },
        ];
        for (const after of stricter) expect(rank[await decided(one, after)]).toBeLessThanOrEqual(before);
      }),
      { numRuns: Math.ceil(runs / 3), seed },
    );
  });
});
