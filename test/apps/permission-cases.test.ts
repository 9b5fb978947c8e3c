import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { CaseDecider } from '../../apps/commands/permissions/decide-case.ts';
import { parseCase, type PermissionCase } from '../../apps/commands/permissions/permission-case.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const waiting = JSON.parse(readFileSync(new URL('waiting.json', fixtures), 'utf8')) as Record<string, string>;
const lines = readFileSync(new URL('cases/permissions.jsonl', fixtures), 'utf8').trim().split('\n');

const cases: PermissionCase[] = lines.map((line) => {
  const parsed = parseCase(line);
  if (!parsed.ok) throw new Error(`${parsed.error} in ${line}`);
  return parsed.case;
});

describe('permission cases in real folders', () => {
  const decider = new CaseDecider(new LocalFiles());
  afterAll(() => decider.dispose());
  const decided = async (one: PermissionCase) => (await decider.decide(one)).decision;

  for (const one of cases.filter(({ id }) => !Object.hasOwn(waiting, id))) {
    it(`${one.id} ${one.tool} in ${one.mode}: ${one.expect}`, async () => {
      expect(await decided(one)).toBe(one.expect);
    });
  }

  for (const one of cases.filter(({ id }) => Object.hasOwn(waiting, id))) {
    it(`still waiting: ${one.id} is decided in another way`, async () => {
      expect(await decided(one)).not.toBe(one.expect);
    });
  }
});
