import { execFile } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../package.json';
import { pack, startRegistry } from './registry.ts';
import { root } from './root.ts';

const execute = promisify(execFile);
const windows = process.platform === 'win32';

let scratch: string;
let folder: string;
let registry: Awaited<ReturnType<typeof startRegistry>>;

/** Only what a stranger's machine has: no setting of npm and no variable of ours comes along. */
function environment(): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: join(scratch, 'home'),
    LARIK_HOME: join(scratch, 'home', 'larik'),
    LANG: 'C.UTF-8',
    npm_config_cache: join(scratch, 'cache'),
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
    ...(windows ? { SystemRoot: process.env['SystemRoot'] ?? '' } : {}),
  };
}

async function run(command: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: environment(), shell: windows };
  return (await execute(command, args, options)).stdout;
}

async function installed(): Promise<{ path: string; bytes: number }[]> {
  const entries = await readdir(join(folder, 'node_modules'), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, bytes: (await lstat(path)).size })));
}

beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'larik-package-')));
  folder = join(scratch, 'project');
  await mkdir(join(scratch, 'home'));
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{"name": "shop", "private": true, "type": "module"}');
  await writeFile(join(folder, 'notes.txt'), 'a note\n');
  registry = await startRegistry(scratch);
  const tarball = await pack(root, scratch);
  await run('npm', 'install', '--no-audit', '--no-fund', tarball);
}, 120_000);

afterAll(async () => {
  await registry.stop();
  await rm(scratch, { recursive: true, force: true });
});

describe('the package, installed in an empty folder', () => {
  it('is at most 30 packages and 40 MB, and runs no script', async () => {
    const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: boolean; version?: string }>;
    };
    const files = await installed();
    const packages = files.filter(({ path }) =>
      /[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+[\\/]package\.json$/.test(path),
    );
    const scripts = Object.entries(lock.packages).filter(([, each]) => each.hasInstallScript === true);
    expect(packages.length).toBeGreaterThan(1);
    expect(packages.length).toBeLessThanOrEqual(30);
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(40_000_000);
    expect(scripts).toEqual([]);
  });

  it('holds the program, the types, the pages and the licences, and nothing else', async () => {
    const home = join(folder, 'node_modules/larik');
    const files = (await installed()).map(({ path }) => path).filter((path) => path.startsWith(home));
    const names = files.map((path) => path.slice(home.length + 1).replaceAll('\\', '/'));
    const other = names.filter(
      (name) => !/^(dist\/([\w.-]+\/)?[\w.-]+\.([cm]?js|d\.mts|json)|docs\/.+)$/.test(name),
    );
    expect(other.sort()).toEqual([
      'ARCHITECTURE.md',
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'package.json',
    ]);
    expect(names).toEqual(
      expect.arrayContaining(['dist/main.js', 'dist/index.d.mts', 'docs/permissions.md']),
    );
    for (const file of files.filter((path) => path.endsWith('js'))) {
      expect((await readFile(file, 'utf8')).includes(resolve(root)), `${file} names the build's folder`).toBe(
        false,
      );
    }
  });

  it('lists the licence of every package that is bundled', async () => {
    const text = await readFile(join(folder, 'node_modules/larik/dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const names = [...text.matchAll(/^(\S+) \d+\.\S+ \((\S+)\)$/gm)].map(([, name]) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        '@anthropic-ai/sdk',
        'openai',
        'tsyringe',
        'reflect-metadata',
        'unbash',
        'zod',
      ]),
    );
    expect(text).toContain('Permission is hereby granted');
  });

  it('gives the command larik', async () => {
    expect(await run('npx', '--no-install', 'larik', '--version')).toBe(`${version}\n`);
    const answer = await run(
      'npx',
      '--no-install',
      'larik',
      '-p',
      'summarise this folder',
      '--model',
      'demo/demo',
    );
    expect(answer).toContain('`shop`');
  });

  it('gives three modules to other programs', async () => {
    const program = `
      import { openSession } from 'larik';
      import { defineTool, z } from 'larik/plugin';
      import * as testing from 'larik/testing';
      const tool = defineTool({
        name: 'stock',
        description: 'How much is left.',
        effect: 'read',
        input: z.object({ item: z.string() }),
        run: async () => ({ content: '3' }),
      });
      const session = await openSession({ model: 'demo/demo', keep: false, tools: [tool] });
      let text = '';
      for await (const event of session.prompt('summarise this folder', new AbortController().signal)) {
        if (event.type === 'permission_request') session.answer(event.request_id, { allow: false });
        if (event.type === 'text_delta') text += event.text;
      }
      await session.dispose();
      console.log(JSON.stringify([Object.keys(testing).length > 0, text.includes('shop')]));
    `;
    await writeFile(join(folder, 'embed.mjs'), program);
    expect(await run('node', 'embed.mjs')).toBe('[true,true]\n');
  });

  it('has types', async () => {
    const lines = [
      `import { openSession, type AgentEvent } from 'larik';`,
      `import { defineTool, z } from 'larik/plugin';`,
      `export const tool = defineTool({ name: 'a', description: 'b', effect: 'read', input: z.object({ c: z.string() }), run: async ({ c }) => ({ content: c.trim() }) });`,
      `for await (const event of (await openSession({ tools: [tool] })).prompt('d', new AbortController().signal)) { const same: AgentEvent = event; console.log(same.type); }`,
      `// @ts-expect-error: a mode that is none`,
      `void openSession({ mode: 'bold' });`,
    ];
    await writeFile(join(folder, 'embed.ts'), lines.join('\n'));
    const typescript = join(root, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node'];
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext', ...types];
    const printed = await run('node', typescript, ...options, 'embed.ts').catch(
      (error: { stdout: string }) => error.stdout,
    );
    expect(printed).toBe('');
  }, 180_000);
});
