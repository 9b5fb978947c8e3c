import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../apps/commands/doctor/check.ts';
import { sandbox, type Sandbox } from './larik.ts';

let box: Sandbox;
beforeEach(async () => {
  box = await sandbox({ 'a.txt': 'one\n' });
});
afterEach(() => box.dispose());

async function doctor(
  env: Record<string, string> = {},
): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, out } = await box.run(['doctor', '--json'], { env });
  return { code, findings: JSON.parse(out) as Finding[] };
}

describe('larik doctor', () => {
  it('looks at everything, and ends with 0 where nothing fails', async () => {
    const { code, findings } = await doctor();
    expect(code).toBe(0);
    const all =
      'node git ripgrep bash sandbox settings keys model local config data cache sessions terminal proxy';
    expect([...new Set(findings.map(({ name }) => name))]).toEqual(all.split(' '));
    for (const { level, remedy } of findings) expect(remedy === null).toBe(level === 'ok');
  });

  it('runs where other commands stop, and ends with 1', async () => {
    const config = join(box.home, 'larik', 'config', 'config.json');
    await writeFile(config, '{"permissions":{"deny":["bash("]},"model":"frobnicate/x"}');
    await writeFile(join(box.home, 'larik', 'data'), '');
    expect((await box.run(['-p', 'help'])).code).toBe(2);
    const { code, findings } = await doctor({ HTTPS_PROXY: 'http://[' });
    expect(code).toBe(1);
    const failed = findings.filter(({ level }) => level === 'fail').map(({ name }) => name);
    expect(failed).toEqual(['settings', 'model', 'data']);
    expect((await box.run(['doctor'])).out).toMatch(/^fail {2}settings {2}.*config\.json:1.* — /m);
  });

  it('names keys, and shows none', async () => {
    const config = join(box.home, 'larik', 'config', 'config.json');
    const providers = {
      mine: { type: 'openai-compatible', base_url: 'http://127.0.0.1:9', api_key: 'secret-1' },
    };
    await writeFile(config, JSON.stringify({ providers }));
    const { out } = await box.run(['doctor'], {
      env: { ANTHROPIC_API_KEY: 'secret-2', HTTPS_PROXY: 'http://me:secret-3@127.0.0.1:9' },
    });
    expect(out).toMatch(/^ok .*keys .*ANTHROPIC_API_KEY, providers\.mine\.api_key$/m);
    expect(out).not.toContain('secret');
  });
});
