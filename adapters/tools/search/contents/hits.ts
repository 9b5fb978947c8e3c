import type { PathTest } from '../path-pattern.ts';

/** One line of a file that was found, or that stands around one that was. */
export interface HitLine {
  /** Null where the search program did not say. */
  number: number | null;
  text: string;
  isMatch: boolean;
  /** Characters of the line before the match. */
  at?: number;
}

/** What was found in one file. */
export interface FileHits {
  /** Absolute. */
  path: string;
  /** In order; not all, where there are more than were asked for. */
  lines: HitLine[];
  /** Matching lines. */
  count: number;
}

/** What is looked for. */
export interface Search {
  pattern: string;
  mode: 'content' | 'files_with_matches' | 'count';
  ignoreCase: boolean;
  multiline: boolean;
  context: number;
  /** Matching lines of one file that are needed. */
  most: number;
  /** Holds for paths, relative to the root of the search, that are searched at all. */
  wanted: PathTest;
  /** Patterns that say the same, for a program that can use them; perhaps fewer. */
  hints: readonly string[];
}

/** What a search left out. */
export interface SearchProblems {
  /** Files that a rule keeps from being read. */
  denied: number;
  /** Files and folders that the system keeps from being read. */
  shut: number;
  /** Files that are too large for the search without ripgrep. */
  large: number;
}

/** The pattern cannot be searched for; the text says why. */
export class PatternError extends Error {}

/** The pattern takes too long on this file. */
export class SlowPatternError extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`the pattern takes too long on ${path}`);
    this.path = path;
  }
}
