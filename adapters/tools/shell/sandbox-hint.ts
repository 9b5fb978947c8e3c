import { oneLine } from '../../../domain/text/one-line.ts';

/** A way in which programs say that something was not let them. */
interface Denial {
  /** Group 1, where it matches: the path or host. */
  pattern: RegExp;
  kind: 'file' | 'network';
}

/** A path as it stands in a message, quoted or not. */
const path = String.raw`['"‘“\`]?([~./][^\s'"’”\`:,()]*)`;
const host = String.raw`['"‘“\`]?([\w.-]*\w)`;

const denials: readonly Denial[] = [
  {
    pattern: new RegExp(`${path}['"’”\`)]*:? (?:Read-only file system|Permission denied)`, 'i'),
    kind: 'file',
  },
  { pattern: new RegExp(`(?:EROFS|EACCES)[^\\n]*?${path}`), kind: 'file' },
  { pattern: new RegExp(`(?:Read-only file system|Permission denied)[^\\n]*?: ${path}`, 'i'), kind: 'file' },
  { pattern: /Read-only file system|EROFS/i, kind: 'file' },
  { pattern: new RegExp(`(?:EAI_AGAIN|ENOTFOUND) ${host}`), kind: 'network' },
  { pattern: new RegExp(`Could not resolve (?:host(?:name)?:?|proxy:?) ${host}`, 'i'), kind: 'network' },
  {
    pattern: new RegExp(`unable to (?:access|look up) ${String.raw`['"]?(?:\w+://)?`}([\\w.-]+)`, 'i'),
    kind: 'network',
  },
  { pattern: new RegExp(`(?:ENETUNREACH|ECONNREFUSED|EHOSTUNREACH) ${host}`), kind: 'network' },
  { pattern: new RegExp(`connect to (?:host )?${host} port \\d+`, 'i'), kind: 'network' },
  {
    pattern:
      /Network is unreachable|Could not resolve|Temporary failure (?:in name resolution|resolving)|Name or service not known|No route to host|EAI_AGAIN|ENETUNREACH|no such host|dns error|Connection refused/i,
    kind: 'network',
  },
];

/** What of git writes where the sandbox keeps things as they are. */
const gitWrites =
  /\bgit\b[^|;&\n]*\b(?:init|clone|config|remote (?:add|remove|rename|set-url)|push[^|;&\n]* (?:-u|--set-upstream)|submodule|worktree (?:add|remove|move|prune)|branch[^|;&\n]* (?:-u|--set-upstream-to)|checkout[^|;&\n]* (?:-t|--track)|switch[^|;&\n]* (?:-t|--track))\b/;
const gitFiles =
  /could not (?:lock|write) config file|\.git\b[^\n]*(?:Read-only|Permission denied|Device or resource busy)/i;

/** Characters of the end of the output that are looked at: what stopped a command stands there. */
const looked = 20_000;

/**
 * What stood in the way of a command that failed in the sandbox, as one sentence with the one switch
 * (spec: prompting, "Results"); null if its output names nothing that the sandbox denies.
 */
export function sandboxHint(command: string, output: string): string | null {
  const end = output.slice(-looked);
  if (
    gitFiles.test(end) ||
    (gitWrites.test(command) && denials.some((one) => one.kind === 'file' && one.pattern.test(end)))
  ) {
    return "The sandbox keeps git's hooks and configuration as they are: if the command has to change them, call it again with `sandbox: false` and a `description` that says why.";
  }
  for (const { pattern, kind } of denials) {
    const found = pattern.exec(end);
    if (found === null) continue;
    const what = found[1] === undefined ? '' : oneLine(found[1]).slice(0, 200);
    return kind === 'file' ? fileHint(what) : networkHint(what);
  }
  return null;
}

function fileHint(path: string): string {
  const named = path === '' ? 'a file outside the project' : `\`${path}\``;
  return `The sandbox may have denied ${named}: write in the project or in \`$TMPDIR\`, or call again with \`sandbox: false\` and a \`description\` that says why.`;
}

function networkHint(host: string): string {
  const named = host === '' ? 'the network' : `the way to \`${host}\``;
  return `The sandbox cuts ${named}, and programs of other calls are not reached either: if it is needed, call again with \`sandbox: false\` and a \`description\` that says why.`;
}
