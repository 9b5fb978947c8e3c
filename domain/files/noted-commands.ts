import type { ProcessRunner } from '../../ports/process.ts';
import type { Checkpoints } from './checkpoints.ts';

/**
 * The processes that tools get: a shell command is noted in the turn's checkpoint before it runs,
 * since an undo does not cover what it changes (spec: sessions, "Checkpoints").
 */
export function noteCommands(processes: ProcessRunner, checkpoints: Pick<Checkpoints, 'ran'>): ProcessRunner {
  const note = async (command: { shell: string } | { program: string; args: string[] }): Promise<void> => {
    if ('shell' in command) await checkpoints.ran(command.shell);
  };
  return {
    find: (program) => processes.find(program),
    async run(spec, signal, onOutput) {
      await note(spec.command);
      return processes.run(spec, signal, onOutput);
    },
    async start(spec) {
      await note(spec.command);
      return processes.start(spec);
    },
    output: (id) => processes.output(id),
    stop: (id) => processes.stop(id),
    dispose: () => processes.dispose(),
  };
}
