import { python, type Attack } from './attack.ts';

const covered = 'an empty folder is mounted over it';

export const reading: Attack[] = [
  ['ssh', 'cat "$HOME/.ssh/id"', covered],
  ['link', 'ln -s "$HOME/.ssh" k1 && cat k1/id', covered],
  ['hard-link', 'ln "$HOME/.ssh/id" k2 && cat k2', covered],
  ['file', 'grep canary "$HOME/.netrc"', 'an empty file is mounted over it'],
  ['larik-settings', 'grep -r canary "$W/config"', covered],
  ['cwd', 'cd "$HOME/.ssh" && cat /proc/self/cwd/id', covered],
  ['root', 'cat "/proc/1/root$HOME/.ssh/id"', covered],
  ['move', 'mv "$HOME/.ssh" "$HOME/keys" && cat "$HOME/keys/id"', 'it is a mount, and no mount can be moved'],
  ['move-above', 'mv "$HOME" "$HOME-2" && cat "$HOME-2/.ssh/id"', 'the folder above is read-only'],
  ['umount', 'umount "$HOME/.ssh" && cat "$HOME/.ssh/id"', 'no capability is left, and none can be had'],
  ['alias', 'cat "$HOME/.ssh-alias/id"', 'a link to it leads to the mount'],
].map(([name = '', script = '', because = '']) => ({
  id: `read-${name}`,
  threat: 'D2',
  tries: script,
  because,
  script,
}));

export const readingByCalls: Attack[] = [
  {
    id: 'read-keyring',
    threat: 'D2',
    tries: "read a key of the user's session out of the kernel's keyring",
    because: 'the calls for it are filtered',
    script: python(
      "libc = ctypes.CDLL(None, use_errno=True)\nnumber = 250 if os.uname().machine == 'x86_64' else 219\n" +
        "key = libc.syscall(number, 10, -3, b'user', b'larik-canary', 0)\nsys.exit(0 if key > 0 else 1)",
    ),
    needs: ['python3'],
  },
];
