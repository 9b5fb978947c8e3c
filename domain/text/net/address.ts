/** What an IP address leads to. */
export type AddressKind =
  'public' | 'private' | 'loopback' | 'unspecified' | 'broadcast' | 'multicast' | 'link-local' | 'metadata';

/** From the harmless to the dangerous: of several addresses in one, the last of these counts. */
const bySeverity: readonly AddressKind[] = [
  'public',
  'private',
  'loopback',
  'unspecified',
  'broadcast',
  'multicast',
  'link-local',
  'metadata',
];

/** An address as eight groups of 16 bits; an IPv4 address is the last two behind `::ffff:`. */
type Groups = readonly number[];

interface Range {
  begin: Groups;
  bits: number;
}

const dotted = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

/** Ranges by what they lead to; the first that fits counts. Metadata stands also inside private ranges. */
const ranges: readonly (readonly [AddressKind, readonly Range[]])[] = (
  [
    ['unspecified', '::/128 0.0.0.0/8'],
    ['loopback', '::1/128 127.0.0.0/8'],
    ['metadata', '100.100.100.200/32 192.0.0.192/32 168.63.129.16/32'],
    ['metadata', 'fd00:ec2::/32 fd20:ce::254/128 fd00:c1::a9fe:a9fe/128 fd00:42::42/128'],
    ['link-local', '169.254.0.0/16 fe80::/10'],
    ['multicast', '224.0.0.0/4 ff00::/8'],
    ['broadcast', '255.255.255.255/32'],
    ['private', '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 fc00::/7 fec0::/10'],
  ] as const
).map(([kind, texts]) => [kind, texts.split(' ').map(rangeOf)]);

/** Where IPv6 ranges hold an IPv4 address: the bit at which it begins (RFC 4291, 6052, 3056, 7915). */
const embeddings: readonly (readonly [Range, readonly number[]])[] = [
  [rangeOf('::/96'), [96]],
  [rangeOf('::ffff:0:0/96'), [96]],
  [rangeOf('::ffff:0:0:0/96'), [96]],
  [rangeOf('64:ff9b::/96'), [96]],
  [rangeOf('2002::/16'), [16]],
];

const teredo = rangeOf('2001::/32');
const localTranslation = rangeOf('64:ff9b:1::/48');

/** What an address leads to, and every IPv4 address in it; null if `text` is no address. */
export function addressKind(text: string): AddressKind | null {
  const groups = groupsOf(text);
  if (groups === null) return null;
  const kinds = [groups, ...embedded(groups)].map(kindOf);
  return bySeverity.findLast((kind) => kinds.includes(kind)) ?? 'public';
}

function kindOf(groups: Groups): AddressKind {
  return ranges.find(([, all]) => all.some((range) => isWithin(groups, range)))?.[0] ?? 'public';
}

/** The IPv4 addresses in an IPv6 address. */
function embedded(groups: Groups): Groups[] {
  // These two are no IPv4 addresses, although they lie in the range of the old form.
  if (groups.slice(0, 7).every((group) => group === 0) && (groups[7] ?? 0) < 2) return [];
  const found = embeddings.flatMap(([range, bits]) =>
    isWithin(groups, range) ? bits.map((bit) => ipv4At(groups, bit)) : [],
  );
  if (isWithin(groups, teredo)) {
    found.push(
      ipv4At(groups, 32),
      ipv4At(
        groups.map((group) => group ^ 0xffff),
        96,
      ),
    );
  }
  // An interface's name that stands for its IPv4 address (ISATAP).
  if (((groups[4] ?? 0) & ~0x0200) === 0 && groups[5] === 0x5efe) found.push(ipv4At(groups, 96));
  if (isWithin(groups, localTranslation)) found.push(...translated(groups));
  return found;
}

/**
 * A network may put the IPv4 address at four places of its own translation range (RFC 8215, 6052). The
 * places that are not used hold zeros, which say nothing unless all do.
 */
function translated(groups: Groups): Groups[] {
  // Bits 64 to 71 are left out wherever the address would cross them.
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]);
  const without = [...bytes.slice(0, 8), ...bytes.slice(9), 0];
  const shorter = Array.from(
    { length: 8 },
    (_, at) => ((without[at * 2] ?? 0) << 8) | (without[at * 2 + 1] ?? 0),
  );
  const all = [ipv4At(shorter, 48), ipv4At(shorter, 56), ipv4At(shorter, 64), ipv4At(groups, 96)];
  const meant = all.filter((one) => kindOf(one) !== 'unspecified');
  return meant.length === 0 ? all : meant;
}

function ipv4At(groups: Groups, bit: number): Groups {
  const bytes = groups.flatMap((group) => [group >> 8, group & 0xff]).slice(bit / 8, bit / 8 + 4);
  return ipv4(bytes);
}

function ipv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): Groups {
  return [0, 0, 0, 0, 0, 0xffff, (a << 8) | b, (c << 8) | d];
}

function isWithin(groups: Groups, { begin, bits }: Range): boolean {
  return groups.every((group, at) => {
    const counted = Math.min(16, Math.max(0, bits - at * 16));
    return (group ^ (begin[at] ?? 0)) >> (16 - counted) === 0;
  });
}

function rangeOf(text: string): Range {
  const [address = '', bits = ''] = text.split('/');
  const begin = groupsOf(address);
  if (begin === null) throw new Error(`no range: ${text}`);
  return { begin, bits: Number(bits) + (address.includes('.') ? 96 : 0) };
}

/** Reads dotted IPv4 and IPv6 without a zone; null for everything else, also for a name. */
function groupsOf(text: string): Groups | null {
  const parts = dotted.exec(text)?.slice(1).map(Number);
  if (parts !== undefined) return parts.every((part) => part < 256) ? ipv4(parts) : null;
  if (!/^[\da-f:.]*:[\da-f:.]*$/i.test(text) || !URL.canParse(`http://[${text}]/`)) return null;
  // A URL's host is written in one way, without dots.
  const [head = '', tail] = new URL(`http://[${text}]/`).hostname.slice(1, -1).split('::');
  const first = numbers(head);
  const last = numbers(tail ?? '');
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function numbers(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}
