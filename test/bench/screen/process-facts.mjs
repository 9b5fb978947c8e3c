import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether the system tells of processes in the way of Linux. */
export const tellsOfProcesses = existsSync('/proc/self/stat');

/** Milliseconds of a tick, in which the system counts (`getconf CLK_TCK`: 100 a second on every Linux). */
const tick = 10;

/** Milliseconds of processor time that a process has had so far. */
export function processorTime(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) * tick;
}

/** How often the threads of a process have waited for something so far. */
export function waits(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}

/** Bytes that a process has in memory now. */
export function residentMemory(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
