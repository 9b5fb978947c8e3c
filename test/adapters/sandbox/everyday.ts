/** What people have an agent run on an ordinary day, and how it ends in the sandbox. */
export interface EverydayRow {
  /** The command line as it is run. */
  command: string;
  /** As the page shows it, where the whole line says less. */
  shown?: string;
  /** Run before, outside the sandbox, as the user would have. */
  setUp?: string;
  /** Run before, in the sandbox, in the background, until it prints `ready`. */
  server?: string;
  /** Programs without which it cannot be tried. */
  needs?: readonly string[];
  /** Seconds after which the call is ended. */
  timeout?: number;
  /** It works, and prints this; or its result names the one switch that makes it work. */
  ends: { works: string | RegExp } | { names: 'sandbox: false' };
  /** For the page: why, or what to know. */
  note?: string;
}

const packageJson = (more: object): string =>
  `cat > package.json <<'X'\n${JSON.stringify({ name: 'a', version: '1.0.0', ...more })}\nX\n`;
const dependency =
  'mkdir -p dep && echo \'{"name":"dep","version":"1.0.0","bin":{"dep":"dep.js"}}\' > dep/package.json\n' +
  'printf \'#!/usr/bin/env node\\nconsole.log("dep runs")\\n\' > dep/dep.js && chmod +x dep/dep.js\n';
const installed = `${dependency}${packageJson({ dependencies: { dep: 'file:dep' } })}npm install --offline --silent\n`;
const outside = 'git init -q --bare "$HOME/bare.git" && git remote add origin "$HOME/bare.git"\n';
const hello = `printf '#include <stdio.h>\\nint main(void){puts("built");return 0;}\\n' > hello.c\n`;
const crate =
  'mkdir -p src && echo \'[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\' > Cargo.toml\n' +
  "echo 'pub fn one() -> i32 { 1 } #[test] fn works() { assert_eq!(one(), 1) }' > src/lib.rs\n";
const web = `node -e "require('http').createServer((q,r)=>r.end('served')).listen(8123,()=>console.log('ready'))"`;
const wheel = `python3 - <<'X'
import zipfile
with zipfile.ZipFile('one-1.0-py3-none-any.whl', 'w') as z:
    z.writestr('one.py', 'print("installed")')
    z.writestr('one-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: one\\nVersion: 1.0\\n')
    z.writestr('one-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: a\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    z.writestr('one-1.0.dist-info/RECORD', '')
X
`;

export const everyday: readonly EverydayRow[] = [
  // Node
  {
    command: 'npm ci',
    setUp: `${installed}rm -r node_modules`,
    needs: ['npm'],
    ends: { works: 'added 1 package' },
    note: 'what its cache holds; for the rest see `npm install`',
  },
  {
    command: 'npm test',
    setUp: packageJson({ scripts: { test: 'node -e "console.log(6*7)"' } }),
    needs: ['npm'],
    ends: { works: '42' },
  },
  {
    command: 'npm run build',
    setUp: packageJson({ scripts: { build: 'mkdir -p dist && echo built > dist/a && cat dist/a' } }),
    needs: ['npm'],
    ends: { works: 'built' },
  },
  {
    command: 'npx dep',
    shown: 'npx PROGRAM',
    setUp: installed,
    needs: ['npx'],
    ends: { works: 'dep runs' },
    note: 'of a program that is installed',
  },
  { command: 'node -e "console.log(6*7)"', ends: { works: '42' } },
  {
    command: 'npm install left-pad',
    shown: 'npm install PACKAGE',
    setUp: packageJson({}),
    needs: ['npm'],
    ends: { names: 'sandbox: false' },
    note: 'no network',
  },
  {
    command: 'npm install --offline',
    shown: 'npm install',
    setUp: `${dependency}${packageJson({ dependencies: { dep: 'file:dep' }, scripts: { prepare: 'git config core.hooksPath .husky' } })}`,
    needs: ['npm'],
    ends: { names: 'sandbox: false' },
    note: 'where a script sets git hooks, as husky does',
  },
  // git
  { command: 'git status --short', setUp: 'echo b > b', ends: { works: '?? b' } },
  {
    command: 'git add -A && git commit -qm "Add b" && git log -1 --format=%s',
    shown: 'git add, git commit',
    setUp: 'echo b > b',
    ends: { works: 'Add b' },
  },
  {
    command: 'echo b > b && git add b && git commit -qm b',
    shown: 'git commit',
    setUp:
      "mkdir -p .git/hooks && printf '#!/bin/sh\\necho checked\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit",
    ends: { works: 'checked' },
    note: 'a hook that is there runs, in the sandbox',
  },
  {
    command: 'git checkout -q -b topic && git branch --show-current',
    shown: 'git checkout -b BRANCH',
    ends: { works: 'topic' },
  },
  {
    command: 'echo c > a && git stash && git stash pop',
    shown: 'git stash',
    ends: { works: 'Saved working directory' },
  },
  {
    command: 'git merge --no-edit topic',
    shown: 'git merge BRANCH',
    setUp:
      'git checkout -q -b topic && echo b > b && git add b && git commit -qm b && git checkout -q main && echo c > c && git add c && git commit -qm c',
    ends: { works: "Merge made by the 'ort' strategy" },
  },
  {
    command: 'git rebase -q main && git log --format=%s',
    shown: 'git rebase BRANCH',
    setUp:
      'git checkout -q -b topic && echo b > b && git add b && git commit -qm topic && git checkout -q main && echo c > c && git add c && git commit -qm c && git checkout -q topic',
    ends: { works: 'topic\nc' },
  },
  {
    command: 'git init -q sub && git -C sub commit -q --allow-empty -m first && git -C sub log --format=%s',
    shown: 'git init FOLDER',
    ends: { works: 'first' },
    note: 'below the project',
  },
  {
    command: 'git push origin main',
    shown: 'git push',
    setUp: outside,
    ends: { names: 'sandbox: false' },
    note: 'to a folder outside; to a server for want of a network',
  },
  {
    command: 'git push -u origin main',
    shown: 'git push -u',
    setUp: outside,
    ends: { names: 'sandbox: false' },
  },
  {
    command: 'git remote add origin https://example.com/a.git',
    shown: 'git remote add',
    ends: { names: 'sandbox: false' },
    note: '`.git/config` stays as it is',
  },
  {
    command: 'git config user.name Me',
    shown: 'git config',
    ends: { names: 'sandbox: false' },
    note: 'likewise',
  },
  { command: 'git worktree add -q ../other', shown: 'git worktree add', ends: { names: 'sandbox: false' } },
  {
    command: 'git commit -q --allow-empty -S -m signed',
    shown: 'git commit -S',
    setUp: 'mkdir -p ~/.gnupg',
    needs: ['gpg'],
    ends: { names: 'sandbox: false' },
    note: 'keys are hidden',
  },
  // Python
  {
    command: 'python3 -m venv env && env/bin/python -c "print(6*7)"',
    shown: 'python -m venv',
    needs: ['python3'],
    ends: { works: '42' },
  },
  {
    command: 'env/bin/pip install -q --no-index ./one-1.0-py3-none-any.whl && env/bin/python -m one',
    shown: 'pip install ./PACKAGE',
    setUp: `python3 -m venv env\n${wheel}`,
    needs: ['python3'],
    ends: { works: 'installed' },
    note: 'into a virtual environment',
  },
  {
    command: 'python3 -m unittest',
    setUp:
      "printf 'import unittest\\nclass A(unittest.TestCase):\\n  def test_a(self): self.assertEqual(1, 1)\\n' > test_a.py",
    needs: ['python3'],
    ends: { works: 'Ran 1 test' },
  },
  {
    command: 'env/bin/pip install --retries 0 requests',
    shown: 'pip install PACKAGE',
    setUp: 'python3 -m venv env',
    needs: ['python3'],
    ends: { names: 'sandbox: false' },
    note: 'no network',
  },
  // Others that build
  { command: 'cargo test --offline', setUp: crate, needs: ['cargo'], ends: { works: '1 passed' } },
  {
    command: 'gcc hello.c -o hello && ./hello',
    shown: 'gcc',
    setUp: hello,
    needs: ['gcc'],
    ends: { works: 'built' },
  },
  {
    command: 'make',
    setUp: `${hello}printf 'all:\\n\\t$(CC) hello.c -o hello && ./hello\\n' > Makefile`,
    needs: ['make', 'gcc'],
    ends: { works: 'built' },
  },
  {
    command: 'cmake -B build && cmake --build build',
    setUp: `${hello}printf 'cmake_minimum_required(VERSION 3.10)\\nproject(a C)\\nadd_executable(hello hello.c)\\n' > CMakeLists.txt`,
    needs: ['cmake', 'make', 'gcc'],
    ends: { works: 'Built target hello' },
  },
  {
    command: 'go build ./... && go test ./...',
    setUp: "printf 'module a\\n' > go.mod && printf 'package a\\n' > a.go",
    needs: ['go'],
    ends: { works: 'no test files' },
  },
  {
    command: 'echo x > ~/.m2/repository/x && cat ~/.m2/repository/x',
    shown: 'mvn, gradle, go …',
    setUp: 'mkdir -p ~/.m2/repository',
    ends: { works: 'x' },
    note: 'filling caches that exist',
  },
  // Servers
  {
    command: 'curl -s http://localhost:8123/',
    shown: 'curl http://localhost:PORT',
    server: web,
    needs: ['curl'],
    ends: { works: 'served' },
    note: 'of a server that an earlier call started in the background',
  },
  {
    command: `${web} > log & until grep -q ready log; do sleep 0.05; done; curl -s http://localhost:8123/`,
    shown: 'SERVER & curl …',
    needs: ['curl'],
    ends: { works: 'served' },
    note: 'in one call; the server ends with it',
  },
  {
    command: 'curl -sS http://localhost:9/',
    shown: 'curl http://localhost:PORT',
    needs: ['curl'],
    ends: { names: 'sandbox: false' },
    note: 'of a server that runs outside',
  },
  { command: 'curl -sS https://example.com', needs: ['curl'], ends: { names: 'sandbox: false' } },
  {
    command: '(echo > /dev/tcp/192.0.2.1/80) && echo reached',
    shown: 'echo > /dev/tcp/HOST/PORT',
    ends: { names: 'sandbox: false' },
  },
  {
    command: 'ssh -o BatchMode=yes example.com true',
    shown: 'ssh HOST',
    needs: ['ssh'],
    ends: { names: 'sandbox: false' },
  },
  {
    command: 'docker ps',
    needs: ['docker'],
    ends: { names: 'sandbox: false' },
    note: 'its socket is hidden',
  },
  { command: 'sudo true', shown: 'sudo …', needs: ['sudo'], ends: { names: 'sandbox: false' } },
  // Files and processes
  { command: 'mktemp', ends: { works: /\/larik-/ } },
  {
    command: 'mkdir "$TMPDIR/a" && echo kept > /tmp/a/b && cat "$TMPDIR/a/b"',
    shown: 'mkdir $TMPDIR/…',
    ends: { works: 'kept' },
    note: '`/tmp` is the same private folder',
  },
  {
    command: 'mkdir -p ~/.cache/tool && echo x > ~/.cache/tool/x',
    shown: 'echo x > ~/.cache/…',
    ends: { names: 'sandbox: false' },
    note: 'or `sandbox.writable` in the settings',
  },
  {
    command: 'sqlite3 a.db "create table a(b); insert into a values (42); select * from a"',
    shown: 'sqlite3 FILE',
    needs: ['sqlite3'],
    ends: { works: '42' },
  },
  { command: 'tar czf a.tgz a && tar tzf a.tgz', shown: 'tar', ends: { works: 'a' } },
  {
    command: 'seq 300000 | sort -rn -S 1M -T /tmp | head -1',
    shown: 'sort',
    ends: { works: '300000' },
    note: 'of much, by files in `/tmp`',
  },
  { command: 'flock a -c "echo locked"', shown: 'flock', needs: ['flock'], ends: { works: 'locked' } },
  {
    command: 'ps -e | grep -c .',
    shown: 'ps',
    ends: { works: /\n[3-9]\n/ },
    note: 'shows the processes of the call',
  },
  {
    command: 'sleep 100 & kill $! && wait $! || echo ended',
    shown: 'kill',
    ends: { works: 'ended' },
    note: 'of what the call started',
  },
  {
    command: 'trap "echo tidied; exit" TERM; echo begun; sleep 100 & wait',
    shown: 'trap … TERM',
    timeout: 1,
    ends: { works: 'tidied' },
    note: 'at the time limit, within 0.4 s',
  },
];
