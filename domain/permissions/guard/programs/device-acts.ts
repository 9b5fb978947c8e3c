import type { Act, Argument, Text } from '../acts.ts';
import type { Invocation } from '../invocations.ts';
import { operandsOf } from './tree-acts.ts';

/** What in `/dev` stores nothing: all else there may be a disk. */
const harmless =
  /^(?:null|zero|full|u?random|tty.*|console|ptmx|pts|std(?:in|out|err)|fd|shm|mqueue|tcp|udp|log|kmsg|snd|dri|input|net|bus|usb|i2c-.*|spidev.*|gpio.*|video\d+|hidraw\d+|cu\..*|watchdog.*|fuse|kvm)(?:\/|$)/;

/** Whether an absolute path names, or could name, a device that stores something. */
export function isStore(path: string): boolean {
  const [, name] = /^\/dev(?:\/(.*))?$/s.exec(path) ?? [];
  if (!/^\/dev(?:\/|$)/.test(path)) return false;
  return !harmless.test(name ?? '');
}

/** Programs that write to each operand, unless one of these options makes them only look. */
const toOperands: Record<string, RegExp | null> = {
  tee: null,
  sponge: null,
  shred: null,
  blkdiscard: null,
  truncate: null,
  wipefs: /^(?:-[a-z]*n|--no-act)/,
  fdisk: /^(?:-l|--list)/,
  sfdisk: /^(?:-[lds]|--(?:list|dump|json|verify))/,
  sgdisk: /^(?:-p|--print|-v|-i)/,
  gdisk: /^-l/,
  cfdisk: null,
  parted: /^(?:-l|--list|print)$/,
  cryptsetup: /^(?:isLuks|luksDump|luksUUID|status|open|close|luksOpen|luksClose)$/,
  pvcreate: null,
  zpool: /^(?:list|status|iostat|import|export)$/,
  mdadm: /^(?:--detail|--examine|-[DE])/,
  badblocks: /^-[a-z]*s$/,
  hdparm: /^-[a-zI]/,
  curl: null,
  wget: null,
  'qemu-img': /^(?:info|check)$/,
  ddrescue: null,
};

/** Programs whose last operand is what they write. */
const toLast = new Set(['cp', 'mv', 'gcp', 'install', 'rsync', 'pv']);

/** Where `wipefs` only shows what it finds. */
const needsOption: Record<string, RegExp> = {
  wipefs: /^(?:-[a-z]*[ao]|--(?:all|offset|types))/,
  badblocks: /^-[a-z]*[wn]/,
};

const makesFileSystem = /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs(?:_.+)?|mkntfs|mkdosfs|mkudffs|mkreiserfs)$/;
const onlyTells = /^(?:-V|--version|-h|--help|--no-act)$/;

/** Whether a program can write to a device or make a file system. */
export function reachesDevices(program: string): boolean {
  return (
    program === 'dd' ||
    toLast.has(program) ||
    Object.hasOwn(toOperands, program) ||
    makesFileSystem.test(program)
  );
}

/** What a command writes to that may be a device, and file systems that it makes. */
export function deviceActs({ program, args, folders }: Invocation): Act[] {
  if (makesFileSystem.test(program)) {
    const tells = args.some((arg) => onlyTells.test(arg?.text ?? '')) || args.length === 0;
    return tells ? [] : [{ kind: 'format', program }];
  }
  return written(program, args).map((target) => ({ kind: 'device', target, folders }));
}

function written(program: string, args: readonly Argument[]): Text[] {
  const known = args.filter((arg) => arg !== null);
  if (program === 'dd')
    return known
      .filter(({ text }) => text.startsWith('of='))
      .map((one) => ({ ...one, text: one.text.slice(3) }));
  if (toLast.has(program))
    return operandsOf(args)
      .filter((arg) => arg !== null)
      .slice(-1);
  if (!Object.hasOwn(toOperands, program)) return [];
  const looks = toOperands[program] ?? null;
  const needs = needsOption[program];
  if (looks !== null && known.some(({ text }) => looks.test(text))) return [];
  if (needs !== undefined && !known.some(({ text }) => needs.test(text))) return [];
  return known;
}
