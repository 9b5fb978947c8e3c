/** Where a command's results and everything else go: whole lines, ends included. */
export interface CommandOutput {
  stdout(text: string): void;
  stderr(text: string): void;
}
