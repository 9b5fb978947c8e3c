import { dirname } from 'node:path';
import { isInside } from '../../domain/text/path-text.ts';

/** What a profile is made of; all paths are absolute. */
export interface SeatbeltFacts {
  project: string;
  /** Folders that commands write to, the project and the temporary one among them. */
  writable: readonly string[];
  /** What no command sees. */
  denyRead: readonly string[];
  /** What no command changes, whether it exists or not. */
  kept: readonly string[];
  /** Folders in what is kept that stay writable, such as a worktree's own in git's. */
  open: readonly string[];
  /** Names that no command changes anywhere in the project. */
  keptNames: readonly string[];
  /** Unix sockets that the settings name. */
  sockets: readonly string[];
  network: boolean;
}

/** Folders that macOS keeps elsewhere, and calls by that other name when it judges. */
const aliases = ['/tmp', '/var', '/etc'];

/** The path as macOS judges it. */
const canonical = (path: string): string =>
  aliases.some((alias) => isInside(path, alias)) ? `/private${path}` : path;

/** A path as a string of the profile's language; throws for one that cannot be told in it. */
function quoted(path: string): string {
  if (/[\u0000-\u001f\u007f]/.test(path))
    throw new Error(`${JSON.stringify(path)} holds a control character`);
  return `"${path.replace(/[\\"]/g, (character) => `\\${character}`)}"`;
}

const subpath = (path: string): string => `(subpath ${quoted(canonical(path))})`;
const literal = (path: string): string => `(literal ${quoted(canonical(path))})`;

/** One name, in whichever case: the file system takes them for the same. */
const anyCase = (name: string): string =>
  [...name]
    .map((one) => (/[a-z]/i.test(one) ? `[${one.toLowerCase()}${one.toUpperCase()}]` : `[${one}]`))
    .join('');

/** A name anywhere below a folder, and what lies below it. */
const named = (folder: string, name: string): string => {
  const above = canonical(folder).replace(/[.*+?^$()|{}[\]\\]/g, (one) => `\\${one}`);
  return `(regex ${quoted(`^${above}/(.*/)?${anyCase(name)}(/|$)`)})`;
};

/** The folders above a path, up to the project. */
function above(path: string, project: string): string[] {
  const folder = dirname(path);
  if (!isInside(folder, project)) return [];
  return folder === project ? [project] : [...above(folder, project), folder];
}

const rule = (verdict: 'allow' | 'deny', what: string, places: readonly string[]): string[] =>
  places.length === 0 ? [] : [`(${verdict} ${what}\n  ${[...new Set(places)].join('\n  ')})`];

/** Services that programs need to start, resolve users and tell the time; none that starts programs. */
const services = [
  'com.apple.bsd.dirhelper',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.trustd.agent',
  'com.apple.SystemConfiguration.configd',
];

/** Services by which others would run something: `open`, `osascript`, `launchctl`, the pasteboard. */
const refusedServices = [
  'com.apple.coreservices.launchservicesd',
  'com.apple.coreservices.appleevents',
  'com.apple.lsd.mapdb',
  'com.apple.lsd.open',
  'com.apple.pasteboard.1',
  'com.apple.SecurityServer',
  'com.apple.securityd.xpc',
];

const service = (name: string): string => `(global-name ${quoted(name)})`;

/** What every program needs. */
const ground = [
  '(version 1)',
  '(deny default)',
  '(allow process-exec)',
  '(allow process-fork)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow sysctl-read)',
  '(allow file-read*)',
  '(allow pseudo-tty)',
  '(allow ipc-posix-sem)',
  '(allow user-preference-read)',
  '(allow file-write* file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/ptmx") (regex "^/dev/ttys[0-9]+$"))',
];

/**
 * The profile of macOS's sandbox for commands (spec: sandbox). Of its rules the last that matches
 * holds, so what is forbidden comes last. Throws for a path with a control character.
 */
export function seatbeltProfile(facts: SeatbeltFacts): string {
  const { project, writable, denyRead, kept, open, keptNames, sockets, network } = facts;
  // Whoever moves a folder away takes what is kept along.
  const pinned = [...kept, ...open].flatMap((path) => above(path, project));
  const inner = open.filter((path) => kept.some((one) => isInside(path, one)));
  const innermost = kept.filter((path) => inner.some((one) => isInside(path, one)));
  return `${[
    ...ground,
    ...rule('allow', 'mach-lookup', services.map(service)),
    ...rule('allow', 'file-write*', [...writable, ...open].map(subpath)),
    ...(network ? ['(allow network*)', '(allow system-socket)'] : []),
    ...rule('deny', 'file-write*', kept.map(subpath)),
    ...rule('allow', 'file-write*', inner.map(subpath)),
    ...rule('deny', 'file-write*', innermost.map(subpath)),
    ...rule(
      'deny',
      'file-write*',
      keptNames.map((name) => named(project, name)),
    ),
    ...rule('deny', 'file-write-unlink', [...pinned, ...open, project].map(literal)),
    ...rule('deny', 'file-read* file-write*', denyRead.map(subpath)),
    ...rule('deny', 'network-outbound', network ? ['(remote unix-socket)'] : []),
    ...rule('allow', 'network-outbound', sockets.map(literal)),
    ...rule('deny', 'mach-lookup', refusedServices.map(service)),
    '(deny appleevent-send)',
    '(deny lsopen)',
    '(deny file-write-setugid)',
  ].join('\n')}\n`;
}
