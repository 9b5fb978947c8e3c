import { fold } from '../text/fold.ts';

/** Names that no tool writes, at any depth: what is in them decides what git or an agent runs. */
export const protectedNames: ReadonlySet<string> = new Set(['.git', '.larik', '.claude', '.mcp.json']);

/** What in git's own folder chooses the code that git runs, so that no command changes it either. */
export const protectedGitNames = [
  'hooks',
  'config',
  'config.worktree',
  'commondir',
  'info',
  'modules',
  'worktrees',
] as const;

/** The names that NTFS gives them for old programs; where many begin alike, four hex digits stand in it. */
const shortNames = /^(?:(?:git|larik|claude|(?:gi|la|cl)[\da-f]{4})~\d+|(?:mcp|mc[\da-f]{4})~\d+\.jso)$/;

/** Files that other programs run later; they ask in accept-edits too. */
const runLater = new Set([
  '.npmrc',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.bazelrc',
  '.pre-commit-config.yaml',
  '.husky',
  '.devcontainer',
  '.vscode',
  '.idea',
  '.envrc',
  '.gitmodules',
  '.gitconfig',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.login',
  'config.fish',
]);

/** `path` is named from the project (spec: permissions, "Protected inside a project"). */
export function isProtected(path: string): boolean {
  return foldedParts(path).some((part) => protectedNames.has(part) || shortNames.test(part));
}

/** `path` is named from the project (spec: permissions, "Edits that ask in accept-edits too"). */
export function isRunLater(path: string): boolean {
  return foldedParts(path).some((part) => runLater.has(part) || part.startsWith('.yarnrc'));
}

/** The parts as the most forgiving file system would name them: final dots, blanks and streams are dropped. */
function foldedParts(path: string): string[] {
  return path.split(/[\\/]/).map((part) =>
    fold(part)
      .replace(/:.*$/s, '')
      .replace(/[. ]+$/, ''),
  );
}
