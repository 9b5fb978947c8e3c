import type { Outcome } from '../../../../adapters/frontends/host.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import type { AgentSession } from '../../../../ports/frontend.ts';
import type { Program } from '../../program.ts';
import { type Answered, type Command, dialog, dialogId, problem, told } from '../command.ts';
import { promptedTurns } from './turns.ts';

/** Characters of a prompt in its row. */
const shown = 200;

/** Steps back over turns that changed files, down to `turn`; returns what stood in the way, or null. */
async function restoreFiles(session: AgentSession, turn: number): Promise<string | null> {
  for (let last = Infinity; ;) {
    const plan = await session.planUndo();
    if (plan.turn === null || plan.turn < turn || plan.turn >= last) return null;
    last = plan.turn;
    if (plan.steps.some(({ conflict }) => conflict)) {
      return `files of turn ${plan.turn} were changed since; /undo shows them, and nothing before it was restored`;
    }
    await session.undo(false);
  }
}

async function goBack(turn: number, session: AgentSession, program: Program): Promise<Outcome> {
  const { entries } = await program.sessions.read(session.id);
  const chosen = promptedTurns(entries).find((one) => one.turn === turn);
  const { mode } = session.settings();
  const opened = await program.open({ type: 'fork', id: session.id, beforeTurn: turn }, { mode });
  return { type: 'session', opened: { ...opened, input: chosen?.prompt ?? '' } };
}

async function askAboutFiles(turn: number, { session, program }: Answered): Promise<Outcome> {
  const plan = await session.planUndo();
  if (plan.turn === null || plan.turn < turn) return goBack(turn, session, program);
  return dialog({
    id: dialogId('rewind', String(turn)),
    title: 'Go back',
    text: ['Files were changed since this prompt.', ...plan.notes.map((note) => `- ${oneLine(note)}`)].join(
      '\n',
    ),
    choices: [
      { value: 'files', label: 'restore the files too', detail: 'as they were before this prompt' },
      { value: 'talk', label: 'only the conversation', detail: 'files stay as they are' },
    ],
  });
}

/** `/rewind`: goes back to before a prompt, in a copy of the session; the prompt comes back to the input. */
export const rewind: Command = {
  async run({ session, program }) {
    if (session.path === null) return problem('this session is not kept, so there is no way back');
    const turns = promptedTurns((await program.sessions.read(session.id)).entries);
    if (turns.length === 0) return told('there is no prompt yet');
    return dialog({
      id: dialogId('rewind'),
      title: 'Go back to before',
      choices: turns.toReversed().map(({ turn, prompt }) => ({
        value: String(turn),
        label: oneLine(prompt.slice(0, shown)),
        detail: `turn ${turn}`,
      })),
      filter: true,
    });
  },
  async choose(answered) {
    const { step, value, session, program } = answered;
    if (step === '') return askAboutFiles(Number(value), answered);
    const turn = Number(step);
    const inTheWay = value === 'files' ? await restoreFiles(session, turn) : null;
    return inTheWay === null ? goBack(turn, session, program) : problem(inTheWay);
  },
};
