import { token } from './token.ts';

/** Changes of tracked files, staged or not; files that git does not track; files that it ignores. */
export type UncommittedKind = 'tracked' | 'untracked' | 'ignored';

/** Work in git repositories that no commit holds (spec: permissions, "The guard"). */
export interface UncommittedWork {
  /**
   * Whether the repository that `folder` (absolute) lies in has such work of one of these kinds, below
   * one of `paths` (relative to `folder`; none: anywhere). Null: that could not be told. Runs nothing
   * that the repository's or the user's configuration names, and changes nothing. Never throws.
   */
  has(
    folder: string,
    kinds: readonly UncommittedKind[],
    paths: readonly string[],
    signal?: AbortSignal,
  ): Promise<boolean | null>;
}
export const UncommittedWork = token<UncommittedWork>('UncommittedWork');
