import { describe, expect, it } from 'vitest';
import { parseLine, UsageError } from '../../../apps/command-line/parse.ts';

function wrong(...args: string[]): string {
  try {
    parseLine(args);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('it is right');
}

describe('parseLine', () => {
  it('takes a prompt with its options, in any order', () => {
    expect(parseLine(['fix it', '-p', '--allow', 'bash(ls)', '--allow=edit', '--', '-x'])).toMatchObject({
      command: { name: '' },
      operands: ['fix it', '-x'],
      flags: { print: true, allow: ['bash(ls)', 'edit'] },
    });
  });

  it('takes a first word for a command only without -p', () => {
    expect(parseLine(['undo', 'abc'])).toMatchObject({ command: { name: 'undo' }, operands: ['abc'] });
    expect(parseLine(['-p', 'undo', 'abc'])).toMatchObject({ command: { name: '' } });
    expect(parseLine(['-p', 'undos'])).toMatchObject({ command: { name: '' } });
  });

  it.each([
    [['-p', 'x', '--model'], '--model needs a value: larik -p --model anthropic/claude-opus-5-5 "…"'],
    [['-p', 'x', '--max-steps', '-1'], '--max-steps needs a value, not -1: larik -p --max-steps 20 "…"'],
    [['-p', 'x', '--timeout', '-1'], '--timeout needs a value, not -1: larik -p --timeout 300 "…"'],
    [['-p', 'x', '--budget', '-1'], '--budget needs a value, not -1: larik -p --budget 2.50 "…"'],
    [
      ['-p', 'x', '--model', '--mode'],
      '--model needs a value: larik -p --model anthropic/claude-opus-5-5 "…"',
    ],
    [['undo', '--cwd'], '--cwd needs a value: larik undo --cwd ../other'],
    [
      ['-p', 'x', '--system-append', '-a'],
      '--system-append needs a value: larik -p --system-append "Answer in French." "…"; one that begins with "-" follows "=": --system-append=-a',
    ],
    [['-p', 'x', '--quiet=yes'], '--quiet takes no value; write it alone'],
    [
      ['-p', 'x', '--modle', 'm'],
      'unknown option --modle; did you mean --mode or --model? (a prompt that begins with "-" comes after "--")',
    ],
  ])('says what is wrong in %j', (args, text) => {
    expect(wrong(...args)).toBe(text);
  });

  it('takes an unknown first word for a command that there is not', () => {
    expect(wrong('undos')).toBe('there is no command `undos`; did you mean undo?');
    expect(wrong('Undo')).toBe('there is no command `Undo`; did you mean undo?');
    expect(wrong('session', 'list')).toBe(
      'there is no command `session`; did you mean sessions? A prompt comes behind -p: larik -p "…"',
    );
    expect(wrong('frobnicate')).toBe(
      'there is no command `frobnicate`; larik --help lists them. A prompt comes behind -p: larik -p "…"',
    );
    expect(wrong('frobnicate', '--json')).toMatch(/^there is no command `frobnicate`|^--json/);
    expect(wrong('environment')).toBe(
      'there is no command `environment`; larik help environment tells of it',
    );
  });

  it('leaves a prompt without -p to what follows', () => {
    for (const prompt of [['fix the login test'], ['fix', 'the', 'test'], ['Hello'], []]) {
      expect(parseLine(prompt)).toMatchObject({ command: { name: '' }, operands: prompt });
    }
  });

  it('takes --version anywhere', () => {
    for (const args of [
      ['--version', 'extra'],
      ['undo', '-V'],
      ['-p', 'x', '--version'],
      ['-V', 'models'],
    ]) {
      expect(parseLine(args)).toMatchObject({ command: { name: 'version' }, flags: { help: true } });
    }
    expect(parseLine(['-p', '--', '--version'])).toMatchObject({ command: { name: '' } });
  });
});
