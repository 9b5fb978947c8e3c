import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFolder } from '../../../apps/folder/folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('opening a folder', () => {
  it.each(['.', 'larik', '~/larik', 'a\nb'])(
    'refuses a LARIK_HOME that any project could be: %j',
    async (home) => {
      vi.stubEnv('LARIK_HOME', home);
      await expect(openFolder({})).rejects.toThrow(
        /^LARIK_HOME: expected the path of a folder from \/, got "[^\n]+$/,
      );
    },
  );
});
