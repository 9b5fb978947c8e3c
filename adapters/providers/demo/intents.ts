import { onlyMention, optionalPath, pathOf, rangeOf } from './path-words.ts';
import { QuotedText } from './quoted-text.ts';

/** What the demo can be asked to do. */
export type Intent =
  | { kind: 'summarise'; path: string | null; from?: number; to?: number }
  | { kind: 'find'; text: string; path: string | null }
  | { kind: 'find_file'; name: string; path: string | null }
  | { kind: 'show'; path: string; from?: number; to?: number }
  | { kind: 'replace'; from: string; to: string; path: string | null; all: boolean }
  | { kind: 'create'; path: string; content: string }
  | { kind: 'run'; command: string }
  | { kind: 'run_script'; script: 'test' | 'lint' | 'build' }
  | { kind: 'help' };

/** A prompt in parts; `unknown` holds the parts that were not understood. */
export interface Understood {
  intents: Intent[];
  unknown: string[];
}

const verbs =
  'summari[sz]e|describe|explain|find|search|look|grep|locate|where|show|read|open|print|cat|display|view|list|ls|' +
  'replace|change|rename|substitute|create|write|make|add|run|execute|exec|tell|give';

const separator = new RegExp(
  `\\s*(?:[.;,]|\\n)+\\s*(?:and\\s+)?(?:then|after that|afterwards|finally)\\b,?\\s*|` +
    `\\s*,?\\s+(?:and\\s+)?then\\s+|` +
    `\\s*(?:[.;]\\s+|\\n+|,?\\s+and\\s+|,\\s+)(?=(?:please\\s+|also\\s+)?(?:${verbs})\\b)`,
  'gi',
);

const courtesies =
  /^(?:(?:hi|hello|hey)[,!.]?\s+(?=\S)|(?:please|kindly|now|also|first|next|finally|ok(?:ay)?|so|well|larik)[,:]?\s+|(?:can|could|would|will) you\s+|i(?:'d| would) like you to\s+|i (?:want|need) (?:you )?to\s+|let(?:'s| us)\s+|help me (?:to )?)+/i;

interface Rule {
  pattern: RegExp;
  intent(match: Record<string, string>, quoted: QuotedText): Intent | null;
}

/** Words as written, without the quotes around all of it. */
function words(part: string, quoted: QuotedText): string {
  return quoted.reveal(part.trim());
}

const isFileName = (text: string): boolean =>
  /[*?]/.test(text) || /^[\w@./\\-]*\.[A-Za-z]\w{0,9}$/.test(text);
const here =
  '(?:the|this|my|our)\\s+(?:whole\\s+|entire\\s+|current\\s+)?(?:project|folder|directory|repo(?:sitory)?|code ?base|code|tree)';

function findIntent(what: string, where: string | undefined, quoted: QuotedText): Intent | null {
  const asksFile = /^(?:all\s+|any\s+)?(?:the\s+)?files?\s+(?:named|called)?\s*/i;
  const bare = what
    .trim()
    .replace(/[?!.,;:]+$/, '')
    .replace(/\s+(?:defined|declared|used|called|mentioned|imported|located|implemented)$/i, '');
  const path = optionalPath(where, quoted);
  if (
    asksFile.test(bare) &&
    !/^(?:all\s+|any\s+)?(?:the\s+)?files?\s+(?:that|which|with|contain)/i.test(bare)
  ) {
    const name = words(bare.replace(asksFile, ''), quoted);
    return name === '' ? null : { kind: 'find_file', name, path };
  }
  const text = bare
    .replace(/^(?:all|any|every)\s+(?:of\s+)?/i, '')
    .replace(
      /^(?:the\s+)?files?\s+(?:that|which)?\s*(?:contain(?:s|ing)?|mention(?:s|ing)?|uses?|using|with)\s+/i,
      '',
    )
    .replace(
      /^(?:the\s+)?(?:occurrences?|uses?|usages?|mentions?|places?|references?|instances?)\s+(?:of|to|where|with)\s+/i,
      '',
    )
    .replace(
      /^(?:the\s+)?(?:word|text|string|term|function|class|method|variable|constant|type|name|symbol)\s+(?=\S)/i,
      '',
    )
    .replace(/^(?:the|a|an)\s+/i, '');
  if (text === '') return null;
  const plain = words(text, quoted);
  return isFileName(plain) && !quoted.isQuoted(text)
    ? { kind: 'find_file', name: plain, path }
    : { kind: 'find', text: plain, path };
}

const rules: Rule[] = [
  {
    pattern: /^(?<path>@\S+)$/,
    intent: ({ path = '' }, quoted) => showIntent(path, quoted),
  },
  {
    pattern:
      /^(?:help|hi|hello|hey|who are you|what are you|what can you do|how do(?:es)? (?:you|this|it) work)\b[^a-z]*$/i,
    intent: () => ({ kind: 'help' }),
  },
  {
    pattern: /^(?:\$|!)\s*(?<command>.+)$/s,
    intent: ({ command = '' }, quoted) => ({ kind: 'run', command: quoted.written(command.trim()) }),
  },
  {
    pattern:
      /^(?:run|execute|start|call)\s+(?:all\s+)?(?:the\s+|its\s+|my\s+|our\s+)?(?:unit\s+|whole\s+)?(?<script>tests?(?:\s+suite)?|lint(?:er)?|build)(?:\s+script)?[.!]?$/i,
    intent: ({ script = '' }) => ({
      kind: 'run_script',
      script: /^test/i.test(script) ? 'test' : /^lint/i.test(script) ? 'lint' : 'build',
    }),
  },
  {
    pattern: /^(?:test|lint|build)(?:\s+(?:it|this|the project))?[.!]?$/i,
    intent: (_, quoted) => ({
      kind: 'run_script',
      script: /^test/i.test(quoted.text.trim())
        ? 'test'
        : /^lint/i.test(quoted.text.trim())
          ? 'lint'
          : 'build',
    }),
  },
  {
    pattern: /^(?:run|execute|exec)\s+(?:the\s+)?(?:shell\s+)?(?:command\s+)?:?\s*(?<command>.+)$/is,
    intent: ({ command = '' }, quoted) => {
      const text = command.trim();
      const only = /^(\u0001\d+\u0002)[.!]?$/.exec(text)?.[1];
      return {
        kind: 'run',
        command: only === undefined ? quoted.written(text.replace(/(?<=\w)[.!]$/, '')) : words(only, quoted),
      };
    },
  },
  {
    pattern:
      /^in\s+(?<path>\S+),?\s+(?:replace|change|rename|substitute|swap)\s+(?<all>all\s+|every\s+|each\s+)?(?:occurrences?\s+of\s+|the\s+word\s+)?(?<from>.+?)\s+(?:by|with|to|into|for)\s+(?<to>.+?)(?<everywhere>\s+everywhere)?[.!]?$/is,
    intent: replaceIntent,
  },
  {
    pattern:
      /^(?:replace|change|rename|substitute|swap)\s+(?<all>all\s+|every\s+|each\s+)?(?:the\s+)?(?:occurrences?\s+of\s+|(?:word|text|string)\s+)?(?<from>.+?)\s+(?:by|with|to|into|for)\s+(?<to>.+?)(?:\s+(?:in|inside|within)\s+(?<path>(?:the\s+file\s+|the\s+)?\S+|all files|every file|the whole project))?(?<everywhere>,?\s+everywhere)?[.!]?$/is,
    intent: replaceIntent,
  },
  {
    pattern:
      /^(?:write|put|save)\s+(?<content>.+?)\s+(?:to|into|in)\s+(?:a\s+|the\s+)?(?:new\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+?)[.!]?$/is,
    intent: ({ content = '', path = '' }, quoted) =>
      /^(?:a\s+|the\s+)?(?:new\s+)?file\b/i.test(content)
        ? null
        : { kind: 'create', path: pathOf(path, quoted), content: withNewline(words(content, quoted)) },
  },
  {
    pattern:
      /^(?:create|write|make|add)\s+(?:me\s+)?(?:a\s+|an\s+|the\s+)?(?:new\s+)?(?:empty\s+)?(?:text\s+)?(?:file\s+)?(?:called\s+|named\s+)?(?<path>\S+?)(?:,?\s+(?:with|containing|that (?:says|contains)|which (?:says|contains)|saying)\s+(?:the\s+)?(?:content|text|line|words?)?s?\s*:?\s*(?<content>.+))?[.!]?$/is,
    intent: ({ path = '', content = '' }, quoted) => {
      const name = pathOf(path, quoted);
      const named = quoted.isQuoted(path.trim()) || /[./\\]/.test(name) || /\bfile\b/i.test(quoted.text);
      return named && name !== ''
        ? { kind: 'create', path: name, content: withNewline(words(withoutStop(content), quoted)) }
        : null;
    },
  },
  {
    pattern:
      /^(?:summari[sz]e|describe|explain|overview of|give (?:me\s+)?(?:a\s+|an\s+)?(?:short\s+|brief\s+|quick\s+)?(?:summary|overview|description)(?:\s+of)?|tell me(?:\s+(?:something|more))?\s+about)(?:\s+(?<path>.+?))?[.?!]*$/i,
    intent: summariseIntent,
  },
  {
    pattern: new RegExp(
      `^what(?:'s| is| does)?\\s+(?:in\\s+|inside\\s+)?(?:${here}|this|it|here)(?:\\s+(?:do|about|for|all about))?\\s*[?.!]*$`,
      'i',
    ),
    intent: () => ({ kind: 'summarise', path: null }),
  },
  {
    pattern:
      /^(?:list|ls)(?:\s+(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:files|contents|entries|folders?|directory))?(?:\s+(?:in|of|inside|under))?(?:\s+(?<path>.+?))?[.?!]*$/i,
    intent: ({ path }, quoted) => ({ kind: 'show', path: optionalPath(path, quoted) ?? '.' }),
  },
  {
    pattern:
      /^(?:show|read|open|print|cat|display|view|give)(?:\s+me)?\s+(?:the\s+)?(?:first\s+(?<count>\d+)\s+lines|lines?\s+(?<from>\d+)(?:\s*(?:-|–|to)\s*(?<to>\d+))?)\s+(?:of|in|from)\s+(?<path>.+)$/i,
    intent: ({ path = '', count, from, to }, quoted) => ({
      kind: 'show',
      path: pathOf(path, quoted),
      from: Number(from ?? 1),
      to: Number(count ?? to ?? from),
    }),
  },
  {
    pattern:
      /^(?:show|read|open|print|cat|display|view|let me see|what(?:'s| is| does)(?:\s+in|\s+inside)?)(?:\s+me)?\s+(?:the\s+)?(?:content(?:s)?\s+of\s+)?(?<path>.+?)(?:\s+(?:contain|say|hold))?[?!]*$/i,
    intent: ({ path = '' }, quoted) => showIntent(path, quoted),
  },
  {
    pattern: new RegExp(`^search\\s+(?<where>${here}|\\S+)\\s+for\\s+(?<what>.+?)[?.!]*$`, 'i'),
    intent: ({ what = '', where }, quoted) => findIntent(what, where, quoted),
  },
  {
    pattern: new RegExp(
      `^(?:find|search(?:\\s+for)?|look(?:\\s+for|\\s+up)|grep(?:\\s+for)?|locate|where(?:'s|\\s+(?:is|are|do|does|can i find))|(?:which|what)(?=\\s+files?\\s)|how often (?:is|does))\\s+(?:we\\s+|i\\s+|you\\s+|it\\s+)?(?<what>.+?)(?:\\s+(?:occurs?|appears?))?(?:\\s+(?:in|inside|under|within)\\s+(?<where>${here}|\\S+))?[?.!]*$`,
      'i',
    ),
    intent: ({ what = '', where }, quoted) => findIntent(what, where, quoted),
  },
];

/** A quoted text without the end of the sentence that it stands in. */
function withoutStop(part: string): string {
  return part.trim().replace(/^(\u0001\d+\u0002)[.!]$/, '$1');
}

function withNewline(content: string): string {
  return content === '' || content.endsWith('\n') ? content : `${content}\n`;
}

function replaceIntent(match: Record<string, string>, quoted: QuotedText): Intent | null {
  const { from = '', to = '', path, all, everywhere } = match;
  const every = path !== undefined && /^(?:all files|every file|the whole project)$/i.test(path.trim());
  const unquote = (text: string): string => words(text, quoted);
  if (unquote(from) === '') return null;
  return {
    kind: 'replace',
    from: unquote(from),
    to: unquote(to),
    path: path === undefined || every ? null : pathOf(path, quoted),
    all: all !== undefined || everywhere !== undefined || every,
  };
}

function showIntent(written: string, quoted: QuotedText): Intent | null {
  const part = written.trim().replace(/^(?:file|folder|directory)\s+/i, '');
  const path = pathOf(part.replace(/\s+(?:folder|directory|file)$/i, ''), quoted);
  // A sentence is no path.
  return path === '' || isSentence(path, part) ? null : { kind: 'show', ...rangeOf(path) };
}

/** Blanks that no quotes keep together. */
function isSentence(path: string, written: string): boolean {
  return /\s/.test(path) && /\s/.test(written.trim());
}

function summariseIntent({ path: written }: Record<string, string>, quoted: QuotedText): Intent | null {
  const path = optionalPath(written, quoted);
  if (written === undefined || path === null) return { kind: 'summarise', path: null };
  const bare = written
    .trim()
    .replace(/^(?:the|my|this|our)\s+/i, '')
    .replace(/^(?:file|folder|directory)\s+/i, '')
    .replace(/\s+(?:folder|directory|file)$/i, '');
  const named = isSentence(path, bare) ? onlyMention(written, quoted) : path;
  return named === null ? null : { kind: 'summarise', ...rangeOf(named) };
}

function understandPart(part: string, quoted: QuotedText): Intent | null {
  for (const rule of rules) {
    const match = rule.pattern.exec(part);
    const intent = match === null ? null : rule.intent({ ...match.groups }, quoted);
    if (intent !== null) return intent;
  }
  return null;
}

/** Reads a prompt: English in loose phrasing, several parts joined by "and then" and the like. */
export function understand(prompt: string): Understood {
  const quoted = new QuotedText(prompt.trim());
  const parts = quoted.text
    .split(separator)
    .map((part) =>
      part
        .trim()
        .replace(courtesies, '')
        .replace(/,?\s+(?:please|thanks|thank you)[.!]*$/i, ''),
    )
    .filter((part) => part !== '');
  const understood: Understood = { intents: [], unknown: [] };
  for (const part of parts) {
    const bare = quoted.isQuoted(part) ? ({ kind: 'run', command: quoted.reveal(part) } as const) : null;
    const intent = bare ?? understandPart(part, quoted);
    if (intent === null) understood.unknown.push(quoted.reveal(part));
    else understood.intents.push(intent);
  }
  return understood;
}
