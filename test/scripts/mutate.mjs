// Changes the domain's decisions in small ways, and shows which changes no test of the domain notices.
// Takes minutes. Options go to Stryker, which lies apart from the project's packages: --mutate FILE, --concurrency N.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, 'test', 'mutation');
const stryker = join(folder, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');

function run(command, args, cwd) {
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status ?? 1;
}

if (!existsSync(stryker)) {
  const npm = process.env['npm_execpath'];
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const status =
    npm === undefined ? run('npm', install, folder) : run(process.execPath, [npm, ...install], folder);
  if (status !== 0) process.exit(status);
}
// Outside the project, so that nothing else takes the changed copies for its files.
const scratch = mkdtempSync(join(tmpdir(), 'larik-mutation-'));
try {
  const config = join('test', 'mutation', 'stryker.config.json');
  const options = ['--tempDirName', scratch, ...process.argv.slice(2)];
  process.exitCode = run(process.execPath, [stryker, 'run', config, ...options], root);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
