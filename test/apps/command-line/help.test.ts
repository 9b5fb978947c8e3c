import { describe, expect, it } from 'vitest';
import { vendorIds } from '../../../adapters/providers/endpoints.ts';
import { presets } from '../../../adapters/providers/openai-compatible/presets.ts';
import { keysAt } from '../../../adapters/settings/schema.ts';
import { commandHelp, generalHelp } from '../../../apps/command-line/help.ts';
import { details, pages } from '../../../apps/command-line/pages.ts';
import { parseLine } from '../../../apps/command-line/parse.ts';
import { commands, options } from '../../../apps/command-line/table.ts';
import packageJson from '../../../package.json' with { type: 'json' };

function helpOn(name: string): string {
  const row = commands.find((command) => command.name === name);
  if (row === undefined) throw new Error(`no ${name}`);
  return commandHelp(row);
}

const everyHelp = commands.filter(({ name }) => name !== 'version').map(commandHelp);
const texts = [generalHelp(), ...everyHelp];

describe('help', () => {
  it('lists every command and option, and names the topics at the end', () => {
    const lines = generalHelp().trimEnd().split('\n');
    for (const { name, page } of commands) {
      if (name === '' || page !== undefined) continue;
      expect(lines.some((line) => line.startsWith(`  larik ${name} `))).toBe(true);
    }
    expect(lines.some((line) => /^ {2}-V, --version {2,}\S/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe(
      'More: larik COMMAND --help; larik help environment|exit-codes|modes|rules|settings',
    );
    expect(lines.filter((line) => line.includes('larik version') || /^ {2}larik modes/.test(line))).toEqual(
      [],
    );
  });

  it('has an example for every command and topic, of words and options that there are', () => {
    for (const text of everyHelp) {
      const example = /\nExample.*\n {2}(.*)\n/.exec(text)?.[1] ?? '';
      expect(example).toContain('larik');
      const words = example.replace(/^.*?larik /, '').replace(/ \|\|.*|\)$/g, '');
      const args = [...words.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        (one) => one[1] ?? one[2] ?? one[3] ?? '',
      );
      expect(() => parseLine(args)).not.toThrow();
    }
  });

  it('keeps to a screen: 100 columns, 25 lines a topic', () => {
    for (const [name, page] of Object.entries(pages)) {
      if (name !== 'environment')
        expect([name, page.trimEnd().split('\n').length <= 25]).toEqual([name, true]);
    }
    for (const line of texts.join('').split('\n')) {
      expect(
        line.startsWith('  larik ') ||
          line.startsWith('  -') ||
          line.startsWith('      --') ||
          line.length <= 100 ||
          line,
      ).toBe(true);
    }
  });

  it('points only to options, topics and commands that there are', () => {
    const text = [...Object.values(pages), ...Object.values(details)].join('\n');
    const flags = text.match(/(?<=[\s(|])--[a-z][a-z-]*/g) ?? [];
    expect(flags.filter((flag) => !options.some(({ name }) => flag === `--${name}`))).toEqual([]);
    const topics = [...texts.join('\n').matchAll(/larik help ([a-z-]+)/g)].map((one) => one[1] ?? '');
    expect(topics.filter((topic) => !commands.some(({ name }) => name === topic))).toEqual([]);
    const names = commands.map(({ name }) => name);
    expect(Object.keys(details).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('says nothing twice: no line of a page stands in another', () => {
    const lines = Object.values({ ...pages, ...details })
      .flatMap((page) => page.split('\n'))
      .map((line) => line.trim())
      .filter((line) => line.length > 20);
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  it('names every key of the settings', () => {
    const named = `${helpOn('settings')}${helpOn('sandbox')}`;
    for (const key of keysAt([]).filter((name) => name !== '$schema')) expect(named).toContain(`"${key}"`);
    for (const key of keysAt(['limits'])) expect(named).toContain(key);
  });

  it('names every provider', () => {
    const names = [...vendorIds, ...Object.keys(presets).filter((name) => name !== 'local')];
    for (const name of names) expect(helpOn('models')).toContain(name);
  });

  it('tells of each variable that this version reads', () => {
    const text = helpOn('environment');
    const own = ['LARIK_HOME', 'LARIK_MODEL', 'LARIK_EFFORT', 'LARIK_MODE', 'LARIK_BUDGET', 'LARIK_DEBUG'];
    const keys = [
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      ...Object.values(presets).flatMap((preset) => [...preset.keyVariables]),
    ];
    const addresses = ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL', 'OLLAMA_HOST'];
    const rest = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
    for (const name of [...own, ...keys, ...addresses, ...rest]) expect(text).toContain(name);
  });

  it('tells of exit codes and modes', () => {
    expect(
      helpOn('exit-codes')
        .match(/^ +\d+/gm)
        ?.map(Number),
    ).toEqual([0, 1, 2, 3, 4, 130, 143]);
    expect(helpOn('modes').match(/^ {2}[a-z-]+(?= {2})/gm)).toEqual([
      '  default',
      '  accept-edits',
      '  plan',
      '  auto',
      '  yolo',
    ]);
  });

  it('knows its version', () => {
    expect(helpOn('version')).toBe(`${packageJson.version}\n`);
  });
});
