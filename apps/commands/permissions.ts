import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findProject } from '../../adapters/settings/project-root.ts';
import { LocalFiles } from '../../adapters/system/local-files.ts';
import { jsonText } from '../../domain/text/json-text.ts';
import { parseRules } from '../../domain/permissions/rules.ts';
import { nearNames } from '../../domain/text/near-names.ts';
import { oneLine } from '../../domain/text/one-line.ts';
import { errorText } from '../../ports/errors.ts';
import type { Mode } from '../../ports/mode.ts';
import type { RuleSources } from '../../ports/settings.ts';
import { expected } from '../command-line/help.ts';
import { CaseDecider, decideCall } from './permissions/decide-case.ts';
import { parseCall } from './permissions/call-text.ts';
import { explanation, stepName } from './permissions/explanation.ts';
import { linesOf, type Chunks } from './permissions/lines.ts';
import { parseCase, type PermissionCase } from './permissions/permission-case.ts';
import { builtinToolNames, type ToolMetadata } from './permissions/tool-metadata.ts';

export interface PermissionsArguments {
  action: string | undefined;
  operands: string[];
  json: boolean;
  mode?: Mode;
  /** Absolute. */
  cwd: string;
  /** The user's own rules. */
  rules: RuleSources;
  /** Acts that cannot be taken back are asked about. */
  guard: boolean;
  /** Paths that no tool shows anything of, absolute. */
  hidden: readonly string[];
  /** Whether commands really run in a sandbox here; asked only where it matters. */
  sandboxed(): Promise<boolean>;
}

export interface CommandIo {
  stdin: Chunks;
  stdout(text: string): void;
  stderr(text: string): void;
}

/** Where cases come from that are not in a file. */
const standardInput = 'standard input';

/**
 * `larik permissions explain|test` (spec: permissions, "Explaining"): says what would happen to calls, and
 * runs nothing. Returns the exit code: 0, 1 for a difference in `test`, 2 for bad usage or input.
 */
export async function permissionsCommand(args: PermissionsArguments, io: CommandIo): Promise<number> {
  const [operand] = args.operands;
  if (args.action === 'explain' && args.operands.length === 1 && operand !== undefined) {
    return explainCall(operand, args, io);
  }
  if (args.action === 'explain' && args.json && operand === undefined) {
    return eachCase(io.stdin, standardInput, io, (one, { decision, because }) => {
      io.stdout(`${jsonText({ id: one.id, decision, because })}\n`);
    });
  }
  if (args.action === 'test' && args.operands.length === 1 && operand !== undefined) {
    return testFile(resolve(args.cwd, operand), operand, io);
  }
  io.stderr(`${expected('permissions')}\n`);
  return 2;
}

async function explainCall(text: string, args: PermissionsArguments, io: CommandIo): Promise<number> {
  const call = parseCall(text);
  if (typeof call === 'string') {
    io.stderr(`larik permissions explain: ${call}\n`);
    return 2;
  }
  const missing = missingTool(call.tool);
  if (missing !== null) io.stderr(`larik permissions: ${missing}\n`);
  const { rules, problems } = parseRules(args.rules);
  for (const problem of problems) io.stderr(`${oneLine(problem.text)}\n`);
  if (problems.some(({ fatal }) => fatal)) return 2;
  const cwd = await realpath(args.cwd);
  const place = { cwd, project: await findProject(cwd), home: homedir() };
  const policy = {
    ...place,
    mode: args.mode ?? 'default',
    rules,
    sandboxed: await args.sandboxed(),
    guard: args.guard,
  };
  const { decision, facts } = await decideCall(call, new LocalFiles(), policy);
  if (args.json) {
    io.stdout(`${jsonText(decision)}\n`);
    return 0;
  }
  const hidden = await Promise.all(args.hidden.map((path) => realpath(path).catch(() => path)));
  const lines = explanation({ call, facts, decision, policy, hidden: [...args.hidden, ...hidden] });
  io.stdout(lines.map((line) => `${line}\n`).join(''));
  return 0;
}

const effects: Record<ToolMetadata['effect'], string> = {
  read: 'only reads',
  network: 'reaches the network',
  write: 'writes',
};

/** What the answer for a tool that this version lacks goes by; null for one that is here. */
function missingTool({ name, effect }: ToolMetadata): string | null {
  const names = builtinToolNames();
  if (names.includes(name)) return null;
  const near = nearNames(name, names);
  const meant = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  return `this version has no tool \`${name}\`; the answer is for one that ${effects[effect]}${meant}`;
}

/** What a file for `test` must be. */
const caseFile = 'with a case a line, as JSON';

async function testFile(path: string, name: string, io: CommandIo): Promise<number> {
  let right = 0;
  let wrong = 0;
  const code = await eachCase(createReadStream(path), name, io, (one, { decision, because }) => {
    if (one.expect === undefined) throw new Error('expect: expected allow, ask or deny');
    if (decision === one.expect) {
      right += 1;
      return;
    }
    wrong += 1;
    io.stdout(
      `${oneLine(one.id)}: expected ${one.expect}, got ${decision}: ${oneLine(because.text)} (${stepName(because.step)})\n`,
    );
  });
  if (code !== 0) return code;
  if (right + wrong === 0) {
    io.stderr(`larik permissions: no case in ${oneLine(name)}; give a file ${caseFile}\n`);
    return 2;
  }
  io.stdout(`${right} as expected, ${wrong} different\n`);
  return wrong === 0 ? 0 : 1;
}

/** Why a file of cases cannot be read; null for an error that is not about the file. */
function fileProblem(name: string, error: unknown): string | null {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `there is no file ${name}; give one ${caseFile}`;
    case 'EISDIR':
      return `${name} is a folder; give a file ${caseFile}`;
    case 'EACCES':
    case 'EPERM':
      return `${name} may not be read; look at its permissions`;
    default:
      return null;
  }
}

type Told = (one: PermissionCase, decision: Awaited<ReturnType<CaseDecider['decide']>>) => void;

/** Decides one case a line, in order; the first line that is no case ends it with exit code 2. */
async function eachCase(chunks: Chunks, name: string, io: CommandIo, tell: Told): Promise<number> {
  const decider = new CaseDecider(new LocalFiles());
  let number = 0;
  try {
    for await (const line of linesOf(chunks)) {
      number += 1;
      if (line.trim() === '') continue;
      const parsed = parseCase(line);
      if (!parsed.ok) throw new Error(parsed.error);
      tell(parsed.case, await decider.decide(parsed.case));
    }
    return 0;
  } catch (error) {
    const file = oneLine(name);
    const place =
      number === 0 ? file : name === standardInput ? `${file}, line ${number}` : `${file}:${number}`;
    const problem = number === 0 ? fileProblem(file, error) : null;
    io.stderr(`larik permissions: ${problem ?? `${place}: ${oneLine(errorText(error))}`}\n`);
    return 2;
  } finally {
    await decider.dispose();
  }
}
