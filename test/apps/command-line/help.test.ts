import { describe, expect, it } from 'vitest';
import { presets } from '../../../adapters/providers/openai-compatible/presets.ts';
import { commandHelp, generalHelp } from '../../../apps/command-line/help.ts';
import { commands } from '../../../apps/command-line/table.ts';
import packageJson from '../../../package.json' with { type: 'json' };

function helpOn(name: string): string {
  const row = commands.find((command) => command.name === name);
  if (row === undefined) throw new Error(`no ${name}`);
  return commandHelp(row);
}

describe('help', () => {
  it('lists every command and option, and names the topics at the end', () => {
    const lines = generalHelp().trimEnd().split('\n');
    for (const name of ['sessions', 'undo', 'redo', 'permissions', 'config', 'context', 'help'])
      expect(lines.some((line) => line.startsWith(`  larik ${name} `))).toBe(true);
    expect(lines.some((line) => /^ {2}-V, --version {2,}\S/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe('More: larik help environment, larik help exit-codes, larik help modes');
    expect(lines.filter((line) => line.includes('larik version') || /^ {2}larik modes/.test(line))).toEqual(
      [],
    );
  });

  it('tells of each variable that this version reads', () => {
    const text = helpOn('environment');
    const own = ['LARIK_HOME', 'LARIK_MODEL', 'LARIK_EFFORT', 'LARIK_MODE', 'LARIK_BUDGET'];
    const keys = [
      'ANTHROPIC_API_KEY',
      ...Object.values(presets).flatMap((preset) => [...preset.keyVariables]),
    ];
    const rest = ['ANTHROPIC_BASE_URL', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
    for (const name of [...own, ...keys, ...rest]) expect(text).toContain(name);
    expect(text).not.toMatch(/OPENAI|GEMINI|LARIK_DEBUG/);
  });

  it('tells of exit codes and modes', () => {
    expect(
      helpOn('exit-codes')
        .match(/^ +\d+/gm)
        ?.map(Number),
    ).toEqual([0, 1, 2, 3, 4, 130, 143]);
    expect(helpOn('modes').match(/^ {2}[a-z-]+/gm)).toEqual([
      '  default',
      '  accept-edits',
      '  plan',
      '  yolo',
    ]);
  });

  it('does not offer what cannot be chosen', () => {
    expect(generalHelp() + helpOn('modes') + helpOn('environment')).not.toMatch(/\bauto\b/);
  });

  it('knows its version', () => {
    expect(helpOn('version')).toBe(`${packageJson.version}\n`);
  });
});
