import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandbox, type Sandbox } from './larik.ts';

let box: Sandbox;
let file: string;
beforeEach(async () => {
  box = await sandbox();
  file = join(box.home, 'larik', 'config', 'config.json');
});
afterEach(() => box.dispose());

async function personal(text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
}

describe('larik config', () => {
  it('CONF-01 changes one value of a commented file, and keeps the rest', async () => {
    const text = '\ufeff// mine\n{\n\t/* a */ "model": "a//b", // that\n\t"odd": 1,\n}\n';
    await personal(text);
    const { code, out } = await box.run(['config', 'set', 'model', 'demo/demo', '-q']);
    expect([code, out]).toEqual([0, `${file}: model is set\n`]);
    expect(await readFile(file, 'utf8')).toBe(text.replace('a//b', 'demo/demo'));
    expect((await box.run(['config', 'get', 'model', '-q'])).out).toBe('demo/demo\n');
    expect((await box.run(['config', 'explain', 'model', '-q'])).out).toContain(
      `personal     demo/demo  ${file}`,
    );
    expect((await box.run(['config', 'list', '-q'])).out).toMatch(/^model +demo\/demo {2}\(personal\)$/m);
    await box.run(['config', 'unset', 'model']);
    expect(await readdir(dirname(file))).toEqual(['config.json']);
  });

  it('CONF-02 says where a file is broken, writes nothing, and can still be mended', async () => {
    const text = '{\n  "permissions": { "deny": ["bash(rm*)"] },\n  "mode" "plan"\n}\n';
    await personal(text);
    const set = await box.run(['config', 'set', 'model', 'a/b']);
    expect(set).toMatchObject({ code: 2, out: '' });
    expect(set.err).toMatch(/config set: .*config\.json:3:\d+: colon expected; nothing was written/);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await box.run(['config', 'get', 'mode'])).code).toBe(2);
    const edit = await box.run(['config', 'edit'], { env: { EDITOR: `sed -i 's/"mode" /"mode": /'` } });
    expect(edit.code).toBe(0);
    expect(await box.run(['config', 'get', 'mode'])).toEqual({ code: 0, out: 'plan\n', err: '' });
  });

  it.each([
    [['set', 'efort', 'high'], 2, 'larik config set: unknown key efort; did you mean effort?\n'],
    [['set', 'limits.max_steps', 'x'], 2, 'larik config set: limits.max_steps: expected a number, got "x"\n'],
    [['get', 'effort'], 1, 'larik config get: effort is not set\n'],
    [['get', 'efort'], 2, 'larik config get: there is no setting efort; did you mean effort?\n'],
    [
      ['edit'],
      1,
      expect.stringMatching(/no editor is named; set VISUAL or EDITOR, or change the file yourself: /),
    ],
  ])('%j is told in one line', async (line, code, err) => {
    expect(await box.run(['config', ...line])).toEqual({ code, out: '', err });
  });

  it('says when the folder of the settings cannot be made', async () => {
    const home = join(box.home, 'other');
    await mkdir(home);
    await writeFile(join(home, 'config'), '');
    const { code, out, err } = await box.run(['config', 'set', 'model', 'a/b'], {
      env: { LARIK_HOME: home },
    });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/config\.json: it was not written: a file stands where its folder should be\n$/);
  });
});
