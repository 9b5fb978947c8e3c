import { type Command, nothing } from '../command.ts';

/** `/help`: the screen shows it by itself, since keys and commands are what it knows. */
export const help: Command = {
  run: () => nothing,
};
