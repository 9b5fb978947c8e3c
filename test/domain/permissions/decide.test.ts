import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modes, type Mode } from '../../../ports/mode.ts';
import { memoryFiles } from '../../../plugins/testing/memory-files.ts';
import { callOf, decideBash, decideCall, type Setting } from './permissions.ts';

const step = async (tool: string, subject: string, setting: Setting = {}) => {
  const { decision, because } = await decideCall(callOf(tool, subject), setting);
  return `${decision} ${because.step}`;
};

describe('the ladder', () => {
  it('stops writing outside the project before it looks at anything else', async () => {
    expect(await step('write', '/etc/hosts', { mode: 'yolo', allow: ['write'], deny: ['write'] })).toBe(
      'deny 1',
    );
  });

  it('holds deny rules above every mode', async () => {
    for (const mode of modes)
      expect(await step('read', '.env', { mode, deny: ['read(.env)'] })).toBe('deny 2');
  });

  it('lets yolo, reading, rules, the sandbox, the safe list and accept-edits through in this order', async () => {
    expect(await step('write', 'a', { mode: 'yolo' })).toBe('allow 3');
    expect(await step('read', 'a', { mode: 'plan' })).toBe('allow 4');
    expect(await step('bash', 'npm test', { allow: ['bash(npm test)'], sandboxed: true })).toBe('allow 6');
    expect(await step('bash', 'pwd', { sandboxed: true })).toBe('allow 7');
    expect(await step('bash', 'pwd')).toBe('allow 8');
    expect(await step('write', 'a', { mode: 'accept-edits' })).toBe('allow 9');
    expect(await step('write', 'a', { mode: 'auto' })).toBe('allow 9');
    expect(await step('write', 'a')).toBe('ask 10');
  });

  it('denies in plan mode what is neither reading nor research', async () => {
    const plan: Setting = {
      mode: 'plan',
      sandboxed: true,
      allow: ['bash', 'write', 'web_fetch(domain:a.example)'],
    };
    expect(await step('bash', 'pwd', plan)).toBe('deny 5');
    expect(await step('write', 'a', plan)).toBe('deny 5');
    expect(await step('mcp__a__b', '', plan)).toBe('deny 5');
    expect(await step('web_fetch', 'https://a.example/', plan)).toBe('allow 6');
    expect(await step('web_fetch', 'https://b.example/', plan)).toBe('ask 10');
  });

  it('asks for a plan in plan mode only, whatever the rules allow', async () => {
    expect(await step('exit_plan_mode', '', { mode: 'plan', allow: ['exit_plan_mode'] })).toBe('ask 5');
    expect(await step('exit_plan_mode', '')).toBe('allow 5');
    expect(await step('exit_plan_mode', '', { deny: ['exit_plan_mode'] })).toBe('deny 2');
  });

  it('asks for edits outside the working directory, and for files that run later', async () => {
    const edits: Setting = { mode: 'accept-edits', cwd: '/p/a' };
    expect(await step('write', 'x', edits)).toBe('allow 9');
    expect(await step('write', '../x', edits)).toBe('ask 10');
    const later = [
      '.npmrc',
      '.yarnrc.yml',
      '.husky/pre-commit',
      'b/.VSCode/tasks.json',
      '.Envrc',
      '.bashrc',
      '.npmrc.',
    ];
    for (const file of later) expect(await step('write', file, edits)).toBe('ask 10');
  });

  it('tells the rule, where it stands, and why', async () => {
    expect(await decideCall(callOf('bash', 'rm x'), { deny: ['bash(rm *)'] })).toEqual({
      decision: 'deny',
      because: { step: 2, rule: { text: 'bash(rm *)' }, text: 'the deny rule `bash(rm *)` forbids it' },
    });
  });
});

describe('the safe list', () => {
  it('shows nothing that a read rule forbids, a bare one included', async () => {
    for (const deny of ['read', 'read(a)', 'read(**)']) {
      expect(await decideBash('cat a', { deny: [deny] })).toBe('ask');
      expect(await decideBash('cat *', { deny: [deny] })).toBe('ask');
    }
  });
});

describe('ask rules', () => {
  it('ask for what would be allowed, except in yolo', async () => {
    const ask = ['bash(git push*)', 'read(.env)'];
    expect(await step('bash', 'git push', { ask, allow: ['bash'] })).toBe('ask ask-rule');
    expect(await step('bash', 'git push', { ask, sandboxed: true })).toBe('ask ask-rule');
    expect(await step('read', '.ENV', { ask })).toBe('ask ask-rule');
    expect(await step('bash', 'git push', { ask, mode: 'yolo' })).toBe('allow 3');
  });

  it('do not soften a deny', async () => {
    expect(await step('bash', 'git push', { ask: ['bash'], deny: ['bash(git push*)'] })).toBe('deny 2');
    expect(await step('bash', 'git push', { ask: ['bash'], mode: 'plan' })).toBe('deny 5');
  });
});

describe('an address that cannot be read', () => {
  it.each(['evil.com/x', '//evil.com', 'ftp://evil.com'])('could be any: %s', async (url) => {
    const deny = ['web_fetch(domain:evil.com)'];
    expect(await step('web_fetch', url, { mode: 'yolo', deny })).toBe('deny 2');
    expect(await step('web_fetch', url, { allow: ['web_fetch(domain:evil.com)'] })).toBe('ask 10');
  });
});

describe('a path that cannot be followed', () => {
  const files = memoryFiles();
  files.resolve = async (path) => {
    const { PortError } = await import('../../../ports/errors.ts');
    throw new PortError('file', 'io', 'no', { path });
  };

  it('is written to by nobody, and read only if no rule could forbid it', async () => {
    expect(await step('write', 'a', { files, mode: 'yolo' })).toBe('deny 1');
    expect(await step('read', 'a', { files, deny: ['read(b)'] })).toBe('deny 2');
    expect(await step('read', 'a', { files })).toBe('allow 4');
  });
});

describe('properties', () => {
  const mode = fc.constantFrom<Mode>(...modes);
  const command = fc.constantFrom(
    'npm test',
    'rm -rf x',
    'ls',
    'cat .env',
    'echo $X',
    'git push',
    "sh -c 'rm x'",
    '"',
  );
  const operator = fc.constantFrom('; ', ' && ', ' | ', ' & ', '\n', ' > f; ', ' $(', ') ');
  const line = fc
    .array(fc.tuple(command, operator), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat().join(''));
  const path = fc.constantFrom(
    'a',
    '.env',
    'src/a.ts',
    '../x',
    '/etc/hosts',
    '.git/config',
    '.npmrc',
    'src/../b',
    '',
  );
  const call = fc.oneof(
    line.map((text) => callOf('bash', text)),
    fc.tuple(fc.constantFrom('read', 'write', 'edit', 'grep'), path).map(([tool, at]) => callOf(tool, at)),
    fc.constantFrom(
      callOf('web_fetch', 'https://a.example'),
      callOf('mcp__a__b', ''),
      callOf('exit_plan_mode', ''),
    ),
  );
  const rule = fc.constantFrom(
    'bash',
    'bash(*)',
    'bash(rm*)',
    'bash(npm test*)',
    'bash(git *)',
    'bash(ls)',
    'read',
    'read(**)',
    'read(.env)',
    'write',
    'edit(src/**)',
    'write(**)',
    'web_fetch(domain:a.example)',
    'mcp__a',
    'exit_plan_mode',
  );
  const rules = fc.uniqueArray(rule, { maxLength: 4 });
  const setting: fc.Arbitrary<Setting> = fc.record({
    mode,
    allow: rules,
    ask: rules,
    deny: rules,
    sandboxed: fc.boolean(),
  });

  it('what a bare deny rule names is denied in every mode', async () => {
    await fc.assert(
      fc.asyncProperty(call, setting, async (one, given) => {
        const deny = [...(given.deny ?? []), one.tool.name];
        expect((await decideCall(one, { ...given, deny })).decision).toBe('deny');
      }),
    );
  });

  it('one more deny rule never allows or asks more', async () => {
    const rank = { deny: 0, ask: 1, allow: 2 };
    await fc.assert(
      fc.asyncProperty(call, setting, rule, async (one, given, more) => {
        const before = await decideCall(one, given);
        const after = await decideCall(one, { ...given, deny: [...(given.deny ?? []), more] });
        expect(rank[after.decision]).toBeLessThanOrEqual(rank[before.decision]);
      }),
    );
  });

  it('plan mode never lets anything be written', async () => {
    await fc.assert(
      fc.asyncProperty(call, setting, async (one, given) => {
        const { decision } = await decideCall(one, { ...given, mode: 'plan' });
        if (one.tool.effect === 'write') expect(decision).not.toBe('allow');
      }),
    );
  });

  it('a pattern never allows a line that substitutes, writes or is not understood', async () => {
    const tail = fc.constantFrom(
      ' > f',
      ' $(x)',
      ' `x`',
      ' <(x)',
      ' )',
      ' "',
      '\r',
      ' ${x@P}',
      ' >> f',
      '; x=1',
      '; f() { ls; }',
    );
    await fc.assert(
      fc.asyncProperty(line, tail, async (start, end) => {
        fc.pre(!start.includes('"'));
        expect(await decideBash(start + end, { allow: ['bash(*)'] })).not.toBe('allow');
      }),
    );
  });

  it('nothing in any line makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), setting, async (text, given) => {
        await decideCall(callOf('bash', text), given);
        await decideCall(callOf('write', text), given);
        await decideCall(callOf('web_fetch', text), given);
      }),
    );
  });
});
