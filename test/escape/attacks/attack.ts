/**
 * One attack on the sandbox. `script` runs in it, by bash, in the project; it ends with 0 where the
 * attack worked. What else must not have happened, `world.ts` looks at from outside.
 */
export interface Attack {
  id: string;
  /** Row of the threat table. */
  threat: string;
  tries: string;
  because: string;
  script: string;
  /** Programs without which it cannot be tried. */
  needs?: readonly string[];
}

/** What must go on working in the same sandbox: `script` ends with 0. */
export interface Twin {
  id: string;
  allows: string;
  script: string;
  needs?: readonly string[];
}

export const python = (code: string): string =>
  `"$PYTHON" -IS - <<'PY'\nimport ctypes, os, sys, socket\n${code}\nPY`;

export const readOnly = 'all but the project is mounted read-only';
export const ownMounts = 'what is protected is mounted over itself, read-only';
export const noCapability = 'no capability is left, and none can be had';
export const ownProcesses = 'it has a numbering of processes of its own';
