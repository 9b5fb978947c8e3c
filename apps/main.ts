#!/usr/bin/env node
// The entry point answers what needs nothing, and loads the rest only then. It must itself run on
// any Node, so that an old one gets a sentence instead of a syntax error; hence no static import of code.
import { version } from '../package.json';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const args = process.argv.slice(2);

/** A reader that has gone is no error, and what else goes wrong is told in a sentence. */
function print(text: string): void {
  process.stdout.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'EPIPE') return;
    const why = error.code === 'ENOSPC' ? 'the disk is full (ENOSPC)' : error.message;
    process.stderr.write(`larik: standard output cannot be written: ${why}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(text);
}

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `larik: found Node ${process.versions.node}, needed is 20.19 or newer; get it from https://nodejs.org or with your version manager.\n`,
  );
  process.exitCode = 2;
} else if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
  print(`${version}\n`);
} else if (args.length === 1 && (args[0] === '--help' || args[0] === '-h')) {
  void import('./command-line/help.ts').then(({ generalHelp }) => print(generalHelp()));
} else {
  void import('./start-up/program.ts').then(({ runProgram }) => runProgram(args, version));
}
