import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import { codeSpans } from './page.mjs';

/** What there is, as the built program says itself: commands with their flags, variables, settings. */
export function knownNames(root) {
  const help = (...args) =>
    execFileSync(process.execPath, [join(root, 'dist/main.js'), ...args], { encoding: 'utf8' });
  const flags = (text) => new Set([...text.matchAll(/(?<![\w-])--?[a-zA-Z][\w-]*/g)].map(([flag]) => flag));
  const whole = help('--help');
  const commands = new Map(
    [...whole.matchAll(/^ {2}larik ([a-z]+)(.*?)(?: {2}|$)/gm)].map(([, name, usage]) => {
      // The words that may follow: `list` and `show` of "list | show ID".
      const words = [...usage.matchAll(/(?<=^ |\| )[a-z]+\b/g)].map(([word]) => word);
      return [name, { words, flags: flags(name === 'help' ? whole : help(name, '--help')) }];
    }),
  );
  // Flags of our own scripts, which pages for contributors name.
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
  const sources = Object.values(scripts).flatMap((script) => script.match(/\S+\.mjs/g) ?? []);
  const ofScripts = new Set(sources.flatMap((path) => [...flags(readFileSync(join(root, path), 'utf8'))]));
  return {
    run: flags(whole),
    commands,
    scripts,
    ofScripts,
    variables: new Set(help('help', 'environment').match(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g)),
    settings: JSON.parse(readFileSync(join(root, 'dist/schema/settings.json'), 'utf8')),
  };
}

/** A shell line's commands that call larik, as words; quoted text stays one word. */
function calls(line) {
  const words = line.match(/'[^']*'|"[^"]*"|&&|\|\||[|;]|#.*$|[^\s'"|;&]+|\S/g) ?? [];
  const found = [];
  let call = null;
  words.forEach((word, index) => {
    const npm = word === 'npm' && words[index + 1] === 'start' && words[index + 2] === '--';
    if (/^(&&|\|\||[|;]|#.*)$/.test(word)) call = null;
    else if (call !== null) call.push(word);
    else if (word === 'larik' && (index === 0 || /^(&&|\|\||[|;$]|[A-Z_]+=\S*)$/.test(words[index - 1]))) {
      found.push((call = []));
    } else if (npm) {
      found.push((call = []));
    }
  });
  return found.map((each) => (each[0] === 'start' ? each.slice(2) : each));
}

function callProblems(words, known) {
  const [name] = words;
  const end = words.indexOf('--');
  const flags = (end < 0 ? words : words.slice(0, end)).flatMap(
    (word) => /^--?[a-z][\w-]*/i.exec(word)?.[0] ?? [],
  );
  const command = name !== undefined && /^[a-z][\w-]*$/.test(name) ? name : null;
  if (command !== null && !known.commands.has(command)) return [`there is no command "larik ${command}"`];
  const { words: following, flags: has } =
    command === null ? { words: [], flags: known.run } : known.commands.get(command);
  const second = words[1] ?? '';
  if (following.length > 0 && /^[a-z]+$/.test(second) && !following.includes(second)) {
    return [`there is no command "larik ${command} ${second}"`];
  }
  const unknown = flags.filter((flag) => !has.has(flag));
  return unknown.map((flag) => `larik ${command === null ? '' : `${command} `}knows no ${flag}`);
}

function schemaOf(schema, key) {
  return (
    schema?.properties?.[key] ??
    (typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined)
  );
}

function settingProblems(value, schema, path = []) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const next = schemaOf(schema, key);
    const place = [...path, key];
    if (next === undefined) return [`there is no setting "${place.join('.')}"`];
    return settingProblems(inner, next, place);
  });
}

/** Commands, flags, settings and variables that a page names and that do not exist. */
export function nameProblems(page, known) {
  const problem = (line) => (text) => ({ file: page.file, line, text });
  const shell = page.blocks.filter(({ language }) => language === 'console' || language === 'sh');
  const lines = shell.flatMap((block) =>
    block.lines.map((text, index) => ({ text, line: block.line + index, block })),
  );
  const typed = lines.flatMap(({ text, line, block }) => {
    if (block.language === 'sh') return [{ line, text }];
    return /^[$>] /.test(text) ? [{ line, text: text.slice(2) }] : [];
  });
  const spans = codeSpans(page);
  return [
    ...[...typed, ...spans].flatMap(({ line, text }) => [
      ...calls(text)
        .flatMap((words) => callProblems(words, known))
        .map(problem(line)),
      ...(text.match(/\b(LARIK_[A-Z0-9_]+|[A-Z0-9_]+_(API_KEY|PROXY))\b/g) ?? [])
        .filter((name) => !known.variables.has(name))
        .map((name) => problem(line)(`there is no variable ${name}`)),
      ...[...text.matchAll(/\bnpm run ([\w:-]+)/g)]
        .filter(([, name]) => known.scripts[name] === undefined)
        .map(([, name]) => problem(line)(`there is no script "npm run ${name}"`)),
    ]),
    ...spans.flatMap(({ line, text }) => {
      const flag = /^--?[a-z][\w-]*/i.exec(text)?.[0];
      const all = [
        known.run,
        known.ofScripts,
        ...[...known.commands.values()].map((command) => command.flags),
      ];
      if (flag !== undefined && !all.some((flags) => flags.has(flag)))
        return [problem(line)(`there is no flag ${flag}`)];
      const [section, ...keys] = /^[a-z_]+(\.[a-z_]+)+$/.test(text) ? text.split('.') : [''];
      if (known.settings.properties[section]?.type !== 'object') return [];
      const value = keys.reduceRight((inner, key) => ({ [key]: inner }), 0);
      return settingProblems({ [section]: value }, known.settings).map(problem(line));
    }),
    ...page.blocks
      .filter(({ language }) => language === 'jsonc')
      .flatMap((block) =>
        settingProblems(parse(block.lines.join('\n'), [], { allowTrailingComma: true }), known.settings).map(
          problem(block.line),
        ),
      ),
  ];
}
