import { oneLine } from '../../../../domain/text/one-line.ts';
import type { RuleSource, RuleSources } from '../../../../ports/settings.ts';
import { permissionsCommand } from '../../../commands/permissions.ts';
import { collected } from '../collected.ts';
import type { Command } from '../command.ts';

const rows = (rules: readonly RuleSource[]): string[] =>
  rules.map(
    ({ text, origin }) => `  ${oneLine(text)}${origin === undefined ? '' : `  (${oneLine(origin)})`}`,
  );

/** The rules that hold, those that win first. */
function rulesText({ deny, ask, allow }: RuleSources): string {
  const parts = [
    ['Denied in every mode', deny],
    ['Always asked', ask],
    ['Allowed unasked', allow],
  ] as const;
  return parts
    .map(([title, rules]) => [`${title}:`, ...(rules.length === 0 ? ['  nothing'] : rows(rules))].join('\n'))
    .join('\n');
}

/** `/permissions`: the rules in force; with a call, what would happen to it and why. */
export const permissions: Command = {
  run({ argument, session, program }) {
    const { mode, rules, guard } = session.settings();
    if (argument === '') {
      const text = `Mode ${mode}, guard ${guard ? 'on' : 'off'}.\n${rulesText(rules)}`;
      return { type: 'text', title: 'Permissions', text, plain: true };
    }
    const given = {
      action: 'explain',
      operands: [argument],
      json: false,
      mode,
      cwd: program.folder.cwd,
      rules,
      guard,
      hidden: program.hidden(),
      sandboxed: async () => (await program.sandbox.describe()).works,
    };
    const stdin = (async function* () {
      // A call is given, so nothing is read.
    })();
    return collected('Permissions', (io) => permissionsCommand(given, { ...io, stdin }));
  },
};
