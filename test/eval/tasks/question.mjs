import { keeps, says } from '../checks.mjs';

/** An answer that has to be looked up, as the README is wrong; nothing is changed. */
export const question = {
  name: 'question',
  about: 'answer a question without changing anything',
  prompt:
    'On which port does this server listen when no environment variable is set, and which file decides it?',
  mode: 'accept-edits',
  files: {
    'README.md': '# harbour\n\nStart it with `npm start`; it listens on port 3000.\n',
    'package.json':
      '{ "name": "harbour", "type": "module", "scripts": { "start": "node src/server.mjs" } }\n',
    'src/server.mjs': [
      "import { createServer } from 'node:http';",
      "import { settings } from './settings/load.mjs';",
      '',
      "createServer((request, response) => response.end('harbour')).listen(settings.port, settings.host);",
      '',
    ].join('\n'),
    'src/settings/load.mjs': [
      "import { defaults } from './defaults.mjs';",
      '',
      'const port = process.env.HARBOUR_PORT;',
      'export const settings = { ...defaults, ...(port ? { port: Number(port) } : {}) };',
      '',
    ].join('\n'),
    'src/settings/defaults.mjs': "export const defaults = { host: '127.0.0.1', port: 8617 };\n",
  },
  check: (outcome) => [
    ...keeps(outcome),
    ...says(outcome, { 'the port 8617': /8[,.]?617/, 'the file defaults.mjs': /defaults\.mjs/ }),
  ],
};
