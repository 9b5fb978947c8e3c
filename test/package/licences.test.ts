import { describe, expect, it } from 'vitest';
import { bundledLicence } from '../../tsdown.licences.ts';

describe('what may be bundled', () => {
  it('is what has one of the licences, or a choice among several', () => {
    expect(bundledLicence({ name: 'a', license: 'MIT' })).toBe('MIT');
    expect(bundledLicence({ name: 'a', license: '(GPL-3.0 OR Apache-2.0)' })).toBe('Apache-2.0');
  });

  it.each(['GPL-3.0', 'MIT AND GPL-3.0', 'SEE LICENSE IN x', undefined, { type: 'MIT' }])(
    'is not %j',
    (license) => {
      expect(() => bundledLicence({ name: 'a', version: '1.0.0', license })).toThrow(
        'a 1.0.0 cannot be bundled',
      );
    },
  );
});
