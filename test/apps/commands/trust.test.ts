import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trustCommand, type TrustArguments } from '../../../apps/commands/trust.ts';
import { definitionNotices, definitionsInFull } from '../../../apps/folder/definitions.ts';

let root: string;
let project: string;
let home: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'larik-trust-command-')));
  project = join(root, 'project');
  home = join(root, 'home');
  await mkdir(project);
  await servers({ one: { command: 'run-one' }, two: { command: 'run-two' }, a__b: { command: 'x' } });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const servers = (mcpServers: object): Promise<void> =>
  writeFile(join(project, '.mcp.json'), JSON.stringify({ mcpServers }));

const place = () => ({
  project,
  home,
  places: { config: join(root, 'config'), data: root, cache: root },
});

/** Runs the command; `answers` are those of who sits at the terminal, null is nobody. */
async function trust(
  args: Partial<TrustArguments>,
  answers: boolean[] | null = null,
): Promise<{ code: number; out: string; err: string; asked: string[] }> {
  let [out, err] = ['', ''];
  const asked: string[] = [];
  const confirm = (question: string): Promise<boolean> => {
    asked.push(question);
    return Promise.resolve(answers?.shift() === true);
  };
  const code = await trustCommand(
    { action: undefined, operands: [], all: false, yes: false, json: false, ...args },
    {
      project,
      approvals: join(root, 'config', 'approvals.json'),
      now: () => new Date('2030-01-02T03:04:05Z'),
      load: () => definitionsInFull(place()),
      confirm: answers === null ? null : confirm,
    },
    { stdout: (text) => void (out += text), stderr: (text) => void (err += text) },
  );
  return { code, out, err, asked };
}

const states = async (): Promise<string[]> => {
  const { out } = await trust({ json: true });
  return (JSON.parse(out) as { name: string; state: string }[]).map(({ name, state }) => `${name} ${state}`);
};

describe('larik trust', () => {
  it('lists what waits, what is approved, what has changed and what is gone', async () => {
    await trust({ action: 'approve', all: true, yes: true });
    await servers({ one: { command: 'run-one' }, two: { command: 'other' }, three: { command: 'x' } });
    expect((await trust({})).out).toBe(
      'MCP server one (.mcp.json): approved since 2030-01-02\n    runs run-one\n' +
        'MCP server two (.mcp.json): waits for approval: it has changed since it was approved (2030-01-02)\n' +
        '    runs other\nMCP server three (.mcp.json): waits for approval\n    runs x\n',
    );
    await servers({});
    expect(await states()).toEqual(['one gone', 'two gone']);
  });

  it('approves what is answered with yes, after showing it', async () => {
    const { code, out, err, asked } = await trust({ action: 'approve' }, [true, false]);
    expect([code, out]).toEqual([1, 'approved MCP server one (.mcp.json)\n']);
    expect(err).toContain('    runs run-one\n');
    expect(asked).toEqual([
      'Approve MCP server one (.mcp.json)? [y/N] ',
      'Approve MCP server two (.mcp.json)? [y/N] ',
    ]);
    expect(await states()).toEqual(['one approved', 'two waiting', 'a__b unusable']);
  });

  it.each([
    [{ operands: ['one'] }, /nobody is at a terminal to be asked; .*--yes\n$/],
    [{ yes: true }, /--yes approves what is named; name it, or write --all\n$/],
    [{ operands: ['nope'], yes: true }, /there is no definition nope; there are: one, two, a__b\n$/],
    [
      { operands: ['a__b'], yes: true },
      /a__b \(\.mcp\.json\) cannot be approved: its name may not hold __\n$/,
    ],
    [{ operands: ['one'], all: true, yes: true }, /usage: larik trust/],
  ])('approves nothing by %j where nobody is asked', async (args, told) => {
    const { code, out, err } = await trust({ action: 'approve', ...args });
    expect([code, out, err]).toEqual([2, '', expect.stringMatching(told)]);
    expect(await states()).toEqual(['one waiting', 'two waiting', 'a__b unusable']);
  });

  it('takes approvals back, by name or all of this project', async () => {
    await trust({ action: 'approve', all: true, yes: true });
    const file = join(root, 'config', 'approvals.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as { approvals: { folder: string }[] };
    const other = { ...kept.approvals[0]!, folder: join(root, 'elsewhere') };
    await writeFile(file, JSON.stringify({ ...kept, approvals: [...kept.approvals, other] }));
    expect(await trust({ action: 'revoke', operands: ['two', 'nope'] })).toMatchObject({ code: 2, out: '' });
    expect((await trust({ action: 'revoke', operands: ['two'] })).out).toBe('revoked two\n');
    expect(await states()).toEqual(['one approved', 'two waiting', 'a__b unusable']);
    await trust({ action: 'revoke', all: true });
    expect(await states()).toEqual(['one waiting', 'two waiting', 'a__b unusable']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ approvals: [other] });
    expect((await trust({ action: 'revoke' })).code).toBe(2);
    expect((await trust({ action: 'revoke', operands: ['one'] })).err).toBe(
      'larik trust revoke: there is no approval of one; nothing is approved here\n',
    );
  });

  it('is named by one notice at a start, until nothing waits', async () => {
    expect(await definitionNotices(place())).toEqual([
      '2 definitions wait for approval: MCP server one (.mcp.json), MCP server two (.mcp.json); ' +
        '1 definition cannot be approved: MCP server a__b (.mcp.json); ' +
        'this version of larik runs none of them; larik trust list shows them',
    ]);
    await servers({ one: { command: 'run-one' } });
    await trust({ action: 'approve', operands: ['one'], yes: true });
    expect(await definitionNotices(place())).toEqual([]);
  });
});
