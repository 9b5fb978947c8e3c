import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { CaseDecider } from '../../apps/commands/permissions/decide-case.ts';
import { parseCase } from '../../apps/commands/permissions/permission-case.ts';
import type { Mode } from '../../ports/mode.ts';

const lines = readFileSync(new URL('../fixtures/day.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');

/** What a careful person wants to be asked, with the sandbox on and edits accepted. */
const careful = [
  'npm install express-rate-limit',
  'git push origin HEAD',
  '.venv/bin/pip install -r tools/requirements.txt',
  '.npmrc',
  'git reset --hard HEAD',
  'docker compose up -d db',
  'DATABASE_URL=postgres://localhost/test npm run test:db',
  'gh pr create --fill',
];

describe('a hundred calls of a working day', () => {
  // There is always something that is not committed yet.
  const decider = new CaseDecider(new LocalFiles(), { has: async () => true });
  afterAll(() => decider.dispose());

  /** The subjects of the calls that are asked about; nothing of the day is denied. */
  async function asked(mode: Mode, sandbox: boolean): Promise<string[]> {
    const questions: string[] = [];
    for (const line of lines) {
      const parsed = parseCase(line);
      if (!parsed.ok) throw new Error(parsed.error);
      const { input } = parsed.case;
      const { decision } = await decider.decide({ ...parsed.case, mode, sandbox });
      const subject = String(input['command'] ?? input['path']);
      if (decision === 'ask') questions.push(subject);
      else expect(`${decision} ${subject}`).toBe(`allow ${subject}`);
    }
    return questions;
  }

  it('asks only what a careful person wants, with the sandbox and accepted edits', async () => {
    expect(await asked('accept-edits', true)).toEqual(careful);
  });

  it('asks as often as the documentation says', async () => {
    const counts: string[] = [];
    for (const sandbox of [true, false])
      for (const mode of ['default', 'accept-edits'] as const)
        counts.push(`| ${mode} | ${sandbox ? 'on' : 'off'} | ${(await asked(mode, sandbox)).length} |`);
    process.stdout.write(`questions in ${lines.length} calls:\n${counts.join('\n')}\n`);
    const page = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
    expect(page.replaceAll(/ +/g, ' ')).toContain(counts.join('\n'));
  });
});
