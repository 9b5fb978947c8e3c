import type { Outcome } from '../current-turn.ts';

function byUser(what: string, words: string): string {
  const said = words === '' ? '' : ` (“${words}”)`;
  return `I did not ${what}: you refused it${said}. Answer yes next time to allow it.`;
}

/** As one word of a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function nobodyThere(what: string, rule: string | undefined, tool: string): string {
  const head = `I was not allowed to ${what}: it needs your consent, and nobody was there to give it.`;
  const ways = [
    ...(rule === undefined ? [] : [`with --allow ${shellWord(rule)}`]),
    ...(tool === 'write' || tool === 'edit' ? ['with --mode accept-edits'] : []),
  ];
  return ways.length === 0
    ? `${head} No rule would allow just this.`
    : `${head} To allow it, start larik ${ways.join(', or ')}.`;
}

function byPolicy(what: string, reason: string): string {
  const isPlanMode = /plan mode/i.test(reason);
  const way = isPlanMode
    ? 'Leave plan mode (--mode default) to allow it.'
    : /\brule\b/i.test(reason)
      ? 'A deny rule stands above everything else: take it away where it stands if you want this.'
      : 'That holds in every mode.';
  // What follows the semicolon is for a model: it could hand a plan over, and this cannot.
  const said = isPlanMode ? reason.replace(/;.*$/s, '') : reason;
  return `I was not allowed to ${what}: ${said}. ${way}`;
}

/**
 * What the user is told of a call that was not let through: by whom, and what would allow it. Null if
 * it ran (or failed by itself). It goes by the words of the result, as a model would.
 */
export function refusalText(what: string, outcome: Outcome): string | null {
  if (!outcome.failed) return null;
  const { text } = outcome;
  const words = /^([\s\S]*?)\s*\(The user refused this call/.exec(text)?.[1];
  if (words !== undefined) return byUser(what, words.trim());
  if (text.startsWith('The user refused this call')) return byUser(what, '');
  if (text.startsWith('The user interrupted'))
    return `I could not finish: you interrupted me before I could ${what}.`;
  if (!text.startsWith('Refused')) return null;
  if (text.includes('nobody is there'))
    return nobodyThere(what, /with the rule `(.+?)`\./s.exec(text)?.[1], outcome.call.name);
  const reason = /^Refused(?:, and nothing was done)?: ([\s\S]*?)\.? Do not reach/.exec(text)?.[1] ?? text;
  return byPolicy(what, reason);
}
