import { describe, expect, it } from 'vitest';
import type { Facts, PermissionCall } from '../../../domain/permissions/facts.ts';
import { matchingAllow, matchingDeny } from '../../../domain/permissions/rule-match.ts';
import { parseRule } from '../../../domain/permissions/rules.ts';
import type { ToolEffect, ToolSubject } from '../../../ports/tool.ts';
import { place } from './permissions.ts';

const path: ToolSubject = { field: 'path', kind: 'path' };

function call(name: string, effect: ToolEffect, subject?: ToolSubject, value = ''): PermissionCall {
  const input = subject === undefined ? {} : { [subject.field]: value };
  return { tool: { name, effect, ...(subject === undefined ? {} : { subject }) }, input };
}

/** Where a path of the project leads that is no link. */
const factsOf = (file: string | null): Facts => ({
  line: null,
  shown: null,
  acts: [],
  path: file === null ? null : { path: file, links: [], target: file, stat: null },
});

function rule(text: string) {
  const parsed = parseRule({ text });
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

const denied = (rules: string[], of: PermissionCall, facts: Facts): string | undefined =>
  matchingDeny(rules.map(rule), of, facts, place)?.source.text;
const allowed = (rules: string[], of: PermissionCall, facts: Facts): string | undefined =>
  matchingAllow(rules.map(rule), of, facts, place)?.source.text;

describe('a deny pattern for one file-writing tool', () => {
  const env = factsOf('/p/.env');

  it.each(['edit', 'write', 'multi_edit'])('for %s holds for every tool that writes files', (tool) => {
    const text = `${tool}(.env)`;
    for (const writer of ['edit', 'write', 'multi_edit', 'acme_patch']) {
      expect(denied([text], call(writer, 'write', path), env)).toBe(text);
    }
  });

  it('holds for no tool that only reads, runs commands, or names no path', () => {
    expect(denied(['edit(.env)'], call('read', 'read', path), env)).toBeUndefined();
    expect(denied(['edit(.env)'], call('acme_send', 'network', path), env)).toBeUndefined();
    expect(denied(['edit(.env)'], call('acme_note', 'write'), env)).toBeUndefined();
    const text: ToolSubject = { field: 'name', kind: 'text' };
    expect(denied(['edit(.env)'], call('acme_name', 'write', text, '.env'), env)).toBeUndefined();
  });

  it('says nothing of other files, and a bare name only means that tool', () => {
    expect(denied(['edit(.env)'], call('write', 'write', path), factsOf('/p/a.ts'))).toBeUndefined();
    expect(denied(['edit'], call('write', 'write', path), env)).toBeUndefined();
    expect(denied(['edit'], call('edit', 'write', path), env)).toBe('edit');
    expect(denied(['read(.env)'], call('write', 'write', path), env)).toBeUndefined();
  });

  it('allows nothing but its own tool', () => {
    expect(allowed(['edit(.env)'], call('edit', 'write', path), env)).toBe('edit(.env)');
    expect(allowed(['edit(.env)'], call('write', 'write', path), env)).toBeUndefined();
  });
});

describe('the name of an MCP server', () => {
  const drop = call('mcp__db__drop', 'write');
  const none = factsOf(null);

  it('names all of its tools, and none of another server', () => {
    expect(denied(['mcp__db'], drop, none)).toBe('mcp__db');
    expect(allowed(['mcp__db'], drop, none)).toBe('mcp__db');
    expect(denied(['mcp__d'], drop, none)).toBeUndefined();
    expect(denied(['mcp__db'], call('mcp__db2__drop', 'write'), none)).toBeUndefined();
    expect(denied(['mcp__b'], call('my_mcp__b__c', 'write'), none)).toBeUndefined();
    expect(denied(['my_mcp__b'], call('my_mcp__b__c', 'write'), none)).toBeUndefined();
  });

  it('is not that of one tool, nor of any other kind of tool', () => {
    expect(denied(['mcp__db__dr'], call('mcp__db__dr__op', 'write'), none)).toBeUndefined();
    expect(denied(['acme'], call('acme__x', 'write'), none)).toBeUndefined();
  });
});

describe('what cannot be known', () => {
  const host: ToolSubject = { field: 'url', kind: 'host' };
  const nowhere = factsOf(null);

  it('is denied by a pattern, and allowed by none', () => {
    expect(denied(['acme_note(x)'], call('acme_note', 'write'), nowhere)).toBe('acme_note(x)');
    expect(allowed(['acme_note(x)'], call('acme_note', 'write'), nowhere)).toBeUndefined();
    expect(denied(['read(a)'], call('read', 'read', path), nowhere)).toBe('read(a)');
    expect(allowed(['read(a)'], call('read', 'read', path), nowhere)).toBeUndefined();
    const bad = call('web_fetch', 'network', host, 'no address');
    expect(denied(['web_fetch(domain:go.dev)'], bad, nowhere)).toBe('web_fetch(domain:go.dev)');
    expect(allowed(['web_fetch(domain:go.dev)'], bad, nowhere)).toBeUndefined();
  });

  it('is covered by a bare name', () => {
    expect(allowed(['acme_note'], call('acme_note', 'write'), nowhere)).toBe('acme_note');
    expect(denied(['read'], call('read', 'read', path), nowhere)).toBe('read');
  });
});

it('matches a host by name, and a text by wildcard', () => {
  const host: ToolSubject = { field: 'url', kind: 'host' };
  const fetch = (url: string) => call('web_fetch', 'network', host, url);
  const rules = ['web_fetch(domain:go.dev)'];
  expect(allowed(rules, fetch('https://pkg.go.dev/x'), factsOf(null))).toBe(rules[0]);
  expect(allowed(rules, fetch('https://nogo.dev/x'), factsOf(null))).toBeUndefined();
  const text: ToolSubject = { field: 'key', kind: 'text' };
  expect(allowed(['acme_jira(LAR-*)'], call('acme_jira', 'write', text, 'LAR-7'), factsOf(null))).toBe(
    'acme_jira(LAR-*)',
  );
  expect(allowed(['acme_jira(LAR-*)'], call('acme_jira', 'write', text, 'OPS-7'), factsOf(null))).toBe(
    undefined,
  );
});
