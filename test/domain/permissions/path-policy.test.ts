import { describe, expect, it } from 'vitest';
import {
  readDenied,
  readDeniedGlob,
  showRefusal,
  writeRefusal,
} from '../../../domain/permissions/path-policy.ts';
import { memoryFiles } from '../../../plugins/testing/memory-files.ts';
import { callOf, decideBash, decideCall, place, policyOf } from './permissions.ts';

const files = memoryFiles({
  '/p/.env': 'x',
  '/p/src/a.ts': 'x',
  '/p/packages/a/.env': 'x',
  '/home/me/key': 'x',
  '/out/secret': 'x',
})
  .link('/p/note', '.env')
  .link('/p/out', '/out')
  .link('/p/key', '/home/me/key')
  .link('/p/lost', 'nowhere')
  .link('/via', '/p');

describe('writing', () => {
  const refusal = async (path: string, project = '/p') =>
    writeRefusal(await files.resolve(path, project), { project });

  it('is refused outside the project, through links and on protected files, with the reason', async () => {
    expect(await refusal('/px/a')).toBe('/px/a lies outside the project /p');
    expect(await refusal('..')).toBe('/ lies outside the project /p');
    expect(await refusal('.')).toBe("/p is the project's folder itself");
    expect(await refusal('out/new')).toBe('/p/out/new leads through the symbolic link /p/out');
    expect(await refusal('lost')).toBe('/p/lost leads through the symbolic link /p/lost');
    expect(await refusal('a/.git/x')).toBe('/p/a/.git/x is protected: what is in it decides what runs here');
    expect(await refusal('src/new/b.ts')).toBe(null);
    expect(await refusal('.gitignore')).toBe(null);
  });

  it('takes no notice of a link that the project itself lies behind', async () => {
    expect(await refusal('/via/src/a.ts', '/via')).toBe(null);
    expect(await refusal('/via/out/a.ts', '/via')).toBe(
      '/via/out/a.ts leads through the symbolic link /p/out',
    );
  });

  const disguised = [
    '.GIT/x',
    '.g\u200cit',
    '.lari\u212a',
    'git~1',
    '.git.',
    '.git ',
    '.git::$INDEX_ALLOCATION',
    'MCP~1.JSO',
    'GI7EBA~1',
    'mc09af~2.jso',
  ];
  for (const name of disguised) {
    it(`sees through ${JSON.stringify(name)}`, async () => {
      expect(await refusal(name)).toMatch('is protected');
    });
  }
});

describe('showing', () => {
  const shown = (path: string, target: string | null = null) =>
    showRefusal({ path, target }, ['/home/me/.config/larik']);

  it('is refused for hidden folders and what programs hold, by path and by target', () => {
    expect(shown('/home/me/.config/larik/keys')).toBe(
      "/home/me/.config/larik/keys is kept from tools, since it may hold keys: `sandbox.deny_read` in the user's settings names what is, beside larik's own settings",
    );
    expect(shown('/p/link', '/home/me/.config/larik')).toMatch('is kept from tools');
    expect(shown('/Home/Me/.CONFIG/Larik/keys')).toMatch('is kept from tools');
    expect(shown('/p/link', '/proc/12/environ')).toMatch('shows what running programs hold');
    expect(shown('/proc/self')).toMatch('shows what running programs hold');
    const plain = ['/home/me/.config/larik2/x', '/proc/cpuinfo', '/proc', '/proc/selfish', '/p/proc/self'];
    expect(plain.map((path) => shown(path))).toEqual(plain.map(() => null));
  });
});

describe('reading', () => {
  const denied = async (path: string, rule: string, cwd = '/p') =>
    readDenied(await files.resolve(path, cwd), { ...policyOf({ deny: [rule] }), cwd })?.source.text ?? null;

  it('is denied by the path, its target, and either as named from cwd or project', async () => {
    expect(await denied('.ENV', 'read(.env)')).toBe('read(.env)');
    expect(await denied('note', 'read(.env)')).toBe('read(.env)');
    expect(await denied('../../.env', 'read(.env)', '/p/packages/a')).toBe('read(.env)');
    expect(await denied('.env', 'read(packages/*/.env)', '/p/packages/a')).toBe('read(packages/*/.env)');
    expect(await denied('key', 'read(~/**)')).toBe('read(~/**)');
    expect(await denied('out/secret', 'read(/out/**)')).toBe('read(/out/**)');
    expect(await denied('src', 'read(src/**)')).toBe('read(src/**)');
    expect(await denied('src/a.ts', 'read(.env)')).toBe(null);
    expect(await denied('.env', 'edit(.env)')).toBe(null);
  });

  it('is denied to a pattern that could match what a rule names', () => {
    const policy = policyOf({ deny: ['read(secret*.txt)'] });
    expect(readDeniedGlob('/p/*.txt', policy)?.source.text).toBe('read(secret*.txt)');
    expect(readDeniedGlob('/p/s?cret-1.txt', policy)?.source.text).toBe('read(secret*.txt)');
    expect(readDeniedGlob('/p/*.md', policy)).toBe(null);
  });
});

describe('allow rules for paths', () => {
  const allowed = async (path: string, rule: string, cwd = place.cwd) =>
    (await decideCall(callOf('edit', path), { allow: [rule], files, cwd })).decision;

  it('hold the case, and a rule from the root or the home folder the whole path', async () => {
    expect(await allowed('src/a.ts', 'edit(src/**)')).toBe('allow');
    expect(await allowed('/p/src/a.ts', 'edit(src/*)')).toBe('allow');
    expect(await allowed('src/a.ts', 'edit(/p/src/**)')).toBe('allow');
    expect(await allowed('src/a.ts', 'edit(SRC/**)')).toBe('ask');
    expect(await allowed('../src/a.ts', 'edit(src/**)', '/p/packages')).toBe('ask');
    expect(await allowed('src', 'edit(src/**)')).toBe('ask');
    expect(await allowed('[id]/x', 'edit([id]/*)')).toBe('allow');
    expect(await allowed('i/x', 'edit([id]/*)')).toBe('ask');
  });
});

describe('the safe list', () => {
  const decided = (line: string, deny: string[] = []) => decideBash(line, { files, deny });
  const runs = [
    'cat .env',
    'cat src/*.ts',
    'head -n 5 .env',
    'ls ~ /usr',
    'du -sh ~',
    'echo {a,b} *',
    'date +%F',
    'id',
  ];
  const asks = [
    'cat ~/key',
    'cat /proc/self/environ',
    'cat /proc/1/environ',
    'date -f /proc/self/environ',
    'cat < /proc/self/environ',
    'cat "$HOME/key"',
    'cat out/secret',
    'cat out/*',
    'cat */secret',
    'cat lost',
    'cat {.env,/out/secret}',
    'cat src/[a]*',
    'cat s*/../../out/secret',
    'wc --files0-from=list',
    'wc --files0=list',
    'du --f=list',
    'date 010100002030',
    'ls $X',
    '\\cat .env',
    'cat .env &',
    'id x',
    '/bin/cat .env',
  ];
  for (const line of runs) {
    it(`runs ${line}`, async () => expect(await decided(line)).toBe('allow'));
  }
  for (const line of asks) {
    it(`asks for ${line}`, async () => expect(await decided(line)).toBe('ask'));
  }

  it('asks where a read deny rule reaches', async () => {
    expect(await decided('cat note', ['read(.env)'])).toBe('ask');
    expect(await decided('cat *', ['read(none.txt)'])).toBe('ask');
    expect(await decided('head -- -x .env', ['read(-x)'])).toBe('ask');
    expect(await decided('cat src/a.ts', ['read(.env)'])).toBe('allow');
  });
});
