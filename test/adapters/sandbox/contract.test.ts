import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Bubblewrap } from '../../../adapters/sandbox/bubblewrap.ts';
import { noSandbox } from '../../../adapters/sandbox/none.ts';
import { takeFileLock } from '../../../adapters/system/file-lock.ts';
import { searchProgram } from '../../../adapters/system/processes/program-search.ts';
import { testSandbox, type SandboxTrial } from '../../../plugins/testing/contracts/sandbox-contract.ts';
import { fakeSandbox } from '../../../plugins/testing/fakes/fake-sandbox.ts';
import type { Sandbox } from '../../../ports/sandbox.ts';
import { isInstalled } from '../../installed.ts';

const kit = { describe, it, expect };

async function trial(make: (cwd: string) => Sandbox): Promise<SandboxTrial> {
  const cwd = await mkdtemp('/var/tmp/larik-sandbox-');
  return { sandbox: make(cwd), cwd, end: () => rm(cwd, { recursive: true, force: true }) };
}

testSandbox('none', kit, () => trial(() => noSandbox()));
testSandbox('the fake', kit, () => trial(() => fakeSandbox()));

describe.skipIf(!isInstalled('bwrap'))('with bwrap', () => {
  testSandbox('bubblewrap', kit, () =>
    trial(
      (cwd) =>
        new Bubblewrap({
          program: searchProgram('bwrap', process.env['PATH'], null),
          nsenter: () => searchProgram('nsenter', process.env['PATH'], null),
          project: cwd,
          home: cwd,
          notes: join(cwd, 'notes'),
          denyRead: [],
          writable: [],
          own: [],
          protectedNames: { project: ['.git'], git: [] },
          env: [],
          network: false,
          required: false,
          environment: {},
          lock: takeFileLock,
        }),
    ),
  );
});
