import { unbashParser } from '../../../adapters/shell/unbash-parser.ts';
import { decide, type Decision, type Policy } from '../../../domain/permissions/decide.ts';
import { gatherFacts, type PermissionCall } from '../../../domain/permissions/facts.ts';
import { parseRules } from '../../../domain/permissions/rules.ts';
import { suggestRule } from '../../../domain/permissions/suggest-rule.ts';
import { memoryFiles, type MemoryFiles } from '../../../plugins/testing/memory-files.ts';
import type { Mode } from '../../../ports/mode.ts';
import type { UncommittedWork } from '../../../ports/uncommitted-work.ts';
import type { ToolEffect, ToolSubject } from '../../../ports/tool.ts';

export const place = { cwd: '/p', project: '/p', home: '/home/me' };

/** What a test says of its call; everything else is as quiet as can be. */
export interface Setting {
  allow?: string[];
  ask?: string[];
  deny?: string[];
  mode?: Mode;
  sandboxed?: boolean;
  files?: MemoryFiles;
  uncommitted?: UncommittedWork;
  guard?: boolean;
  cwd?: string;
  project?: string;
}

const path: ToolSubject = { field: 'path', kind: 'path' };
const tools: Record<string, { effect: ToolEffect; subject?: ToolSubject }> = {
  read: { effect: 'read', subject: path },
  grep: { effect: 'read', subject: path },
  write: { effect: 'write', subject: path },
  edit: { effect: 'write', subject: path },
  bash: { effect: 'write' },
  web_fetch: { effect: 'network', subject: { field: 'url', kind: 'host' } },
  exit_plan_mode: { effect: 'write' },
};

/** A call of `tool` with the one thing that rules look at. */
export function callOf(tool: string, subject: string): PermissionCall {
  const field = tool === 'bash' ? 'command' : (tools[tool]?.subject?.field ?? 'input');
  return { tool: { name: tool, ...(tools[tool] ?? { effect: 'write' }) }, input: { [field]: subject } };
}

export function policyOf(setting: Setting): Policy {
  const sources = (texts: string[] = []) => texts.map((text) => ({ text }));
  const { rules, problems } = parseRules({
    allow: sources(setting.allow),
    ask: sources(setting.ask),
    deny: sources(setting.deny),
  });
  if (problems.length > 0) throw new Error(problems.map(({ text }) => text).join('\n'));
  const { mode = 'default', sandboxed = false, guard = true } = setting;
  const { cwd = place.cwd, project = place.project } = setting;
  return { ...place, cwd, project, mode, sandboxed, rules, guard };
}

export async function decideCall(call: PermissionCall, setting: Setting = {}): Promise<Decision> {
  const policy = policyOf(setting);
  const { files = memoryFiles(), uncommitted } = setting;
  const ports = { files, parser: unbashParser, ...(uncommitted === undefined ? {} : { uncommitted }) };
  const facts = await gatherFacts(call, ports, policy);
  return decide(call, facts, policy);
}

export async function decideBash(line: string, setting: Setting = {}): Promise<Decision['decision']> {
  return (await decideCall(callOf('bash', line), setting)).decision;
}

export async function suggest(call: PermissionCall): Promise<string | null> {
  return suggestRule(call, await gatherFacts(call, { files: memoryFiles(), parser: unbashParser }, place));
}
