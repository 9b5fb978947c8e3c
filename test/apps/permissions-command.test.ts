import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { permissionsCommand, type PermissionsArguments } from '../../apps/commands/permissions.ts';

let folder = '';
const temporary = process.env['TMPDIR'];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larik-test-'));
  process.env['TMPDIR'] = folder;
});
afterEach(async () => {
  if (temporary === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = temporary;
  await rm(folder, { recursive: true });
});

async function run(args: Partial<PermissionsArguments>, input: (string | Uint8Array)[] = []) {
  const told = { stdout: '', stderr: '' };
  const code = await permissionsCommand(
    {
      action: 'explain',
      operands: [],
      json: false,
      cwd: folder,
      rules: { allow: [], ask: [], deny: [] },
      guard: true,
      hidden: [],
      sandboxed: async () => false,
      ...args,
    },
    {
      stdin: (async function* () {
        yield* input;
      })(),
      stdout: (text) => (told.stdout += text),
      stderr: (text) => (told.stderr += text),
    },
  );
  return { code, ...told };
}

describe('permissions explain', () => {
  it('tells what would happen to one call, and which rule would allow it', async () => {
    expect(await run({ operands: ['bash(git push)'] })).toEqual({
      code: 0,
      stdout:
        'ask: no rule and no mode covers it (step 10, what nothing else settles)\nthis rule would allow it: bash(git push*)\n',
      stderr: '',
    });
  });

  it("takes the user's rules, the mode, and a whole input", async () => {
    const rules = { allow: [], ask: [], deny: [{ text: 'bash(git push*)', origin: '/x/settings.json:3' }] };
    expect((await run({ operands: ['bash(git push)'], rules, mode: 'yolo' })).stdout).toBe(
      'deny: the deny rule `bash(git push*)` (/x/settings.json:3) forbids it (step 2, deny rules)\n',
    );
    expect((await run({ operands: ['bash(a=git; $a push)'], rules })).stdout).toBe(
      'deny: the deny rule `bash(git push*)` (/x/settings.json:3) forbids it (step 2, deny rules)\n' +
        '  `git push`: the deny rule `bash(git push*)` (/x/settings.json:3) forbids it\n',
    );
    const { stdout } = await run({ operands: ['write({"path": "/etc/x", "content": ""})'], json: true });
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny', because: { step: 1 } });
  });

  it('says which command of a line which rule covers, with its place', async () => {
    const rules = {
      allow: [{ text: 'bash(git status*)', origin: '/x/config.json:3' }, { text: 'bash(git diff*)' }],
      ask: [],
      deny: [],
    };
    const { stdout } = await run({ operands: ['bash(git status && git diff --output=x)'], rules });
    expect(stdout.trim().split('\n')).toEqual([
      'ask: no rule and no mode covers it (step 10, what nothing else settles)',
      '  `git status`: the allow rule `bash(git status*)` (/x/config.json:3) covers it',
      '  `git diff --output=x`: the allow rule `bash(git diff*)` does not name --output=x',
    ]);
  });

  it('names the part of the ladder that decides', async () => {
    const first = async (args: Partial<PermissionsArguments>) => (await run(args)).stdout.split('\n')[0];
    expect(await first({ operands: ['bash(make)'], sandboxed: async () => true })).toBe(
      'allow: it runs in the sandbox (step 7, the sandbox)',
    );
    const rules = { allow: [], ask: [{ text: 'bash(make*)', origin: '--ask' }], deny: [] };
    expect(await first({ operands: ['bash(make)'], rules })).toBe(
      'ask: the ask rule `bash(make*)` (--ask) names it (ask rules)',
    );
    expect(await first({ operands: ['bash(rm -rf /)'], mode: 'yolo' })).toMatch(/^ask: .* \(the guard\)$/);
    expect(await first({ operands: ['bash(rm -rf /)'], mode: 'yolo', guard: false })).toBe(
      'allow: mode yolo allows what no deny rule forbids (step 3, mode yolo)',
    );
  });

  it('tells what else would settle a question', async () => {
    const lines = async (args: Partial<PermissionsArguments>) => (await run(args)).stdout.trim().split('\n');
    expect(await lines({ operands: ['edit(a.txt)'] })).toEqual([
      'ask: no rule and no mode covers it (step 10, what nothing else settles)',
      '--mode accept-edits would allow it',
      'this rule would allow it: edit',
    ]);
    expect(await lines({ operands: ['edit(.npmrc)'] })).toEqual([
      'ask: no rule and no mode covers it (step 10, what nothing else settles)',
      'this rule would allow it: edit',
    ]);
    const outside = 'bash({"command": "make", "sandbox": false})';
    expect(await lines({ operands: [outside], mode: 'auto', sandboxed: async () => true })).toEqual([
      'ask: it is to run outside the sandbox, and no rule and no mode covers that (step 10, what nothing else settles)',
      'before you are asked, in mode auto, a model judges it',
      'this rule would allow it: bash(make*)',
    ]);
    expect((await lines({ operands: ['bash(rm -rf /)'], mode: 'yolo' }))[1]).toBe(
      'no rule and no mode lifts that; larik config set guard off switches the guard off',
    );
  });

  it('tells what an input must be for a tool without a subject', async () => {
    for (const tool of ['web_search', 'todo_write', 'mcp__a__b'])
      expect((await run({ operands: [`${tool}(x)`] })).stderr).toBe(
        `larik permissions explain: ${tool} takes a JSON object: ${tool}({…})\n`,
      );
    expect((await run({ operands: ['Bash(ls)'] })).stderr).toBe(
      'larik permissions explain: this version has no tool Bash; did you mean bash?\n',
    );
  });

  it('tells of a file that is hidden from every tool', async () => {
    const hidden = [join(folder, 'keys')];
    const { stdout } = await run({ operands: [`read(${join(folder, 'keys', 'id_rsa')})`], hidden });
    expect(stdout.trim().split('\n')).toEqual([
      'allow: read changes nothing (step 4, what only reads)',
      expect.stringMatching(/^but nothing is shown: .*id_rsa is kept from tools, .*`sandbox\.deny_read`/),
    ]);
  });

  it('shows what is in a call or a file of cases without obeying it', async () => {
    const told = [
      await run({ operands: ['read(\u001b[2J/etc/shadow)'] }),
      await run({
        operands: ['bash(\u001b[2J)'],
        rules: { allow: [], ask: [], deny: [{ text: 'bash(\u001b[2J' }] },
      }),
    ];
    const file = join(folder, 'cases.jsonl');
    for (const one of [
      { id: '\u001b[2J', tool: 'bash', input: { command: 'ls' }, expect: 'deny' },
      { tool: 'bash', input: { command: 'ls' }, rules: { deny: ['\u001b[2J'] }, expect: 'deny' },
      { tool: 'bash', input: { command: 'ls' }, files: { dirs: ['../../\u001b[2J'] }, expect: 'deny' },
    ]) {
      await writeFile(file, JSON.stringify(one));
      told.push(await run({ action: 'test', operands: ['cases.jsonl'] }));
    }
    for (const { stdout, stderr } of told) expect(stdout + stderr).not.toContain('\u001b');
  });

  it('says when the tool is not in this version', async () => {
    expect(await run({ operands: ['web_fetch(https://x.example)'] })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^ask: /),
      stderr:
        'larik permissions: this version has no tool `web_fetch`; the answer is for one that reaches the network\n',
    });
    const { code, stdout, stderr } = await run({ operands: ['bsh'], json: true });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'larik permissions: this version has no tool `bsh`; the answer is for one that writes; did you mean bash?\n',
    });
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'ask' });
    expect((await run({ operands: ['bash(ls)'] })).stderr).toBe('');
  });

  it('decides cases from standard input, in whatever pieces they come', async () => {
    const cases = [
      {
        id: 'a',
        tool: 'bash',
        input: { command: 'rm é' },
        rules: { deny: ['bash(rm *)'] },
        mode: 'yolo',
        why: 'x',
      },
      {
        id: 'b',
        tool: 'write',
        input: { path: '{{project}}/l/x', content: '' },
        files: { symlinks: { l: 'src' } },
      },
      { id: 'c', tool: 'write', input: { path: 'x' }, mode: 'accept-edits', cwd: 'src' },
    ];
    const bytes = new TextEncoder().encode(`${cases.map((one) => JSON.stringify(one)).join('\n')}\n\n`);
    const { code, stdout, stderr } = await run(
      { json: true },
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    );
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect({ code, stderr, answers }).toMatchObject({
      code: 0,
      stderr: '',
      answers: [
        { id: 'a', decision: 'deny', because: { step: 2, rule: { text: 'bash(rm *)' } } },
        { id: 'b', decision: 'deny', because: { step: 1 } },
        { id: 'c', decision: 'allow', because: { step: 9 } },
      ],
    });
    expect(await readdir(folder)).toEqual([]);
  });

  const bad: [line: string, error: string][] = [
    ['{', 'not JSON'],
    ['[]', 'expected object'],
    ['{"id":"x","input":{}}', 'tool: '],
    ['{"tool":"bash","mode":"fast"}', 'mode: '],
    ['{"tool":"bash","rules":{"deny":["bash("]}}', 'deny rule `bash(`: expected'],
    ['{"tool":"bash","cwd":"../outside"}', 'cwd: '],
    ['{"tool":"bash","files":{"files":{"../../x":""}}}', '../../x lies outside'],
    [
      '{"tool":"bash","files":{"files":{"a":""},"symlinks":{"l":"/tmp"},"hardlinks":{"l/x/y":"a"}}}',
      'l/x/y leads out',
    ],
  ];
  for (const [line, error] of bad) {
    it(`names the line that is no case: ${line}`, async () => {
      const { code, stderr } = await run({ json: true }, [`{"tool":"todo_write"}\n${line}\n`]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^larik permissions: standard input, line 2: .*\n$/);
      expect(stderr).toContain(error);
    });
  }

  it('says how it is used', async () => {
    for (const args of [{ action: undefined }, { action: 'x' }, { operands: [] }, { operands: ['a', 'b'] }]) {
      const { code, stderr } = await run(args);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('usage: larik permissions explain'),
      });
    }
    expect((await run({ operands: ['no call'] })).code).toBe(2);
    expect((await run({ operands: ['todo_write(x)'] })).code).toBe(2);
  });
});

describe('permissions test', () => {
  const test = async (lines: object[]) => {
    await writeFile(join(folder, 'cases.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    return run({ action: 'test', operands: ['cases.jsonl'] });
  };
  const right = { id: 'r', tool: 'bash', input: { command: 'pwd' }, expect: 'allow' };

  it('is quiet about what is as expected', async () => {
    expect(await test([right])).toEqual({ code: 0, stdout: '1 as expected, 0 different\n', stderr: '' });
  });

  it('names each difference', async () => {
    expect(await test([right, { ...right, id: 'w', expect: 'deny' }])).toEqual({
      code: 1,
      stdout:
        'w: expected deny, got allow: the command is on the safe list (step 8, the safe list)\n1 as expected, 1 different\n',
      stderr: '',
    });
  });

  it('takes a missing expectation or file for an error', async () => {
    expect(await test([{ ...right, expect: undefined }])).toMatchObject({
      code: 2,
      stderr: 'larik permissions: cases.jsonl:1: expect: expected allow, ask or deny\n',
    });
  });

  it.each([
    ['none.jsonl', 'there is no file none.jsonl; give one with a case a line, as JSON'],
    ['.', '. is a folder; give a file with a case a line, as JSON'],
    ['empty.jsonl', 'no case in empty.jsonl; give a file with a case a line, as JSON'],
    ['blank.jsonl', 'no case in blank.jsonl; give a file with a case a line, as JSON'],
    [
      'text.txt',
      'text.txt:2: not JSON: `nothing here`; a case looks like {"tool":"bash","input":{"command":"ls"},"expect":"allow"}',
    ],
    ['list.json', 'list.json:1: expected object, received array'],
  ])('says what is wrong with %s', async (name, text) => {
    await writeFile(join(folder, 'empty.jsonl'), '');
    await writeFile(join(folder, 'blank.jsonl'), '\n \n');
    await writeFile(join(folder, 'text.txt'), `${JSON.stringify(right)}\nnothing here\n`);
    await writeFile(join(folder, 'list.json'), '[]');
    expect(await run({ action: 'test', operands: [name] })).toEqual({
      code: 2,
      stdout: '',
      stderr: `larik permissions: ${text}\n`,
    });
  });
});
