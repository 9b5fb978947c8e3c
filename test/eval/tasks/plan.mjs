import { keeps, says } from '../checks.mjs';

/** A plan names the places that would change, and changes none. */
export const plan = {
  name: 'plan',
  about: 'a plan, with nothing changed',
  prompt: 'Plan how this program gets an option `--json` that prints the report as JSON.',
  mode: 'plan',
  files: {
    'package.json': '{ "name": "counts", "type": "module", "bin": { "counts": "src/cli.mjs" } }\n',
    'src/cli.mjs': [
      '#!/usr/bin/env node',
      "import { count } from './count.mjs';",
      "import { render } from './render.mjs';",
      '',
      'console.log(render(count(process.argv.slice(2))));',
      '',
    ].join('\n'),
    'src/count.mjs': [
      '/** How often each word occurs. */',
      'export function count(words) {',
      '  const counts = new Map();',
      '  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);',
      '  return counts;',
      '}',
      '',
    ].join('\n'),
    'src/render.mjs': [
      "export const render = (counts) => [...counts].map(([word, n]) => `${n}\\t${word}`).join('\\n');",
      '',
    ].join('\n'),
  },
  check: (outcome) => {
    // The plan may stand in the answer, or in the call that presents it.
    const presented = outcome.calls.filter((call) => call.name === 'exit_plan_mode');
    const answer = [...presented.map((call) => JSON.stringify(call.input)), outcome.answer].join('\n');
    return [
      ...keeps(outcome),
      ...says({ ...outcome, answer }, { 'where options are read': /cli\.mjs/, 'where it prints': /render/ }),
    ];
  },
};
