import type { Command } from '../command.ts';

function subject(range: string): string {
  return range === ''
    ? 'the uncommitted changes of this repository: `git status`, `git diff HEAD`, and the new files that git does not know yet. If nothing is uncommitted, review the commits of this branch that its upstream or the main branch does not have, and say so'
    : `these changes: ${range} (a range or commit for \`git diff\` or \`git show\`, a pull request's number, or paths; find out which)`;
}

const common = `Change no file. Read the whole of each changed file, and who calls what was changed: a difference alone does not tell whether it is right. Prove a suspicion from the code, or with a quick test or command, before you report it; what you could not prove, leave out or mark as a question.`;

const report = `Report the findings, worst first, each with: file and line; what goes wrong, and with which input or in which state; how to mend it. Say which of them must be mended before this is merged. No praise, no summary of the change, nothing about style that a formatter or linter would settle. If there is nothing to report, say so in one sentence, with what you looked at.`;

/** What `/review` has the model do. */
function reviewPrompt(range: string): string {
  return `Review ${subject(range)}.

${common}

Look for, in this order:
1. Mistakes: wrong results, conditions turned round, cases that are not handled (empty, null, zero, very large, text that is not ASCII, the same thing twice, an error half way), races, leaks of files or memory, what is not undone after a failure.
2. What it breaks elsewhere: callers, stored data, public interfaces, settings, documentation that is now wrong.
3. Tests: do they fail without the change? Which behaviour that matters has none?
4. What would be simpler: code that is there already, that is never reached, or that does more than is asked.

${report}`;
}

/** What `/security-review` has the model do. */
function securityReviewPrompt(range: string): string {
  return `Review the security of ${subject(range)}.

${common}

For each place where the change takes something in (requests, files, arguments, environment, network, other services, a model's output), follow the data to where it is used. Look for:
- injection: shell, SQL, paths (also links and \`..\`), templates, HTML, log lines, terminal sequences, deserialisation;
- who may do what: missing or late checks, ids of others, confused deputies, state that changes between check and use;
- secrets: in code, logs, errors, URLs, the environment of child processes; files that others can read;
- cryptography and randomness: own inventions, comparisons that leak time, predictable tokens, certificates that are not checked;
- requests that others direct (SSRF), redirects, webhooks without a signature;
- input without bounds: memory, time, disk, regular expressions, archives;
- dependencies and build scripts that were added or changed.

Report only what somebody could use: say who attacks, what they send, and what they gain. Rate each as high, medium or low by that, not by its kind.

${report}`;
}

/** `/review`: has the model review changes. */
export const review: Command = {
  run: ({ argument }) => ({ type: 'prompt', text: reviewPrompt(argument) }),
};

/** `/security-review`. */
export const securityReview: Command = {
  run: ({ argument }) => ({ type: 'prompt', text: securityReviewPrompt(argument) }),
};
