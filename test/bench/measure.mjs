import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const now = () => performance.timeOrigin + performance.now();

/** Bytes of memory that the process has had at most, where the system tells. */
function peakMemory(pid) {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? 0 : Number(kilobytes) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs a Node program to its end: when it began (milliseconds since 1970), how long it took
 * (milliseconds), its peak memory (bytes; 0 where unknown). Throws if it does not end with 0.
 */
export function timed(args, options) {
  return new Promise((resolve, reject) => {
    const began = now();
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let memory = 0;
    let errors = '';
    const sampling = setInterval(() => (memory = Math.max(memory, peakMemory(child.pid))), 5);
    child.stdout.resume();
    child.stderr.on('data', (text) => (errors = `${errors}${text}`.slice(-2000)));
    child.on('error', reject);
    child.on('close', (code) => {
      const took = now() - began;
      clearInterval(sampling);
      if (code === 0) resolve({ began, took, memory });
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${errors}`));
    });
  });
}

export function median(numbers) {
  return percentile(numbers, 0.5);
}

/** The number that such a share of them is not above; the largest for 1. */
export function percentile(numbers, share) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
