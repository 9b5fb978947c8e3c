import type { Call, Outcome } from './current-turn.ts';
import { commandJob, scriptJob } from './jobs/command-job.ts';
import { createJob, replaceJob, showJob } from './jobs/file-jobs.ts';
import type { Intent } from './intents.ts';
import { done, type Job } from './jobs/job.ts';
import { findFileJob, findJob } from './jobs/search-job.ts';
import { rangeJob, summaryJob } from './jobs/summary-job.ts';

function jobOf(intent: Exclude<Intent, { kind: 'help' }>): Job {
  switch (intent.kind) {
    case 'summarise':
      return intent.path !== null && intent.from !== undefined
        ? rangeJob(intent.path, intent.from, intent.to ?? intent.from)
        : summaryJob(intent.path);
    case 'find':
      return findJob(intent.text, intent.path);
    case 'find_file':
      return findFileJob(intent.name, intent.path);
    case 'show':
      return showJob(intent.path, intent.from, intent.to);
    case 'replace':
      return replaceJob(intent.from, intent.to, intent.path, intent.all);
    case 'create':
      return createJob(intent.path, intent.content);
    case 'run':
      return commandJob(intent.command);
    case 'run_script':
      return scriptJob(intent.script);
    default:
      return intent satisfies never;
  }
}

/** All parts of a prompt, one after the other; what follows a part that failed is left out. */
function* inOrder(intents: readonly Exclude<Intent, { kind: 'help' }>[]): Job {
  const texts: string[] = [];
  for (const [at, intent] of intents.entries()) {
    const report = yield* jobOf(intent);
    texts.push(report.text);
    const left = intents.length - at - 1;
    if (!report.ok && left > 0) {
      texts.push(`So I left out ${left === 1 ? 'the part' : `the ${left} parts`} that should have followed.`);
      break;
    }
  }
  return done(texts.join('\n\n'));
}

/** What to do next: calls with a word on why, or the final report. */
export type Move = { kind: 'calls'; say: string; calls: Call[] } | { kind: 'report'; text: string };

/** Works out from what was done already what comes next. A part that needs a tool that is not there ends the work. */
export function nextMove(
  intents: readonly Exclude<Intent, { kind: 'help' }>[],
  rounds: readonly Outcome[][],
  tools: ReadonlySet<string>,
): Move {
  const job = inOrder(intents);
  let state = job.next([]);
  for (const outcomes of rounds) {
    if (state.done === true) break;
    state = job.next(outcomes);
  }
  if (state.done === true) return { kind: 'report', text: state.value.text };
  const missing = state.value.calls.find((call) => !tools.has(call.name));
  if (missing !== undefined)
    return {
      kind: 'report',
      text: `I would need the tool \`${missing.name}\` for this, and it is not among those that I was given.`,
    };
  return { kind: 'calls', ...state.value };
}
