import { describe, expect, it } from 'vitest';
import { sandboxHint } from '../../../../adapters/tools/shell/sandbox-hint.ts';

const file = (path: string): string =>
  `The sandbox may have denied ${path}: write in the project or in \`$TMPDIR\`, or call again with \`sandbox: false\` and a \`description\` that says why.`;
const network = (what: string): string =>
  `The sandbox cuts ${what}, and programs outside it are not reached either: if it is needed, call again with \`sandbox: false\` and a \`description\` that says why.`;
const git =
  "The sandbox keeps git's hooks and configuration as they are: if the command has to change them, call it again with `sandbox: false` and a `description` that says why.";

describe('the hint of a command that failed in the sandbox', () => {
  it.each([
    ['bash', 'bash: line 1: /etc/x: Read-only file system', file('`/etc/x`')],
    ['touch', "touch: cannot touch '/usr/x': Read-only file system", file('`/usr/x`')],
    ['mkdir', 'mkdir: cannot create directory ‘/opt/a’: Read-only file system', file('`/opt/a`')],
    ['node', "Error: EROFS: read-only file system, open '/home/kim/x'", file('`/home/kim/x`')],
    [
      'npm',
      "npm error code EACCES\nnpm error EACCES: permission denied, mkdir '/usr/lib/x'",
      file('`/usr/lib/x`'),
    ],
    ['python', "OSError: [Errno 30] Read-only file system: '/etc/x'", file('`/etc/x`')],
    ['cat', 'cat: /home/kim/.netrc: Permission denied', file('`/home/kim/.netrc`')],
    ['curl', 'curl: (6) Could not resolve host: example.com', network('the way to `example.com`')],
    ['npm', 'npm error getaddrinfo EAI_AGAIN registry.npmjs.org', network('the way to `registry.npmjs.org`')],
    [
      'git',
      "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com",
      network('the way to `github.com`'),
    ],
    ['pip', '[Errno -3] Temporary failure in name resolution', network('the network')],
    ['psql', 'Error: connect ECONNREFUSED 127.0.0.1:5432', network('the way to `127.0.0.1`')],
    ['ping', 'connect: Network is unreachable', network('the network')],
  ])('names what was denied: %s', (_, output, expected) => {
    expect(sandboxHint('x', output)).toBe(expected);
  });

  it.each([
    ['git init', "fatal: cannot copy '/usr/share/x' to '/p/.git/hooks': Read-only file system"],
    ['git remote add origin x', 'error: could not lock config file .git/config: Device or resource busy'],
    ['git push -u origin main', 'error: could not write config file .git/config: Device or resource busy'],
    [
      'cd a && git config user.name x',
      'error: could not write config file .git/config: Device or resource busy',
    ],
    [
      'git worktree add ../x',
      "fatal: could not create directory of '.git/worktrees/x': Read-only file system",
    ],
  ])('says that git files are kept: %s', (command, output) => {
    expect(sandboxHint(command, output)).toBe(git);
  });

  it('is silent where the sandbox has no part in it', () => {
    for (const output of [
      '',
      'x: command not found',
      'AssertionError: 1 != 2',
      'No such file or directory',
    ]) {
      expect(sandboxHint('npm test', output)).toBeNull();
    }
  });
});
