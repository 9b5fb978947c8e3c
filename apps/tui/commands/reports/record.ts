import { stat } from 'node:fs/promises';
import { traceFile } from '../../../../adapters/trace/file-tracer.ts';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { traceCommand } from '../../../commands/trace.ts';
import { collected } from '../collected.ts';
import { type Command, told } from '../command.ts';

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/** `/debug`: whether everything is recorded, and how to have it so. */
export const debug: Command = {
  run({ session, program }) {
    if (!program.isRecorded || session.path === null)
      return told('nothing is recorded; start with larik --debug to record requests, answers and tools');
    return told(`everything is recorded in ${oneLine(traceFile(session.path))}; /trace shows it`);
  },
};

/** `/trace`: what was recorded of this session, a line each. */
export const trace: Command = {
  run: ({ session, program }) =>
    collected('Trace', (io) =>
      traceCommand(
        { id: session.id, json: false, cache: false },
        { sessions: program.sessions, isFile, written: () => Promise.resolve() },
        io,
      ),
    ),
};
