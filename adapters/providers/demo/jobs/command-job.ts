import type { Outcome } from '../current-turn.ts';
import { done, failed, type Job, type Report } from './job.ts';
import { refusalText } from './refusal.ts';
import { fenced, folderEntries, numberedLines } from './result-text.ts';

const shownBytes = 4000;

function report(command: string, outcome: Outcome | undefined): Report {
  if (outcome === undefined) return failed(`There was no answer to \`${command}\`.`);
  const refused = refusalText(`run \`${command}\``, outcome);
  if (refused !== null) return failed(refused);
  const text = outcome.text.trim();
  const shown = text.length > shownBytes ? `…${text.slice(-shownBytes)}` : text;
  return outcome.failed
    ? failed(`\`${command}\` failed:\n${fenced(shown)}`)
    : done(`\`${command}\` ran:\n${fenced(shown)}`);
}

/** Runs a command line. */
export function* commandJob(command: string): Job {
  const [outcome] = yield {
    say: `I run \`${command}\`.`,
    calls: [{ name: 'bash', input: { command, description: 'Run what the user asked for' } }],
  };
  return report(command, outcome);
}

type Script = 'test' | 'lint' | 'build';

/** The usual commands where a project's own file tells no other. */
const usual: readonly { file: string; commands: Partial<Record<Script, string>> }[] = [
  { file: 'Cargo.toml', commands: { test: 'cargo test', lint: 'cargo clippy', build: 'cargo build' } },
  { file: 'go.mod', commands: { test: 'go test ./...', lint: 'go vet ./...', build: 'go build ./...' } },
  { file: 'pyproject.toml', commands: { test: 'python3 -m pytest' } },
  { file: 'Makefile', commands: { test: 'make test', lint: 'make lint', build: 'make' } },
];

function packageScript(text: string, script: Script): string | null {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    if (typeof scripts?.[script] !== 'string') return null;
    return script === 'test' ? 'npm test' : `npm run ${script}`;
  } catch {
    return null;
  }
}

/** Runs the project's tests, linter or build: looks first how that is done here. */
export function* scriptJob(script: Script): Job {
  const [listing] = yield {
    say: `I look how to ${script} this project.`,
    calls: [{ name: 'read', input: { path: '.' } }],
  };
  const names = listing === undefined || listing.failed ? [] : folderEntries(listing.text);
  let command: string | null = null;
  if (names.includes('package.json')) {
    const [file] = yield {
      say: 'I read `package.json`.',
      calls: [{ name: 'read', input: { path: 'package.json' } }],
    };
    const text = numberedLines(file?.text ?? '')
      .map((line) => line.text)
      .join('\n');
    command = packageScript(text, script);
  }
  command ??=
    usual.find(({ file, commands }) => names.includes(file) && commands[script] !== undefined)?.commands[
      script
    ] ?? null;
  if (command === null)
    return failed(
      `I found nothing here that says how to ${script} this project. Give me the command: run \`…\`.`,
    );
  return yield* commandJob(command);
}
