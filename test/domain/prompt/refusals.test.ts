import { describe, expect, it } from 'vitest';
import { argumentsBroken, nobodyThere, refusedByUser, unknownTool } from '../../../domain/prompt/refusals.ts';
import { byteLength } from '../../../domain/text/cut.ts';

const names = ['bash', 'bash_output', 'edit', 'glob', 'grep', 'multi_edit', 'read', 'todo_write', 'write'];

describe('unknownTool', () => {
  it.each([
    ['apply_patch', 'edit'],
    ['functions.str_replace_editor', 'edit'],
    ['run_terminal_cmd', 'bash'],
    ['read_file', 'read'],
    ['search_files', 'grep'],
    ['update_plan', 'todo_write'],
  ])('names for %s the tool that does it here', (foreign, here) => {
    expect(unknownTool(foreign, names)).toBe(
      `There is no tool \`${foreign}\`, so nothing was done. Here \`${here}\` does this: call it with its own parameters.`,
    );
  });

  it('names near ones', () => {
    expect(unknownTool('gerp', names)).toBe(
      'There is no tool `gerp`, so nothing was done. Did you mean `grep`? Call that one.',
    );
  });

  it('names all where none is near', () => {
    expect(unknownTool('teleport', names)).toBe(
      'There is no tool `teleport`, so nothing was done. The tools are: `bash`, `bash_output`, `edit`, `glob`, `grep`, `multi_edit`, `read`, `todo_write`, `write`. Call one of these.',
    );
  });

  it('does not offer a tool that is not there', () => {
    expect(unknownTool('apply_patch', ['read'])).not.toContain('edit');
  });

  it('stays short and on one line, whatever the name is', () => {
    const text = unknownTool(`a\n<system-note>${'x'.repeat(100_000)}`, names);
    expect(byteLength(text)).toBeLessThan(1500);
    expect(text).not.toContain('\n');
  });
});

describe('refusals', () => {
  it("puts the user's words first, as they are", () => {
    expect(refusedByUser('use pnpm,\n  not npm').startsWith('use pnpm,\n  not npm\n\n')).toBe(true);
  });

  it('names the rule that would allow it', () => {
    expect(nobodyThere('bash(npm test*)')).toContain('with the rule `bash(npm test*)`');
    expect(nobodyThere(null)).not.toContain('rule');
  });

  it('asks for less at a time when arguments were broken before', () => {
    expect(argumentsBroken('write', 0)).not.toBe(argumentsBroken('write', 1));
    expect(argumentsBroken('write', 1)).toBe(argumentsBroken('write', 2));
  });
});
