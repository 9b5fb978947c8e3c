import type { SandboxFacts } from '../../ports/sandbox.ts';
import { oneLine } from '../text/one-line.ts';

/** Bytes of folder names that the paragraph takes; what is more is only counted. */
const longestNames = 160;

function named(paths: readonly string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const path of paths) {
    const text = `\`${oneLine(path)}\``;
    length += text.length;
    if (length > longestNames) break;
    shown.push(text);
  }
  const more = paths.length - shown.length;
  return [...shown, ...(more === 0 ? [] : [`${more} more that the settings name`])].join(', ');
}

/** What a context is told of where commands run (spec: prompting, "`<env>` and the sandbox paragraph"). */
export function sandboxParagraph(facts: SandboxFacts | null): string {
  if (facts === null || !facts.works) {
    return facts?.required === true
      ? 'Commands do not run here: the settings insist on a sandbox, and it does not work.'
      : 'Commands run without a sandbox here: one that neither a rule nor the mode allows is put to the user first.';
  }
  const besides = facts.writable.length === 0 ? '' : ` in ${named(facts.writable)},`;
  const loopback = 'loopback, which is shared with commands in the background only';
  const cut =
    facts.domains.length === 0
      ? `There is no network but ${loopback}.`
      : `There is no network but ${loopback}, and by HTTP and HTTPS, through the proxy that the environment names, these hosts with their subdomains: ${named(facts.domains)}.`;
  const network = facts.network ? 'The network is open.' : cut;
  return (
    `\`bash\` runs in a sandbox, where nothing has to be asked for. It may write in the project,${besides} in \`$TMPDIR\` and in build caches, but not to git's hooks and configuration, \`.larik\`, \`.claude\` and \`.mcp.json\`. ${network} ` +
    'Set `sandbox: false`, with a `description` saying why, only after a result that names the sandbox as the cause, or for a command that surely needs what it denies.'
  );
}

/** On a resume where commands run otherwise than the recorded context says; null if nothing changed. */
export function sandboxChanged(recorded: string, facts: SandboxFacts): string | null {
  const paragraph = sandboxParagraph(facts);
  if (recorded.includes(paragraph)) return null;
  return `The session was resumed and this is now so, whatever stands above of a sandbox, so go by it: ${paragraph}`;
}
