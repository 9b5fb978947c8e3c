import { ownMounts, python, readOnly, type Attack } from './attack.ts';

/** Names that decide what git or an agent runs, as they lie in the project of the suite. */
export const keptNames = [
  '.git/hooks',
  '.git/config',
  '.git/config.worktree',
  '.git/commondir',
  '.git/info',
  '.git/modules',
  '.git/worktrees',
  '.larik',
  '.claude',
  '.mcp.json',
  'packages/a/.claude',
  'packages/a/.larik',
  'packages/a/.mcp.json',
  'library/.git',
] as const;

const ways: readonly [name: string, tries: string, script: (path: string) => string][] = [
  ['write', 'write to', (path) => `echo x >> ${path} || echo x > ${path}/x`],
  ['truncate', 'empty', (path) => `truncate -s 3 ${path} || truncate -s 3 ${path}/x`],
  ['chmod', 'change the rights of', (path) => `chmod 777 ${path}`],
  ['create', 'create something at or below', (path) => `mkdir -p ${path}/new || (set -C; echo x > ${path})`],
  ['move', 'move away', (path) => `mv ${path} moved-$BASHPID`],
  ['overwrite', 'move a file over', (path) => `echo x > f-$BASHPID && mv -f -T f-$BASHPID ${path}`],
  ['link', 'put a link in place of', (path) => `ln -sfn /etc ${path} && [ -L ${path} ]`],
  ['remove', 'remove', (path) => `rm -r ${path}`],
  ['replace', 'put another in place of', (path) => `mkdir r-$BASHPID && mv -T r-$BASHPID ${path}`],
];

export const kept: Attack[] = keptNames.flatMap((path) =>
  ways.map(([name, tries, script]) => ({
    id: `${name}-${path}`,
    threat: path.startsWith('.git/') ? 'B5' : 'B6',
    tries: `${tries} ${path}`,
    because: ownMounts,
    script: script(path),
  })),
);

export const ancestors: Attack[] = [
  {
    id: 'move-git',
    threat: 'B8',
    tries: "move .git away and make one's own",
    because: '.git is a mount, and no mount can be moved',
    script: 'mv .git x && mkdir -p .git/hooks',
  },
  {
    id: 'exchange-git',
    threat: 'B8',
    tries: 'exchange .git for another folder',
    because: '.git is a mount, and no mount can be moved',
    script: `mkdir ex; ${python(
      "libc = ctypes.CDLL(None, use_errno=True)\nnumber = 316 if os.uname().machine == 'x86_64' else 276\n" +
        "sys.exit(0 if libc.syscall(number, -100, b'.git', -100, b'ex', 2) == 0 else 1)",
    )}`,
    needs: ['python3'],
  },
  {
    id: 'move-project',
    threat: 'B8',
    tries: 'move the project itself away',
    because: readOnly,
    script: 'mv "$P" "$P-moved"',
  },
  {
    id: 'move-folder',
    threat: 'B8',
    tries: 'move the folder above a protected one',
    because: 'a folder with mounts in it cannot be moved',
    script: 'mv packages/a packages/b && mkdir -p packages/a/.claude',
  },
];

/** To be tried before the rest, which would leave git nothing to work with. */
export const byGit: Attack[] = [
  ['init', 'git init "$P" --template="$W/sibling" && [ -e .git/hooks/evil ]'],
  ['config', 'git config core.fsmonitor evil'],
  ['config-worktree', 'git config extensions.worktreeConfig true && git config --worktree core.pager evil'],
  ['remote', 'git remote add evil /x'],
  ['worktree', 'git worktree add wt'],
  ['submodule', 'git -c protocol.file.allow=always submodule add "$P" sub'],
  ['mv-hooks', 'git config core.hooksPath evil'],
].map(([name = '', script = '']) => ({
  id: `git-${name}`,
  threat: 'B5',
  tries: script,
  because: ownMounts,
  script,
  needs: ['git'],
}));
