import { noCapability, ownProcesses, python, type Attack } from './attack.ts';

/** Makes a system call whose arguments are nothing; it must be refused, not merely find them wrong. */
const refusedCall = (number: number): string =>
  python(
    `libc = ctypes.CDLL(None, use_errno=True)\nlibc.syscall(${number}, -1, 0, 0, 0, 0, 0)\n` +
      'sys.exit(1 if ctypes.get_errno() in (1, 38) else 0)',
  );

/** Tells whether it has any capability. */
const capable = 'grep -q CapEff:.*[1-9a-f] /proc/self/status';

export const privileges: Attack[] = [
  ...[
    ['userns', 'unshare -U true'],
    ['userns-mount', 'unshare -Urm mount -t tmpfs x /mnt'],
    ['mount', 'mount -t tmpfs x /mnt'],
    ['bind', 'mount --bind "$P" "$W/sibling"'],
    ['remount', 'mount -o remount,rw /'],
    ['umount', 'umount .git/hooks || umount -l .git'],
    ['pivot', 'pivot_root . packages'],
    ['chroot', 'chroot / true'],
    ['nsenter', 'nsenter -t 1 -m -p true'],
    ['sudo', `sudo -n ${capable}`],
    ['su', `su root -c '${capable}' </dev/null`],
    ['mknod', 'mknod device b 8 0'],
    ['hostname', 'hostname escaped'],
    ['time', 'date -s "$(date)"'],
    ['nice', 'renice -n -5 $$'],
    ['firewall', 'iptables -L || nft list ruleset'],
    ['module', 'modprobe dummy'],
  ].map(([name = '', script = '']) => ({
    id: `right-${name}`,
    threat: 'D8',
    tries: script,
    because: noCapability,
    script,
  })),
  {
    id: 'right-setuid',
    threat: 'D8',
    tries: 'gain rights by a program with the setuid bit',
    because: 'the sandbox allows no new privileges, and the bit has no effect in it',
    script: 'grep -q "NoNewPrivs:.*0" /proc/self/status || grep -q "CapBnd:.*[1-9a-f]" /proc/self/status',
  },
  {
    id: 'right-setns',
    threat: 'D8',
    tries: 'enter the namespaces of another process by /proc/*/ns',
    because: `${ownProcesses}, and ${noCapability}`,
    script: python(
      'libc = ctypes.CDLL(None, use_errno=True)\nworked = 1\nfor pid in os.listdir("/proc"):\n' +
        '    if not pid.isdigit(): continue\n    try: fd = os.open("/proc/%s/ns/mnt" % pid, os.O_RDONLY)\n' +
        '    except OSError: continue\n    worked = worked and (libc.setns(fd, 0) != 0)\nsys.exit(1 if worked else 0)',
    ),
    needs: ['python3'],
  },
  ...[
    ['core_pattern', '/proc/sys/kernel/core_pattern'],
    ['modprobe', '/proc/sys/kernel/modprobe'],
    ['dmesg', '/proc/sys/kernel/printk'],
    ['userns', '/proc/sys/user/max_user_namespaces'],
    ['hugepages', '/sys/kernel/mm/transparent_hugepage/enabled'],
    ['uevent', '/sys/kernel/uevent_helper'],
  ].map(([name = '', path = '']) => ({
    id: `setting-${name}`,
    threat: 'D8',
    tries: `write to ${path}`,
    because: '/proc/sys and /sys are read-only',
    script: `exec 7>>${path}`,
  })),
  {
    id: 'setting-sysrq',
    threat: 'D8',
    tries: 'write to /proc/sysrq-trigger',
    because: 'it is read-only',
    script: '[ -e /proc/sysrq-trigger ] && echo h > /proc/sysrq-trigger',
  },
  {
    id: 'setting-cgroup',
    threat: 'D8',
    tries: 'make a cgroup, or name a release agent',
    because: '/sys is read-only',
    script:
      'for folder in $(find /sys/fs/cgroup -maxdepth 2 -type d); do mkdir $folder/escaped && exit 0; ' +
      '[ -e $folder/release_agent ] && echo x > $folder/release_agent && exit 0; done; exit 1',
  },
  ...[
    ['kmsg', '/dev/kmsg'],
    ['mem', '/dev/mem'],
    ['input', '/dev/input/event0'],
    ['dri', '/dev/dri/card0'],
    ['disk', '/dev/sda /dev/vda /dev/nvme0n1'],
    ['fuse', '/dev/fuse'],
    ['kvm', '/dev/kvm'],
    ['loop', '/dev/loop-control'],
    ['kcore', '/proc/kcore'],
  ].map(([name = '', paths = '']) => ({
    id: `device-${name}`,
    threat: 'D8',
    tries: `read ${paths}`,
    because: '/dev is its own, with the harmless devices only',
    script: `for path in ${paths}; do head -c 1 $path && exit 0; done; exit 1`,
  })),
];

/** Numbers of system calls on x64 and arm64. */
const kernelCalls: readonly [name: string, x64: number, arm64: number][] = [
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['io_uring_setup', 425, 425],
  ['finit_module', 313, 273],
  ['kexec_load', 246, 104],
  ['clone3', 435, 435],
];

export const kernel: Attack[] = [
  ...kernelCalls.map(([name, x64, arm64]) => ({
    id: `call-${name}`,
    threat: 'D8',
    tries: `the system call ${name}`,
    because: `it is filtered, or ${noCapability}`,
    script: refusedCall(process.arch === 'arm64' ? arm64 : x64),
    needs: ['python3'],
  })),
  {
    id: 'call-clone-userns',
    threat: 'D8',
    tries: 'a new user namespace by clone',
    because: 'it is filtered',
    script: python(
      "libc = ctypes.CDLL(None, use_errno=True)\nnumber = 56 if os.uname().machine == 'x86_64' else 220\n" +
        'pid = libc.syscall(number, 0x10000000 | 17, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nsys.exit(0 if pid > 0 else 1)',
    ),
    needs: ['python3'],
  },
];
