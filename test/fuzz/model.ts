import type { Mode } from '../../ports/mode.ts';

/**
 * What permissions say, written down a second time: slow, for small worlds only, and with nothing of
 * the code that it is held against. A world has plain names, so that it can be read off the page.
 */
export interface World {
  /** What exists; folders end in `/`. */
  entries: readonly string[];
  /** Symbolic links and what they say. */
  links: Readonly<Record<string, string>>;
  cwd: string;
}

export interface ModelCall {
  tool: 'read' | 'write' | 'edit' | 'bash' | 'web_fetch' | 'mcp__s__t' | 'mcp__s2__t';
  /** A path, commands of a line (joined by `&&`), a host, or nothing. */
  subject: string | string[];
}

export interface ModelRules {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

export interface ModelSetting {
  world: World;
  mode: Mode;
  sandboxed: boolean;
  rules: ModelRules;
}

const project = '/p';
const reading = ['read'];
const writing = ['write', 'edit'];

export function modelDecision(call: ModelCall, setting: ModelSetting): 'allow' | 'ask' | 'deny' {
  const { mode, sandboxed, rules } = setting;
  const first = ((): 'allow' | 'ask' | 'deny' => {
    if (writing.includes(call.tool) && mayNotBeWritten(call, setting.world)) return 'deny';
    if (rules.deny.some((rule) => forbids(rule, call, setting.world))) return 'deny';
    if (mode === 'yolo') return 'allow';
    if (reading.includes(call.tool)) return 'allow';
    if (mode === 'plan' && call.tool !== 'web_fetch') return 'deny';
    if (isAllowed(rules.allow, call, setting.world)) return 'allow';
    if (call.tool === 'bash' && sandboxed) return 'allow';
    if (call.tool === 'bash' && isSafe(call)) return 'allow';
    const accepts = mode === 'accept-edits' || mode === 'auto';
    return accepts && writing.includes(call.tool) && isInCwd(call, setting.world) ? 'allow' : 'ask';
  })();
  const isAskedFor = mode !== 'yolo' && rules.ask.some((rule) => forbids(rule, call, setting.world));
  return first === 'allow' && isAskedFor ? 'ask' : first;
}

/** The absolute path that the text says, without looking at the disk. */
function spelt(path: string, cwd: string): string {
  const parts: string[] = [];
  for (const part of `${path.startsWith('/') ? '' : cwd}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** Where a path leads, and over which links; null where there is nothing. */
function followed(path: string, world: World): { target: string | null; links: string[] } {
  const links: string[] = [];
  let at = '';
  let rest = path.split('/').filter((part) => part !== '');
  while (rest.length > 0) {
    const [part = '', ...further] = rest;
    rest = further;
    if (part === '..') {
      at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      continue;
    }
    const next = `${at}/${part}`;
    const says = world.links[next];
    if (says !== undefined) {
      links.push(next);
      if (links.length > 40) return { target: null, links };
      if (says.startsWith('/')) at = '';
      rest = [...says.split('/').filter((one) => one !== ''), ...rest];
      continue;
    }
    const isFolder = world.entries.includes(`${next}/`);
    if (!isFolder && !(rest.length === 0 && world.entries.includes(next))) return { target: null, links };
    at = next;
  }
  return { target: at === '' ? '/' : at, links };
}

const isBelow = (path: string, folder: string) => path.startsWith(`${folder}/`);

function mayNotBeWritten({ subject }: ModelCall, world: World): boolean {
  const path = spelt(String(subject), world.cwd);
  if (!isBelow(path, project)) return true;
  if (followed(path, world).links.length > 0) return true;
  return path
    .toLowerCase()
    .split('/')
    .some((part) => ['.git', '.larik', '.claude', '.mcp.json'].includes(part));
}

function isInCwd({ subject }: ModelCall, world: World): boolean {
  const path = spelt(String(subject), world.cwd);
  return isBelow(path, world.cwd) && !path.toLowerCase().split('/').includes('.npmrc');
}

interface TakenApart {
  tool: string;
  pattern: string | null;
}

function takenApart(rule: string): TakenApart {
  const at = rule.indexOf('(');
  return at === -1
    ? { tool: rule, pattern: null }
    : { tool: rule.slice(0, at), pattern: rule.slice(at + 1, -1) };
}

/** A path pattern as a regular expression over whole paths. */
function pathExpression(pattern: string): RegExp {
  const parts = pattern.split('/');
  const text = parts
    .map((part, at) => {
      const isLast = at === parts.length - 1;
      if (part === '**') return isLast ? (at === 0 ? '.*' : '.+') : '(?:[^/]*/)*';
      const body = part.replaceAll('.', '\\.').replaceAll('*', '[^/]*').replaceAll('?', '[^/]');
      return isLast ? body : `${body}/`;
    })
    .join('');
  return new RegExp(`^${text}$`);
}

function namedFrom(path: string, folder: string): string | null {
  return isBelow(path, folder) ? path.slice(folder.length + 1) : null;
}

function pathAllowed(pattern: string, subject: string, world: World): boolean {
  const path = spelt(subject, world.cwd);
  const { target, links } = followed(path, world);
  if (links.length > 0 && target === null) return false;
  const held = links.length > 0 && target !== null ? [path, target] : [path];
  return held.every((one) => {
    const name = pattern.startsWith('/') ? one : (namedFrom(one, world.cwd) ?? one);
    return pathExpression(pattern).test(name);
  });
}

function pathForbidden(pattern: string, subject: string, world: World): boolean {
  const path = spelt(subject, world.cwd);
  const { target } = followed(path, world);
  const patterns = [pattern.toLowerCase()];
  if (pattern.endsWith('/**')) patterns.push(pattern.toLowerCase().slice(0, -3) || '/');
  return [path, target].some((one) => {
    if (one === null) return false;
    const names = [one, namedFrom(one, world.cwd), namedFrom(one, project)];
    return names.some(
      (name) => name !== null && patterns.some((each) => pathExpression(each).test(name.toLowerCase())),
    );
  });
}

/** Command patterns are `words`, `words*` or `words *`. */
function commandForbidden(pattern: string, command: string): boolean {
  return pattern.endsWith('*') ? command.startsWith(pattern.slice(0, -1)) : command === pattern;
}

function commandAllowed(pattern: string, command: string): boolean {
  if (!pattern.endsWith('*')) return command === pattern;
  const start = pattern.slice(0, -1);
  if (!command.startsWith(start)) return false;
  return !/[a-z]$/.test(start) || !/^[a-z_-]/.test(command.slice(start.length));
}

function hostNamed(pattern: string, host: string): boolean {
  const domain = pattern.slice('domain:'.length);
  return host === domain || host.endsWith(`.${domain}`);
}

function forbids(rule: string, call: ModelCall, world: World): boolean {
  const { tool, pattern } = takenApart(rule);
  const own = tool === call.tool || (tool === 'mcp__s' && call.tool === 'mcp__s__t');
  const asWriter = pattern !== null && writing.includes(tool) && writing.includes(call.tool);
  if (!own && !asWriter) return false;
  if (pattern === null) return true;
  if (call.tool === 'bash')
    return [call.subject].flat().some((command) => commandForbidden(pattern, command));
  if (call.tool === 'web_fetch') return hostNamed(pattern, String(call.subject));
  return pathForbidden(pattern, String(call.subject), world);
}

function isAllowed(rules: readonly string[], call: ModelCall, world: World): boolean {
  const own = rules
    .map(takenApart)
    .filter(({ tool }) => tool === call.tool || (tool === 'mcp__s' && call.tool === 'mcp__s__t'));
  if (own.some(({ pattern }) => pattern === null)) return true;
  const patterns = own.flatMap(({ pattern }) => pattern ?? []);
  if (call.tool === 'bash') {
    return [call.subject]
      .flat()
      .every((command) => patterns.some((pattern) => commandAllowed(pattern, command)));
  }
  if (call.tool === 'web_fetch') return patterns.some((pattern) => hostNamed(pattern, String(call.subject)));
  return patterns.some((pattern) => pathAllowed(pattern, String(call.subject), world));
}

/** The lines of the model hold few words; of these only two are safe, alone on their line. */
function isSafe({ subject }: ModelCall): boolean {
  const commands = [subject].flat();
  return commands.length === 1 && (commands[0] === 'pwd' || commands[0] === 'git status');
}
