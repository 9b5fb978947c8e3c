import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './larik.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const waiting = JSON.parse(readFileSync(new URL('waiting.json', fixtures), 'utf8')) as Record<string, string>;

describe('larik permissions', () => {
  let box: Sandbox;
  beforeEach(async () => {
    box = await sandbox();
  });
  afterEach(() => box.dispose());

  it('test decides every case as it is expected', async () => {
    const cases = readFileSync(new URL('cases/permissions.jsonl', fixtures), 'utf8').trim().split('\n');
    const kept = cases.filter((line) => !Object.hasOwn(waiting, (JSON.parse(line) as { id: string }).id));
    await writeFile(join(box.project, 'cases.jsonl'), kept.join('\n'));
    const { code, out } = await box.run(['permissions', 'test', 'cases.jsonl']);
    expect([out, code]).toEqual([`${kept.length} as expected, 0 different\n`, 0]);
  });

  it('explain names the rule with its place, and what the settings hide', async () => {
    const rules = '{\n  "permissions": {\n    "deny": [\n      "bash(git push*)"\n    ]\n  }\n}';
    await writeFile(join(box.home, 'larik', 'config', 'config.json'), rules, { mode: 0o600 });
    const pushed = await box.run(['permissions', 'explain', 'bash(git status && git push)']);
    const place = join(box.home, 'larik', 'config', 'config.json:4');
    expect(pushed.out.trim().split('\n')).toEqual([
      `deny: the deny rule \`bash(git push*)\` (${place}) forbids it (step 2, deny rules)`,
      `  \`git push\`: the deny rule \`bash(git push*)\` (${place}) forbids it`,
    ]);
    const read = await box.run([
      'permissions',
      'explain',
      `read(${join(box.home, 'larik', 'config', 'config.json')})`,
    ]);
    expect(read.out).toMatch(/^allow: .*\nbut nothing is shown: .* is kept from tools, /);
  });

  it('has no mode auto without a model that checks calls', async () => {
    const refused = await box.run(['-p', 'help', '--mode', 'auto', '--model', 'demo/demo']);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining('name one with: larik config set roles.auto PROVIDER/MODEL'),
    ]);
    await box.run(['config', 'set', 'roles.auto', 'demo/demo']);
    expect((await box.run(['-p', 'help', '--mode', 'auto', '--model', 'demo/demo'])).code).toBe(0);
  });
});
