import { spawn } from 'node:child_process';
import { innerProcesses } from './inner-processes.ts';
import { Reaper } from './reaper.ts';

/** Milliseconds between TERM and KILL. */
const termGrace = 400;
/** Milliseconds after KILL for which the end is waited for; a zombie that nobody collects stays. */
const killWait = 300;
/** Milliseconds between two looks, which grow up to this. */
const longestStep = 20;

/** True while a process of the group is there. */
export function groupLives(leader: number): boolean {
  if (process.platform === 'win32') return false;
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM';
  }
}

/** Signals the whole group; one that is gone is fine. */
function signalGroup(leader: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
      'error',
      () => undefined, // Gone already, or nothing that could be done.
    );
    return;
  }
  try {
    process.kill(-leader, signal);
  } catch {
    // Gone already.
  }
}

/**
 * Ends the group: TERM, a short wait, KILL. Resolves when it is gone. A sandbox ends at once and takes
 * all with it, so `sandboxed` gives the TERM to what runs in it, and lets it go by itself.
 */
export async function endGroup(leader: number, sandboxed = false): Promise<void> {
  const inside = sandboxed ? innerProcesses(leader) : [];
  for (const one of inside) terminate(one);
  if (inside.length === 0) signalGroup(leader, 'SIGTERM');
  if (await goneWithin(leader, termGrace)) return;
  signalGroup(leader, 'SIGKILL');
  await goneWithin(leader, killWait);
}

function terminate(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // Gone already.
  }
}

async function goneWithin(leader: number, ms: number): Promise<boolean> {
  const end = performance.now() + ms;
  for (let step = 1; groupLives(leader); step = Math.min(step * 2, longestStep)) {
    if (performance.now() >= end) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, step);
    });
  }
  return true;
}

/** Milliseconds between two looks at which groups are gone. */
const lookEvery = 1000;

/** Leaders of groups that do not outlive larik. */
const watched = new Set<number>();
const reaper = new Reaper();
let looking: NodeJS.Timeout | undefined;
let isListening = false;

/** To be called before a group is started that `watchGroup` will be told of. */
export function readyToWatch(): void {
  reaper.start();
}

/** Sees to it that the group does not outlive larik, whichever way that ends. */
export function watchGroup(leader: number): void {
  reaper.add(leader);
  watched.add(leader);
  looking ??= setInterval(forgetGone, lookEvery).unref();
  if (isListening) return;
  isListening = true;
  process.on('exit', () => {
    for (const one of watched) signalGroup(one, 'SIGKILL');
  });
}

/** The group is gone; its number may soon be another's. */
export function forgetGroup(leader: number): void {
  watched.delete(leader);
  reaper.remove(leader);
  if (watched.size > 0) return;
  clearInterval(looking);
  looking = undefined;
}

/** Nothing more is started for now. */
export function restFromWatching(): void {
  forgetGone();
  reaper.rest();
}

/** Groups that commands left behind end when nobody waits for them. */
function forgetGone(): void {
  for (const one of watched) if (!groupLives(one)) forgetGroup(one);
}
