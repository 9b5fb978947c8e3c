import { sep } from 'node:path';
import type { Choice, Outcome } from '../../../../adapters/frontends/host.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import type { UndoPlan, UndoStep } from '../../../../ports/frontend.ts';
import { type Asked, type Command, dialog, dialogId, nothing, told } from '../command.ts';

type Name = 'undo' | 'redo';

const words: Readonly<Record<UndoStep['action'], string>> = {
  restore: 'restore',
  remove: 'remove',
  skip: 'leave',
};

const code = (text: string): string => `\`${oneLine(text).replaceAll('`', "'")}\``;

/** The plan as Markdown: a row for each file, below `cwd` from there, then what it does not cover. */
function planText({ steps, notes }: UndoPlan, cwd: string): string {
  const shown = (path: string): string => (path.startsWith(cwd + sep) ? path.slice(cwd.length + 1) : path);
  return [
    ...steps.map(
      ({ action, path, note, conflict }) =>
        `- ${words[action]} ${code(shown(path))}: ${oneLine(note)}${conflict ? ' **(changed since)**' : ''}`,
    ),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => `> ${oneLine(note)}`)]),
  ].join('\n');
}

async function carryOut(
  name: Name,
  force: boolean,
  { session, program }: Pick<Asked, 'session' | 'program'>,
): Promise<Outcome> {
  const done = name === 'undo' ? await session.undo(force) : await session.redo(force);
  if (done.turn === null) return told(`nothing to ${name}`);
  const title = name === 'undo' ? `Turn ${done.turn} is undone` : `Turn ${done.turn} is back`;
  return { type: 'text', title, text: planText(done, program.folder.cwd) };
}

function command(name: Name): Command {
  return {
    async run({ session, program }) {
      const plan = name === 'undo' ? await session.planUndo() : await session.planRedo();
      if (plan.turn === null) {
        const more = plan.notes.length === 0 ? '' : `: ${plan.notes.map(oneLine).join('; ')}`;
        return told(`nothing to ${name}${more}`);
      }
      const conflicts = plan.steps.filter(({ conflict }) => conflict).length;
      const kept: Choice[] =
        conflicts === 0
          ? [{ value: 'do', label: `${name} it` }]
          : [
              { value: 'do', label: `${name} it, but leave what was changed since` },
              {
                value: 'all',
                label: `${name} it, with the files that were changed since`,
                detail: `${conflicts}`,
              },
            ];
      return dialog({
        id: dialogId(name),
        title: `${name === 'undo' ? 'Undo' : 'Redo'} the file changes of turn ${plan.turn}`,
        text: planText(plan, program.folder.cwd),
        choices: [...kept, { value: '', label: 'leave everything as it is' }],
      });
    },
    choose: (answered) =>
      answered.value === '' ? nothing : carryOut(name, answered.value === 'all', answered),
  };
}

/** `/undo`: shows what would be taken back, then does it. */
export const undo = command('undo');

/** `/redo`. */
export const redo = command('redo');
