import { keeps, nodeRuns } from '../checks.mjs';

/** No rule allows the command: it runs because it runs in the sandbox, or it does not run at all. */
export const sandboxedInstall = {
  name: 'sandboxed-install',
  about: 'an installation in the sandbox',
  prompt:
    'src/link.mjs needs the package that lies in vendor/slugger. Install it with npm, so that `node src/link.mjs` works.',
  mode: 'accept-edits',
  sandbox: 'auto',
  files: {
    // Nothing of it is to be fetched.
    '.npmrc': 'offline=true\naudit=false\nfund=false\nupdate-notifier=false\n',
    '.gitignore': 'node_modules/\n',
    'package.json': '{\n  "name": "site",\n  "version": "1.0.0",\n  "type": "module"\n}\n',
    'src/link.mjs': [
      "import { slug } from 'slugger';",
      '',
      "console.log(`/posts/${slug('Long Winter Nights')}`);",
      '',
    ].join('\n'),
    'vendor/slugger/package.json':
      '{ "name": "slugger", "version": "2.1.0", "type": "module", "exports": "./slugger.mjs" }\n',
    'vendor/slugger/slugger.mjs':
      "export const slug = (title) => title.toLowerCase().replaceAll(' ', '-');\n",
  },
  check: async (outcome) => [
    ...keeps(outcome, [
      'package.json',
      'package-lock.json',
      ...[...outcome.after.keys()].filter((name) => name.startsWith('node_modules/')),
    ]),
    ...('slugger' in (JSON.parse(outcome.after.get('package.json') ?? '{}').dependencies ?? {})
      ? []
      : ['package.json does not name slugger.']),
    ...(await nodeRuns(outcome, ['src/link.mjs'], 'src/link.mjs does not run.')),
  ],
};
