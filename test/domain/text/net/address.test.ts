import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKind } from '../../../../domain/text/net/address.ts';

const byte = fc.integer({ min: 0, max: 255 });
const hex = (high: number, low: number) => ((high << 8) | low).toString(16);

describe('an address', () => {
  it.each([
    ['8.8.8.8', 'public'],
    ['100.64.0.1', 'private'],
    ['0.1.2.3', 'unspecified'],
    ['255.255.255.255', 'broadcast'],
    ['240.0.0.1', 'public'],
    ['2001:db8::1', 'public'],
    ['fec0::1', 'private'],
    ['::1', 'loopback'],
    ['::127.0.0.1', 'loopback'],
    ['::ffff:0:127.0.0.1', 'loopback'],
    ['::FFFF:169.254.1.1', 'link-local'],
    ['::ffff:0:169.254.1.1', 'link-local'],
    ['fd00:ec2::23', 'metadata'],
    ['64:ff9b::168.63.129.16', 'metadata'],
    ['64:ff9b:1::1', 'unspecified'],
    ['64:ff9b:1::8.8.8.8', 'public'],
    ['64:ff9b:1::169.254.169.254', 'link-local'],
    ['64:ff9b:1:a9fe:a9:fe00::', 'link-local'],
    ['64:ff9b:1:a9:fe:a9fe::', 'link-local'],
    ['64:ff9b:1:0:a9:fea9:fe00::', 'link-local'],
    ['2001:0:808:808::5601:5601', 'link-local'],
    ['2001:0:a9fe:a9fe::f7f7:f7f7', 'link-local'],
    ['2001:db8::5efe:169.254.1.1', 'link-local'],
    ['2001:db8::200:5efe:169.254.1.1', 'link-local'],
  ])('%s is %s', (text, kind) => expect(addressKind(text)).toBe(kind));

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.256',
    '01.2.3.4.5',
    '0x7f.0.0.1',
    'fe80::1%eth0',
    '::1]/',
    '[::1]',
    ':',
    '1::2::3',
  ])('%j is none', (text) => expect(addressKind(text)).toBe(null));

  it('leads where the IPv4 address in it leads, however it is wrapped', () => {
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        fc.pre(a !== 0); // What is near zero is also loopback or unspecified by itself.
        const plain = addressKind(`${a}.${b}.${c}.${d}`);
        const [high, low] = [hex(a, b), hex(c, d)];
        const wrapped = [
          `::ffff:${high}:${low}`,
          `::ffff:0:${high}:${low}`,
          `::${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `64:ff9b:1::${high}:${low}`,
          `2002:${high}:${low}::1`,
        ];
        // A private address inside a public range is still one.
        expect(wrapped.map(addressKind)).toEqual(wrapped.map(() => plain));
      }),
    );
  });
});
