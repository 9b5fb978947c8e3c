import { oneLine } from '../../../domain/text/one-line.ts';

/** A way in which programs say that something was not let them. */
interface Denial {
  /** Group 1, where it matches: the path, host or program. */
  pattern: RegExp;
  kind: 'file' | 'network' | 'socket' | 'keys' | 'rights';
}

/** A path as it stands in a message, quoted or not. */
const path = String.raw`['"‘“\`]?([~./][^\s'"’”\`:,()]*)`;
const host = String.raw`['"‘“\`]?([\w.-]*\w)`;

/** The first that fits counts: what is told apart by a program's own words stands before what many say. */
const denials: readonly Denial[] = [
  { pattern: /gpg failed to sign|Permission denied \(publickey|Couldn't load public key/i, kind: 'keys' },
  { pattern: /connect to (?:the )?(Docker|Podman)\b/i, kind: 'socket' },
  { pattern: /(?:through|on|via) (?:local )?socket ['"]([^'"\s]+)/i, kind: 'socket' },
  {
    pattern: /\b(sudo): [^\n]*(?:no new privileges|effective (?:uid|user id)|setuid|owned by uid)/i,
    kind: 'rights',
  },
  { pattern: /from versions: none\)/, kind: 'network' },
  { pattern: /remote unpack failed|unable to create temporary object directory/, kind: 'file' },
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
      /Network is unreachable|Could not resolve|Temporary failure (?:in name resolution|resolving)|Name or service not known|No route to host|EAI_AGAIN|ENETUNREACH|no such host|dns error|Connection refused|(?:Could not|Failed to|Couldn't) connect to server/i,
    kind: 'network',
  },
  { pattern: /Operation not permitted|EPERM/i, kind: 'rights' },
];

/** What of git writes where the sandbox keeps things as they are. */
const gitWrites =
  /\bgit\b[^|;&\n]*\b(?:init|clone|config|remote (?:add|remove|rename|set-url)|push[^|;&\n]* (?:-u|--set-upstream)|submodule|worktree (?:add|remove|move|prune)|branch[^|;&\n]* (?:-u|--set-upstream-to)|checkout[^|;&\n]* (?:-t|--track)|switch[^|;&\n]* (?:-t|--track))\b/;
const gitFiles =
  /could not (?:lock|write) config file|\.git\b[^\n]*(?:Read-only|Permission denied|Device or resource busy)/i;

/** Names the hosts that the sandbox refused, and the setting that lets commands reach them. */
export function refusedHint(hosts: readonly string[]): string {
  const names = hosts.map((host) => `\`${host}\``).join(', ');
  return `The sandbox refused ${names}: \`sandbox.allowed_domains\` in the user's settings names the hosts that commands reach. If it is needed, ${outside}`;
}

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
    return hints[kind](what);
  }
  return null;
}

const outside = 'call again with `sandbox: false` and a `description` that says why.';

const hints: Readonly<Record<Denial['kind'], (what: string) => string>> = {
  file: (path) =>
    `The sandbox may have denied ${path === '' ? 'a file outside the project' : `\`${path}\``}: write in the project or in \`$TMPDIR\`, or ${outside}`,
  network: (host) =>
    `The sandbox cuts ${host === '' ? 'the network' : `the way to \`${host}\``}, and programs outside it are not reached either: if it is needed, ${outside}`,
  socket: (what) =>
    `The sandbox hides sockets such as ${what === '' ? 'this' : `that of \`${what}\``}: if it is needed, ${outside}`,
  keys: () => `The sandbox hides keys and their agents: if the command needs one, ${outside}`,
  rights: (program) =>
    `The sandbox gives no more rights than a user has${program === '' ? '' : `, so \`${program}\` does not work in it`}: if it is needed, ${outside}`,
};
