import type { Tool } from '../../plugins/sdk/index.ts';
import { edit } from './edits/edit.ts';
import { multiEdit } from './edits/multi-edit.ts';
import { write } from './edits/write.ts';
import { read } from './files/read.ts';
import { exitPlanMode } from './planning/exit-plan-mode.ts';
import { todoWrite } from './planning/todo-write.ts';
import { glob } from './search/glob.ts';
import { grep } from './search/grep.ts';
import { bash } from './shell/bash.ts';
import { bashOutput } from './shell/bash-output.ts';
import { bashStop } from './shell/bash-stop.ts';

/** The tools that are always there, sorted by name (spec: tools, "Built-in tools"). */
export const builtinTools: readonly Tool[] = [
  bash,
  bashOutput,
  bashStop,
  edit,
  exitPlanMode,
  glob,
  grep,
  multiEdit,
  read,
  todoWrite,
  write,
];
