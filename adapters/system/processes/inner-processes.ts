import { readdirSync, readFileSync } from 'node:fs';

/**
 * The processes that run in a sandbox whose outermost process is `outer` (Linux): what its first inner
 * process, which only collects the others, has started. None where the system does not say.
 */
export function innerProcesses(outer: number): number[] {
  return childrenOf(outer).flatMap(descendantsOf);
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((one) => one !== '')
        .map(Number),
    );
  } catch {
    return []; // It ended meanwhile.
  }
}
