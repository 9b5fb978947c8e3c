import { describe, expect, it } from 'vitest';
import { parseRules } from '../../../domain/permissions/rules.ts';

const parsed = (text: string) =>
  parseRules({ allow: [{ text }], ask: [], deny: [] }).rules.allow.map(({ tool, pattern }) => ({
    tool,
    pattern,
  }));

describe('rules', () => {
  it('are a tool, or a tool with a pattern', () => {
    expect(parsed(' bash ')).toEqual([{ tool: 'bash', pattern: null }]);
    expect(parsed('bash(npm  run\tx*)')).toEqual([{ tool: 'bash', pattern: 'npm run x*' }]);
    expect(parsed("bash(node -e 'f()')")).toEqual([{ tool: 'bash', pattern: "node -e 'f()'" }]);
    expect(parsed('mcp__prod-db__drop')).toEqual([{ tool: 'mcp__prod-db__drop', pattern: null }]);
    expect(parsed('edit(./src//a.ts)')).toEqual([{ tool: 'edit', pattern: 'src/a.ts' }]);
    expect(parsed('read(secrets/)')).toEqual([{ tool: 'read', pattern: 'secrets/**' }]);
    expect(parsed('web_fetch(domain:go.dev)')).toEqual([{ tool: 'web_fetch', pattern: 'domain:go.dev' }]);
  });

  const malformed = [
    '',
    '(x)',
    'bash(',
    'bash()',
    'bash)x',
    'Bash(rm*)',
    'bash rm',
    'mcp__*',
    'mcp__a__b(x)',
    'web_search(x)',
    'web_fetch(go.dev)',
    'web_fetch(domain:*.go.dev)',
    'web_fetch(domain:https://go.dev)',
    'web_fetch(domain:)',
    'read(../x)',
    'read(~me/x)',
    'read(**/*.{pem,key})',
  ];
  for (const text of malformed) {
    it(`reports ${JSON.stringify(text)}, and stops the start if it should deny`, () => {
      const source = { text, origin: 'settings.json:3' };
      const { rules, problems } = parseRules({ allow: [source], ask: [source], deny: [source] });
      expect(rules).toEqual({ allow: [], ask: [], deny: [] });
      const told = (kind: string) => expect.stringContaining(`${kind} rule \`${text}\` (settings.json:3): `);
      expect(problems).toEqual([
        { level: 'warning', text: told('allow'), fatal: false },
        { level: 'warning', text: told('ask'), fatal: false },
        { level: 'error', text: told('deny'), fatal: true },
      ]);
    });
  }

  it('says what is wrong, where, and what to do', () => {
    const { problems } = parseRules({
      allow: [],
      ask: [],
      deny: [{ text: 'web_fetch(go.dev)', origin: 'settings.json:3' }],
    });
    expect(problems[0]?.text).toBe(
      'deny rule `web_fetch(go.dev)` (settings.json:3): expected `domain:NAME` as the pattern',
    );
  });
});
