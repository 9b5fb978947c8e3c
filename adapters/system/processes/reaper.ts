import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/**
 * Reads `+ group` and `- group` from its standard input. The end of the input means that larik is gone,
 * however it ended: what is listed then gets TERM, and what is left of it soon after KILL.
 */
const script = `trap '' HUP INT QUIT TERM PIPE
all=
while read -r sign group; do
  left=
  for one in $all; do [ "$one" = "$group" ] || left="$left $one"; done
  all=$left
  [ "$sign" = + ] && all="$all $group"
done
for one in $all; do kill -s TERM -- "-$one"; done
for tick in 1 2 3 4 5 6 7 8; do
  left=
  for one in $all; do kill -s 0 -- "-$one" && left="$left $one"; done
  all=$left
  [ -n "$all" ] || exit 0
  sleep 0.05 || sleep 1
done
for one in $all; do kill -s KILL -- "-$one"; done`;

/**
 * Ends process groups when larik itself no longer can: a shell beside larik, in a session of its own,
 * so that neither Ctrl-C nor a closed terminal reaches it (spec: quality, "No orphan process"). It
 * holds no folder, no variable and no pipe of larik's but the one that it reads. A process that left
 * its group, as with setsid, it does not find.
 */
export class Reaper {
  #process: ChildProcess | null = null;
  readonly #groups = new Set<number>();

  /** Starts the shell if there is none; waits for nothing. */
  start(): void {
    if (this.#process !== null || process.platform === 'win32') return;
    let child: ChildProcess;
    try {
      child = spawn('/bin/sh', ['-c', script], {
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
        stdio: ['pipe', 'ignore', 'ignore'],
        detached: true,
      });
    } catch {
      return; // Too many processes or files: the next command tries again.
    }
    const gone = (): void => {
      if (this.#process === child) this.#process = null;
    };
    child.on('error', gone).on('exit', gone);
    child.stdin?.on('error', gone);
    child.unref();
    (child.stdin as unknown as { unref?(): void } | null)?.unref?.();
    this.#process = child;
    for (const group of this.#groups) this.#tell('+', group);
  }

  /** From now on the group ends with larik. Written at once: a socket with room takes it in the call. */
  add(group: number): void {
    this.#groups.add(group);
    this.#tell('+', group);
  }

  /** The group is gone, and its number may soon be another's. */
  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell('-', group);
  }

  /** Lets the shell end unless it still has groups to see to. */
  rest(): void {
    if (this.#groups.size > 0) return;
    this.#process?.stdin?.end();
    this.#process = null;
  }

  #tell(sign: '+' | '-', group: number): void {
    this.#process?.stdin?.write(`${sign} ${group}\n`);
  }
}
