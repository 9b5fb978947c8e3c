import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../../../adapters/settings/layering.ts';
import { deniedToRead } from '../../../apps/folder/sandbox.ts';
import { Secrets } from '../../../domain/text/secrets/secrets.ts';

function hidden(denyRead: string[]): string[] {
  const settings = defaultSettings();
  return deniedToRead({
    cwd: '/p/src',
    project: '/p',
    projectId: 'p',
    gitRoot: null,
    home: '/home/me',
    places: { config: '/home/me/.config/larik', data: '/d', cache: '/c' },
    settings: { ...settings, sandbox: { ...settings.sandbox, denyRead } },
    secrets: new Secrets(),
    unapproved: [],
  });
}

describe.skipIf(process.platform === 'win32')('what nothing may read', () => {
  it.each([
    ['~/.aws', '/home/me/.aws'],
    ['~/.aws/', '/home/me/.aws'],
    ['~//.aws/./', '/home/me/.aws'],
    ['~/a/../.aws//', '/home/me/.aws'],
    ['secrets/', '/p/secrets'],
    ['./secrets', '/p/secrets'],
    ['/srv/keys/', '/srv/keys'],
  ])('is the same in any spelling: %s', (entry, path) => {
    expect(hidden([entry])).toEqual(['/home/me/.config/larik', path]);
  });
});
