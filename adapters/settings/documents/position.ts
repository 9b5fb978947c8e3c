import { oneLine } from '../../../domain/text/one-line.ts';

/** A place in a text file; both counted from 1. */
export interface Position {
  line: number;
  column: number;
}

/** `file:line:column`, as far as it is known. */
export function placeText(file: string, position: Position | null): string {
  return position === null ? oneLine(file) : `${oneLine(file)}:${position.line}:${position.column}`;
}
