import { describe, expect, it } from 'vitest';
import { seatbeltProfile, type SeatbeltFacts } from '../../../adapters/sandbox/seatbelt-profile.ts';

const facts: SeatbeltFacts = {
  project: '/Users/a/shop',
  writable: ['/var/folders/x/larik-1', '/Users/a/.npm', '/Users/a/shop'],
  denyRead: ['/Users/a/.ssh'],
  kept: ['/Users/a/shop/.claude', '/Users/a/shop/.git/hooks', '/Users/a/shop/packages/b/.larik'],
  open: ['/Users/a/shop/.git'],
  keptNames: ['.claude', '.mcp.json'],
  sockets: [],
  network: false,
};

/** The last rule that speaks of writing to a path, as macOS would take it: of what is told by path alone. */
function verdict(profile: string, path: string, operation = 'file-write*'): string {
  let last = 'deny';
  for (const [, verdictOf = '', what = '', places = ''] of profile.matchAll(
    /^\((allow|deny) ([a-z* -]+?)\n((?: {2}\(.*\)\n?)+)\)?/gm,
  )) {
    if (!what.split(' ').includes(operation)) continue;
    for (const [, kind, value = ''] of places.matchAll(/\((subpath|literal|regex) "((?:[^"\\]|\\.)*)"\)/g)) {
      const text = value.replace(/\\([\\"])/g, '$1');
      const matches =
        kind === 'regex'
          ? new RegExp(text).test(path)
          : path === text || (kind === 'subpath' && path.startsWith(`${text}/`));
      if (matches) last = verdictOf;
    }
  }
  return last;
}

describe('the profile of seatbelt', () => {
  it('denies by default, and lets commands write where they may', () => {
    const profile = seatbeltProfile(facts);
    expect(profile.split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    const paths = ['/Users/a/shop/src/a', '/private/var/folders/x/larik-1/t', '/Users/a/shop/.git/index'];
    expect(paths.map((path) => verdict(profile, path))).toEqual(['allow', 'allow', 'allow']);
    expect(verdict(profile, '/Users/a/other')).toBe('deny');
    expect(verdict(profile, '/Users/a/shop-evil/x')).toBe('deny');
  });

  it('keeps protected names, at any depth and in any case', () => {
    const profile = seatbeltProfile(facts);
    const paths = [
      '.claude/settings.json',
      '.git/hooks/pre-commit',
      'packages/b/.larik',
      'deep/down/.mcp.json',
      'deep/.CLAUDE/x',
    ];
    expect(paths.map((path) => verdict(profile, `/Users/a/shop/${path}`))).toEqual(paths.map(() => 'deny'));
    expect(verdict(profile, '/Users/a/shop/x.mcp.json')).toBe('allow');
    expect(verdict(profile, '/Users/a/shop/.claude-notes')).toBe('allow');
  });

  it('lets nobody move what lies above a kept path', () => {
    const profile = seatbeltProfile(facts);
    const folders = [
      '/Users/a/shop',
      '/Users/a/shop/.git',
      '/Users/a/shop/packages',
      '/Users/a/shop/packages/b',
    ];
    expect(folders.map((path) => verdict(profile, path, 'file-write-unlink'))).toEqual(
      folders.map(() => 'deny'),
    );
  });

  it('lets a worktree write to its own folder of git, and not to what leads git elsewhere', () => {
    const git = '/Users/a/main/.git';
    const profile = seatbeltProfile({
      ...facts,
      kept: [`${git}/hooks`, `${git}/worktrees`, `${git}/worktrees/one/commondir`],
      open: [git, `${git}/worktrees/one`],
    });
    expect(verdict(profile, `${git}/refs/heads/x`)).toBe('allow');
    expect(verdict(profile, `${git}/worktrees/one/HEAD`)).toBe('allow');
    expect(verdict(profile, `${git}/worktrees/one/commondir`)).toBe('deny');
    expect(verdict(profile, `${git}/worktrees/two/HEAD`)).toBe('deny');
    expect(verdict(profile, `${git}/hooks/pre-commit`)).toBe('deny');
  });

  it('hides what is denied, above all that allows', () => {
    const profile = seatbeltProfile({ ...facts, denyRead: ['/Users/a/shop/secret', '/etc/keys'] });
    expect(verdict(profile, '/Users/a/shop/secret/x', 'file-read*')).toBe('deny');
    expect(verdict(profile, '/Users/a/shop/secret/x')).toBe('deny');
    expect(profile).toContain('(subpath "/private/etc/keys")');
  });

  it('starts nothing through others: no Launch Services, no Apple Events, last of all', () => {
    const profile = seatbeltProfile({ ...facts, network: true });
    const [denied = ''] = profile.split('(deny mach-lookup').slice(-1);
    for (const name of ['launchservicesd', 'appleevents', 'lsd.open']) expect(denied).toContain(name);
    expect(profile.trimEnd().split('\n').slice(-3)).toEqual([
      '(deny appleevent-send)',
      '(deny lsopen)',
      '(deny file-write-setugid)',
    ]);
  });

  it('has no network, or all of it but sockets; a named socket in either', () => {
    expect(seatbeltProfile(facts)).not.toContain('network');
    const named = seatbeltProfile({ ...facts, network: true, sockets: ['/tmp/agent'] });
    expect(named.match(/^\((?:allow|deny) network[^]*?(?=^\()/gm)?.map((one) => one.trim())).toEqual([
      '(allow network*)',
      '(deny network-outbound\n  (remote unix-socket))',
      '(allow network-outbound\n  (literal "/private/tmp/agent"))',
    ]);
  });

  it('writes paths so that none becomes a rule', () => {
    const hostile = '/Users/a/x") (allow default) ("\\';
    const profile = seatbeltProfile({ ...facts, project: hostile, writable: [hostile] });
    expect(profile).toContain('(subpath "/Users/a/x\\") (allow default) (\\"\\\\")');
    // Outside of strings there are only the rules' own words.
    expect(profile.replace(/"(?:[^"\\]|\\.)*"/g, '""')).not.toContain('allow default');
    expect(() => seatbeltProfile({ ...facts, writable: ['/a\n(allow default)'] })).toThrow(
      'control character',
    );
  });

  it('takes a project by its letters, not as a pattern', () => {
    const profile = seatbeltProfile({ ...facts, project: '/Users/a/s.op (1)', kept: [] });
    expect(verdict(profile, '/Users/a/s.op (1)/d/.claude')).toBe('deny');
    expect(profile).toContain('"^/Users/a/s\\\\.op \\\\(1\\\\)/(.*/)?[.]');
  });
});
