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

  it('keep what a pattern means to its own tool', () => {
    expect(parsed('read( a//b/././c )')).toEqual([{ tool: 'read', pattern: 'a/b/c' }]);
    expect(parsed('acme_x(./a  b//)')).toEqual([{ tool: 'acme_x', pattern: './a  b//' }]);
    expect(parsed('AcmeTool')).toEqual([{ tool: 'AcmeTool', pattern: null }]);
    expect(parsed('bash( ls )')).toEqual([{ tool: 'bash', pattern: 'ls' }]);
    for (const tool of ['read', 'write', 'edit', 'multi_edit', 'grep', 'glob'])
      expect(parsed(`${tool}(a/)`)).toEqual([{ tool, pattern: 'a/**' }]);
  });

  const shape = 'expected `tool` or `tool(pattern)`';
  const malformed: [string, string][] = [
    ['', shape],
    ['(x)', shape],
    ['bash(', shape],
    ['bash()', 'the pattern is empty; write `bash` for all its calls'],
    ['bash)x', shape],
    ['bash rm', shape],
    ['mcp__*', shape],
    ['Bash(rm*)', "the tool's name is `bash`"],
    ['Read', "the tool's name is `read`"],
    ['Web_Fetch', "the tool's name is `web_fetch`"],
    ['Exit_Plan_Mode', "the tool's name is `exit_plan_mode`"],
    ['mcp__a__b(x)', 'MCP rules take no pattern: `mcp__a__b`'],
    ['web_search(x)', '`web_search` takes no pattern'],
    ['todo_write(x)', '`todo_write` takes no pattern'],
    ['exit_plan_mode(x)', '`exit_plan_mode` takes no pattern'],
    ['web_fetch(go.dev)', 'expected `domain:NAME` as the pattern'],
    ['browser_navigate(go.dev)', 'expected `domain:NAME` as the pattern'],
    ['web_fetch(domain:*.go.dev)', host()],
    ['web_fetch(domain:https://go.dev)', host()],
    ['web_fetch(domain:)', host()],
    ['read(../x)', 'a path pattern with `..` would never match'],
    ['edit(a\\..\\x)', 'a path pattern with `..` would never match'],
    ['read(~me/x)', 'only `~/` names a home folder'],
    ['glob(**/*.{pem,key})', '`{a,b}` is not known in path patterns; write one rule for each'],
  ];
  function host(): string {
    return 'the domain must be a host name such as `example.com`; it covers its subdomains';
  }
  for (const [text, wrong] of malformed) {
    it(`reports ${JSON.stringify(text)}, and stops the start if it should deny`, () => {
      const source = { text, origin: 'settings.json:3' };
      const { rules, problems } = parseRules({ allow: [source], ask: [source], deny: [source] });
      expect(rules).toEqual({ allow: [], ask: [], deny: [] });
      const told = (kind: string) => `${kind} rule \`${text}\` (settings.json:3): ${wrong}`;
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
