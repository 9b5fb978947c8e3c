import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../adapters/providers/choose.ts';
import {
  judgeKeys,
  judgeModel,
  judgeProxies,
  judgeServers,
} from '../../../../apps/commands/doctor/model-checks.ts';
import {
  judgeKeyFiles,
  judgePlace,
  judgeSessions,
  judgeSettings,
  type PlaceFacts,
} from '../../../../apps/commands/doctor/place-checks.ts';
import {
  judgeBash,
  judgeGit,
  judgeNode,
  judgeRipgrep,
  judgeSandbox,
} from '../../../../apps/commands/doctor/program-checks.ts';
import { judgeTerminal, type TerminalFacts } from '../../../../apps/commands/doctor/terminal-checks.ts';
import type { Finding } from '../../../../apps/commands/doctor/check.ts';
import type { SandboxFacts } from '../../../../ports/sandbox.ts';

/** Each finding as its level and text, with the remedy behind a bar. */
function lines(findings: readonly Finding[]): string[] {
  return findings.map(
    ({ level, text, remedy }) => `${level} ${text}${remedy === null ? '' : ` | ${remedy}`}`,
  );
}

describe('programs', () => {
  const found = { path: '/usr/bin/x', version: '1.2' };

  it('that are there', () => {
    const all = [judgeGit(found), judgeRipgrep(found), judgeBash(found)].map(lines);
    expect(all).toEqual([['ok 1.2 (/usr/bin/x)'], ['ok 1.2 (/usr/bin/x)'], ['ok 1.2 (/usr/bin/x)']]);
    expect(lines(judgeNode('20.19.0'))).toEqual(['ok 20.19.0']);
  });

  it('that are missing: only without bash does nothing work', () => {
    expect([judgeGit(null), judgeRipgrep(null), judgeBash(null)].flat().map(({ level }) => level)).toEqual([
      'warn',
      'warn',
      'fail',
    ]);
    expect(judgeRipgrep(null)[0]?.remedy).toContain('install ripgrep');
  });

  it('that do not answer', () => {
    expect(lines(judgeGit({ path: '/usr/bin/git', version: null }))).toEqual([
      'warn /usr/bin/git does not tell its version | run git --version, and install it anew',
    ]);
  });
});

describe('the sandbox', () => {
  const facts: SandboxFacts = {
    name: 'bubblewrap',
    works: true,
    problem: null,
    required: false,
    writable: [],
    network: false,
    domains: [],
  };

  it('works', () => {
    expect(lines(judgeSandbox(facts))).toEqual(['ok bubblewrap works: commands reach no network']);
    expect(lines(judgeSandbox({ ...facts, network: true, writable: ['/var/cache'] }))).toEqual([
      'ok bubblewrap works: commands reach the network; also writable: /var/cache',
    ]);
    expect(lines(judgeSandbox({ ...facts, domains: ['npmjs.org'] }))).toEqual([
      'ok bubblewrap works: commands reach npmjs.org',
    ]);
  });

  it('does not work', () => {
    const broken = { ...facts, works: false, problem: 'bwrap is not installed. apt-get install bubblewrap' };
    expect(lines(judgeSandbox(broken))).toEqual([
      'warn bubblewrap: bwrap is not installed; commands ask, and run with your rights | apt-get install bubblewrap',
    ]);
    expect(lines(judgeSandbox({ ...broken, required: true }))).toEqual([
      'fail bubblewrap: bwrap is not installed; no command runs while it does not work | apt-get install bubblewrap',
    ]);
    expect(lines(judgeSandbox({ ...broken, problem: 'odd' }))).toEqual([
      'warn bubblewrap: odd; commands ask, and run with your rights | see larik help sandbox',
    ]);
  });

  it('is not wanted', () => {
    expect(lines(judgeSandbox({ ...facts, name: 'none', works: false }))).toEqual([
      'warn none: commands run with your rights, and ask | see larik help sandbox',
    ]);
  });
});

describe('keys', () => {
  const variable = (found: string): Connection => ({ found, command: 'larik …', note: null });

  it('are named, never shown', () => {
    const env = { ANTHROPIC_API_KEY: 'secret-1', MINE: 'secret-2' };
    const providers = {
      a: { type: 'openai-compatible', apiKeyEnv: 'MINE' },
      b: { type: 'openai-compatible', apiKey: 'secret-3' },
      c: { type: 'openai-compatible', apiKeyCommand: ['pass', 'secret-4'] },
    };
    const findings = judgeKeys({ env, providers, variables: [variable('ANTHROPIC_API_KEY')] });
    expect(lines(findings)).toEqual([
      'ok ANTHROPIC_API_KEY, MINE, providers.b.api_key, providers.c.api_key_command',
    ]);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  it('are missing', () => {
    expect(lines(judgeKeys({ env: {}, providers: {}, variables: [] }))).toEqual([
      'ok none found in the environment or the settings',
    ]);
    const providers = { a: { type: 'openai-compatible', apiKeyEnv: 'MINE' } };
    expect(lines(judgeKeys({ env: { MINE: ' ' }, providers, variables: [] }))).toEqual([
      'ok none found in the environment or the settings',
      'warn providers.a: the variable MINE is not set | export MINE=…',
    ]);
  });

  it('are named once, also where a provider of the settings uses them', () => {
    const providers = { openai: { type: 'openai-compatible', apiKeyEnv: 'OPENAI_API_KEY' } };
    const variables = [variable('OPENAI_API_KEY')];
    expect(lines(judgeKeys({ env: { OPENAI_API_KEY: 'k' }, providers, variables }))).toEqual([
      'ok OPENAI_API_KEY',
    ]);
  });

  it('in a file that others may read', () => {
    const file = { path: '/c/config.json', mode: 0o644, holdsKey: true };
    expect(lines(judgeKeyFiles([file, { ...file, mode: 0o600 }, { ...file, holdsKey: false }]))).toEqual([
      'warn /c/config.json holds a key, and others may read it (644) | chmod 600 /c/config.json',
    ]);
  });
});

describe('the model', () => {
  const facts = { ref: 'a/b', from: 'the settings', problem: null, resolved: 'a/b' };

  it.each([
    [facts, 'ok a/b (the settings)'],
    [{ ...facts, ref: 'smart' }, 'ok smart, that is a/b (the settings)'],
    [
      { ...facts, problem: 'no provider a. Known are c' },
      'fail a/b (the settings): no provider a | Known are c',
    ],
    [
      { ...facts, problem: 'no provider a' },
      'fail a/b (the settings): no provider a | see larik help models',
    ],
    [
      { ...facts, ref: 'demo/demo', from: 'nothing else was found' },
      'warn demo/demo (nothing else was found): a stand-in, no language model | set a key, such as ANTHROPIC_API_KEY, or start a local server; see larik help models',
    ],
  ])('%j', (given, line) => {
    expect(lines(judgeModel(given))).toEqual([line]);
  });

  it('servers on this machine', () => {
    expect(lines(judgeServers([]))).toEqual(['ok no model server answers on this machine']);
    const server = { found: 'http://localhost:1234/v1', command: 'larik -p', note: null };
    expect(lines(judgeServers([server]))).toEqual(['ok http://localhost:1234/v1; to use it: larik -p']);
  });
});

describe('proxies', () => {
  it.each([
    [{}, ['ok none set']],
    [
      { HTTPS_PROXY: 'http://me:secret@proxy:3128', no_proxy: 'a, b' },
      ['ok HTTPS_PROXY=http://proxy:3128', 'ok no_proxy=a, b'],
    ],
    [{ http_proxy: 'proxy:80', HTTP_PROXY: 'other' }, ['ok http_proxy=http://proxy']],
    [
      { HTTPS_PROXY: 'http://[' },
      ['warn HTTPS_PROXY is no address, and is not used | export HTTPS_PROXY=http://HOST:PORT'],
    ],
    [
      { HTTPS_PROXY: 'socks5://x:1' },
      ['warn HTTPS_PROXY: socks5:// is no proxy that larik speaks to | use an http:// address'],
    ],
  ])('%j', (env, expected) => {
    expect(lines(judgeProxies(env))).toEqual(expected);
  });
});

describe('folders', () => {
  const facts: PlaceFacts = {
    kind: 'data',
    path: '/d',
    exists: true,
    writable: true,
    isFile: false,
    mode: 0o700,
    free: 5_000 * 1024 * 1024,
  };

  it.each([
    [facts, 'ok /d, 5,000 MB free'],
    [{ ...facts, exists: false, mode: null, free: null }, 'ok /d (made when needed)'],
    [
      { ...facts, mode: 0o755 },
      'warn /d: others on this machine may look into it (755): it holds conversations | chmod 700 /d',
    ],
    [
      { ...facts, isFile: true },
      'fail /d is no folder: sessions and undo cannot be kept | move it away, or set LARIK_HOME',
    ],
    [
      { ...facts, writable: false },
      'fail /d cannot be written: sessions and undo cannot be kept | chmod u+rwx /d, or set LARIK_HOME to another folder',
    ],
    [
      { ...facts, writable: false, exists: false },
      'fail /d cannot be made: sessions and undo cannot be kept | set LARIK_HOME to a folder of yours',
    ],
    [
      { ...facts, kind: 'cache' as const, writable: false },
      'warn /d cannot be written: every start is slower | chmod u+rwx /d, or set LARIK_HOME to another folder',
    ],
    [
      { ...facts, free: 100 * 1024 * 1024 },
      'warn /d, 100 MB free | make room there, or set LARIK_HOME to a folder on another disk',
    ],
    [
      { ...facts, free: 0 },
      'fail /d, 0 MB free | make room there, or set LARIK_HOME to a folder on another disk',
    ],
    [{ ...facts, kind: 'config' as const, free: 0, mode: 0o755 }, 'ok /d, 0 MB free'],
  ])('%j', (given, line) => {
    expect(lines(judgePlace(given))).toEqual([line]);
  });
});

describe('settings and sessions', () => {
  it('tells of each problem', () => {
    expect(lines(judgeSettings([], []))).toEqual(['ok no settings file; the defaults hold']);
    expect(lines(judgeSettings(['/a', '/b'], []))).toEqual(['ok /a, /b']);
    expect(
      lines(
        judgeSettings(
          ['/a'],
          [
            { level: 'error', text: 'a', fatal: true },
            { level: 'error', text: 'b', fatal: false },
            { level: 'warning', text: 'c', fatal: false },
          ],
        ),
      ),
    ).toEqual([
      'fail a | larik does not start before this is mended',
      'fail b | mend it there',
      'warn c | mend it there',
    ]);
  });

  it('names who holds a session', () => {
    expect(lines(judgeSessions(1, []))).toEqual(['ok 1 session of this project']);
    const held = [
      { id: 'x', pid: 7, alive: true },
      { id: 'y', pid: 8, alive: false },
    ];
    expect(lines(judgeSessions(2, held))).toEqual(['ok 2 sessions of this project; x is held by process 7']);
  });
});

describe('the terminal', () => {
  const facts: TerminalFacts = {
    platform: 'linux',
    env: { TERM: 'xterm-256color', LANG: 'en_GB.UTF-8' },
    isTerminal: true,
    columns: 120,
    rows: 40,
    colourBits: 8,
  };
  const locale = 'other letters than English ones may be shown wrong | export LANG=C.UTF-8';

  it.each([
    [facts, ['ok xterm-256color, 120 × 40, 256 colours']],
    [{ ...facts, colourBits: 24 }, ['ok xterm-256color, 120 × 40, all colours']],
    [{ ...facts, colourBits: 1, columns: null }, ['ok xterm-256color, of unknown size, no colours']],
    [
      { ...facts, env: { ...facts.env, NO_COLOR: '1' } },
      ['ok xterm-256color, 120 × 40, no colours (NO_COLOR is set)'],
    ],
    [
      { ...facts, columns: 40 },
      ['warn xterm-256color, 40 × 40, 256 colours | make it at least 60 columns wide'],
    ],
    [{ ...facts, isTerminal: false }, ['ok output goes to no terminal']],
    [
      { ...facts, env: { TERM: 'dumb', LANG: 'C.utf8' } },
      ['warn TERM=dumb: lines only | export TERM=xterm-256color, if it is such a terminal'],
    ],
    [
      { ...facts, env: {} },
      [
        'warn TERM is not set: lines only | export TERM=xterm-256color, if it is such a terminal',
        `warn no locale is set: ${locale}`,
      ],
    ],
    [
      { ...facts, env: { ...facts.env, LC_ALL: 'C' } },
      ['ok xterm-256color, 120 × 40, 256 colours', `warn LC_ALL=C is no UTF-8 locale: ${locale}`],
    ],
    [{ ...facts, platform: 'darwin' as const, env: { TERM: 'xterm' } }, ['ok xterm, 120 × 40, 256 colours']],
    [{ ...facts, platform: 'win32' as const, env: {} }, ['ok a terminal, 120 × 40, 256 colours']],
  ])('%j', (given, expected) => {
    expect(lines(judgeTerminal(given))).toEqual(expected);
  });
});
