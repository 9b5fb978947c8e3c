import { describe, expect, it } from 'vitest';
import { foreignAnswer } from '../../../apps/command-line/foreign-answer.ts';
import { foreignCommands, foreignOptions } from '../../../apps/command-line/foreign-words.ts';
import { parseLine, UsageError } from '../../../apps/command-line/parse.ts';
import { commands, options } from '../../../apps/command-line/table.ts';
import { pages } from '../../../apps/command-line/pages.ts';

describe('a line for another agent', () => {
  it.each([
    [['-p', 'x', '--yolo'], 'there is no option --yolo; write --mode yolo'],
    [
      ['--dangerously-skip-permissions', '-p', 'x'],
      'there is no option --dangerously-skip-permissions; write --mode yolo',
    ],
    [['-p', 'x', '--allowedTools', 'Bash(ls)'], "there is no option --allowedTools; write --allow 'RULE'"],
    [['-p', 'x', '--allowed-tools=Edit'], "there is no option --allowed-tools; write --allow 'RULE'"],
    [
      ['-p', 'x', '--output-format', 'stream-json'],
      'there is no option --output-format; write --output json',
    ],
    [['-p', 'x', '--output-format=json'], 'there is no option --output-format; write --output result'],
    [
      ['-p', 'x', '--permission-mode', 'acceptEdits'],
      'there is no option --permission-mode; write --mode accept-edits',
    ],
    [['-p', 'x', '--permission-mode', 'odd'], 'there is no option --permission-mode; write --mode MODE'],
    [['-p', 'x', '--max-turns', '9'], 'there is no option --max-turns; write --max-steps 9'],
    [['-p', 'x', '-C', '/a dir'], "there is no option -C; write --cwd '/a dir'"],
    [['-p', 'x', '--cd'], 'there is no option --cd; write --cwd …'.replace('…', "'…'")],
    [
      ['exec', '--full-auto', '-m', 'gpt', 'fix it', '--', '--yolo'],
      'there is no command `exec`; write larik -p "…"\n' +
        'there is no option --full-auto; write --mode accept-edits\n' +
        'there is no option -m; write --model gpt',
    ],
    [['run', 'the', 'tests'], 'there is no command `run`; write larik -p "…"'],
    [
      ['resume'],
      'there is no command `resume`; write larik -p -c "…" (the latest), or larik -p --resume ID "…"',
    ],
  ])('%j', (args, text) => {
    expect(foreignAnswer(args)).toBe(text);
    expect(() => parseLine(args)).toThrow(UsageError);
  });

  it('leaves alone what is not one', () => {
    for (const args of [
      ['-p', 'exec'],
      ['-p', '--', '--yolo'],
      ['-p', 'x', '--system-append', '--yolo'],
      ['run the tests'],
      ['undo', 'exec'],
      ['-p', 'x', '--model', 'resume'],
    ]) {
      expect(foreignAnswer(args)).toBeNull();
    }
  });

  it('has at most three lines, whatever stands there', () => {
    const args = ['exec', ...foreignOptions.flatMap(({ names }) => names)];
    expect(foreignAnswer(args)?.split('\n')).toHaveLength(3);
  });

  it('writes control characters of a value as escapes', () => {
    expect(foreignAnswer(['-p', 'x', '--cd', '\u001b]0;a\u0007\n'])).toBe(
      "there is no option --cd; write --cwd '\\u{1b}]0;a\\u{7}\\n'",
    );
  });

  it('answers only with what there is, and for nothing that larik has', () => {
    const all = [...foreignOptions, ...foreignCommands];
    const texts = all.flatMap(({ here, say, values }) => [here, say, ...Object.values(values ?? {})]);
    const names = options.flatMap(({ name, short }) => [
      `--${name}`,
      ...(short === undefined ? [] : [`-${short}`]),
    ]);
    for (const text of texts) {
      const used = text?.match(/(?<=^|[\s(])--?[a-z][a-z-]*/g) ?? [];
      expect(used.filter((one) => !names.includes(one) && one !== '-g')).toEqual([]);
      const called = text?.match(/\blarik [a-z]+/g)?.map((one) => one.slice(6)) ?? [];
      const known = [...commands.map(({ name }) => name), ...Object.keys(pages), 'install', 'there'];
      expect(called.filter((one) => !known.includes(one))).toEqual([]);
    }
    const foreign = all.flatMap(({ names: typed }) => typed);
    expect(
      foreign.filter(
        (name) => names.includes(name) || commands.some((row) => row.name === name && row.page === undefined),
      ),
    ).toEqual([]);
    expect(new Set(foreign).size).toBe(foreign.length);
  });
});
