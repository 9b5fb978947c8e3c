import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** They print only texts of their own, before anything else is loaded. */
const ownTexts = ['apps/main.ts', 'apps/start-up/program.ts'];

/** It names terminals as devices that commands may use. */
const devices = 'adapters/sandbox/seatbelt-profile.ts';

it('everything on its way to a terminal goes through an output stream', () => {
  const files = ['apps', 'adapters', 'domain', 'plugins', 'ports'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  const direct = /process\.std(?:out|err)\.(?:write|end)\(|\bconsole\.|\/dev\/(?:tty|stdout|stderr)/;
  const found = files.filter((file) => direct.test(readFileSync(join(root, file), 'utf8')));
  expect(found.sort()).toEqual([devices, ...ownTexts]);
});
