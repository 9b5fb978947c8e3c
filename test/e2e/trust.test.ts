import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { presets } from '../../adapters/providers/openai-compatible/presets.ts';
import { isInstalled } from '../installed.ts';
import { sandbox, type Sandbox } from './larik.ts';

let box: Sandbox;
afterEach(() => box.dispose());

const marker = (): string => join(box.home, 'marker');
const touches = (): string => `echo x > '${marker()}'`;
const write = (name: string, value: unknown, folder = box.project): Promise<void> =>
  writeFile(join(folder, name), JSON.stringify(value));

describe('a project that would have something run', () => {
  it('TRUST-01 is told of a server that waits for approval, and starts none', async () => {
    box = await sandbox();
    await write('.mcp.json', { mcpServers: { trap: { command: 'sh', args: ['-c', touches()] } } });
    const run = await box.run(['-p', 'hi']);
    expect(run).toMatchObject({
      code: 0,
      err: expect.stringContaining('1 definition waits for approval: MCP server trap (.mcp.json)'),
    });
    await box.run(['--version']);
    const listed = await box.run(['trust', 'list']);
    expect(listed.out).toContain(`runs sh -c "echo x > '${marker()}'"`);
    expect((await box.run(['trust', 'approve', 'trap'])).code).toBe(2);
    expect(existsSync(marker())).toBe(false);
  });

  it('TRUST-03 runs none of its hooks, and says that they wait', async () => {
    box = await sandbox({ '.claude/settings.json': '', '.larik/settings.json': '' });
    const events = ['SessionStart', 'UserPromptSubmit'];
    const hook = [{ hooks: [{ type: 'command', command: touches() }] }];
    const hooks = Object.fromEntries(events.map((event) => [event, hook]));
    for (const file of ['.claude/settings.json', '.larik/settings.json']) await write(file, { hooks });
    const { code, err } = await box.run(['-p', 'hi', '--model', 'demo/demo']);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining('hooks (.larik/settings.json), hooks (.claude/settings.json); this version'),
    ]);
    expect(existsSync(marker())).toBe(false);
  });
});

describe.each(['none', 'bubblewrap'])('the environment of commands, sandbox %s', (type) => {
  it.skipIf(type === 'bubblewrap' && !isInstalled('bwrap'))(
    'TRUST-06 holds the key of no provider, also under a name of the settings',
    async () => {
      const providers = {
        mine: { type: 'openai-compatible', base_url: 'http://127.0.0.1:9', api_key_env: 'MINE' },
      };
      box = await sandbox({}, true, { sandbox: { type }, providers });
      const names = [
        'ANTHROPIC_API_KEY OPENAI_API_KEY GEMINI_API_KEY GOOGLE_API_KEY MINE'.split(' '),
        ...Object.values(presets).map(({ keyVariables }) => [...keyVariables]),
      ].flat();
      const env = Object.fromEntries(names.map((name) => [name, `canary-${name}`]));
      const script = join(box.home, 'script.json');
      const output = join(box.project, 'env.txt');
      await writeFile(
        script,
        JSON.stringify([
          { calls: [{ name: 'bash', input: { command: 'env > env.txt' } }] },
          { text: 'done' },
        ]),
      );
      const run = await box.run(['-p', 'x', '--model', `script/${script}`, '--mode', 'yolo'], { env });
      expect(run.code).toBe(0);
      const found = await readFile(output, 'utf8');
      expect(found).toContain('LARIK=1');
      expect(found).not.toContain('canary-');
      for (const name of names) expect(found).not.toMatch(new RegExp(`^${name}=`, 'm'));
    },
  );
});
