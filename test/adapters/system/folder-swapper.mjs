// Swaps the folder argv[2] for a link to argv[3] and back, argv[4] times, as fast as it can. The folder
// waits as argv[2].real meanwhile, the link as argv[2].link. Each stays for a moment, longer or shorter, so
// that a change that takes several steps now and then comes through, and is now and then hit in between.
import { renameSync, rmSync, symlinkSync } from 'node:fs';

const [, , folder, outside, count] = process.argv;
const real = `${folder}.real`;
const link = `${folder}.link`;
symlinkSync(outside, link);

function tryToRemove(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // More was made in it meanwhile.
  }
}

/** A writer may have made a folder where none was in this moment. */
function put(from, to) {
  for (;;) {
    try {
      return renameSync(from, to);
    } catch {
      tryToRemove(to);
    }
  }
}

function stay() {
  const end = performance.now() + Math.random() * 0.4;
  while (performance.now() < end);
}

process.stdout.write('ready\n');
for (let at = 0; at < Number(count); at += 1) {
  put(folder, real);
  put(link, folder);
  stay();
  put(folder, link);
  put(real, folder);
  stay();
}
