import { unbashParser } from '../../adapters/shell/unbash-parser.ts';
import { noResult } from '../../domain/conversation/conversation.ts';
import { decide } from '../../domain/permissions/decide.ts';
import { gatherFacts } from '../../domain/permissions/facts.ts';
import { fitImage } from '../../domain/images/fit-image.ts';
import { parseRules } from '../../domain/permissions/rules.ts';
import { autoCheckMessage, autoCheckSystem } from '../../domain/prompt/auto-check.ts';
import * as compaction from '../../domain/prompt/compaction.ts';
import * as notes from '../../domain/prompt/notes.ts';
import { sandboxChanged } from '../../domain/prompt/sandbox.ts';
import { titleRequest } from '../../domain/prompt/title.ts';
import { pictureNotShown, pictureScaled, pictureUnseen } from '../../domain/prompt/pictures.ts';
import * as refusals from '../../domain/prompt/refusals.ts';
import { memoryFiles } from '../../plugins/testing/index.ts';
import type { Mode } from '../../ports/mode.ts';
import type { Tool } from '../../ports/tool.ts';
import { headerOnly } from '../adapters/images/pictures.ts';
import { sandbox } from './contexts.ts';

/** A text of larik's own, and what it is for. */
export interface NamedText {
  name: string;
  text: string;
}

const toolNames = [
  'bash',
  'bash_output',
  'edit',
  'exit_plan_mode',
  'glob',
  'grep',
  'read',
  'todo_write',
  'write',
];

/** All notes, with examples of what they name. */
export const noteTexts: NamedText[] = [
  { name: 'plan mode on', text: notes.planModeOn },
  { name: 'plan mode ended', text: notes.planModeEnded('accept-edits') },
  { name: 'undo', text: notes.filesRestored(false, ['src/a.ts', 'docs/b.md']) },
  { name: 'undo that changed no file', text: notes.filesRestored(false, []) },
  { name: 'redo', text: notes.filesRestored(true, ['src/a.ts', 'docs/b.md']) },
  { name: 'redo that changed no file', text: notes.filesRestored(true, []) },
  { name: 'command of the user', text: notes.userRan('make test', 'ended with exit code 1', '1 failed\n') },
  { name: 'silent command of the user', text: notes.userRan('true', 'ended with exit code 0', '') },
  { name: 'interrupted', text: notes.interruptedByUser },
  { name: 'resumed on another day', text: notes.resumedOn('2026-02-03') },
  { name: 'resumed without some tools', text: notes.toolsGone(['zeta_find', 'acme_ask']) },
  { name: 'resumed by a user who answers', text: notes.answersNow(true) },
  { name: 'resumed where nobody answers', text: notes.answersNow(false) },
  { name: 'resumed without a sandbox', text: sandboxChanged('', { ...sandbox, works: false }) ?? '' },
  { name: 'call written as text', text: notes.callWrittenAsText },
  { name: 'title', text: titleRequest },
];

/** What is said around a compaction, and in place of what is left out. */
export const compactionTexts: NamedText[] = [
  { name: 'summary asked for', text: compaction.summaryRequest('') },
  { name: 'summary asked for, with a focus', text: compaction.summaryRequest('the failing test') },
  { name: 'session goes on', text: compaction.continues('/data/sessions/s.jsonl') },
  { name: 'session goes on, none is kept', text: compaction.continues('') },
  { name: 'summary', text: compaction.summaryText('- Task: "rename it".') },
  {
    name: 'open items of the task list',
    text: compaction.openTodos([
      { content: 'rename the function', status: 'in_progress' },
      { content: 'run the tests', status: 'pending' },
    ]),
  },
  { name: 'in the middle of a turn', text: compaction.goOn },
  { name: 'refused block', text: compaction.leftOutBlock('An image') },
  { name: 'cut in the copy', text: compaction.cutForSummary(12345) },
  { name: 'oldest messages left out of the copy', text: compaction.oldestLeftOut },
];

/** What the check of mode auto is told. */
export const autoCheckTexts: NamedText[] = [
  { name: 'check of a call', text: autoCheckSystem },
  {
    name: 'a call to be checked',
    text: autoCheckMessage('/home/kim/app', ['make the tests pass'], {
      tool: 'bash',
      input: { command: 'npm test # <b>', sandbox: false },
    }),
  },
];

/** What a model reads of a call that the ladder denies. */
async function denied(
  tool: Pick<Tool, 'effect' | 'subject'> & { name: string },
  input: Record<string, unknown>,
  mode: Mode = 'default',
) {
  const place = { cwd: '/home/kim/app', project: '/home/kim/app', home: '/home/kim' };
  const files = memoryFiles({ '/home/kim/app/.git/config': '' }).link('/home/kim/app/out', '/tmp');
  const rules = parseRules({
    allow: [],
    ask: [],
    deny: [{ text: 'bash(rm *)', origin: 'config.json:4' }],
  }).rules;
  const call = { tool, input };
  const facts = await gatherFacts(call, { files, parser: unbashParser }, place);
  return refusals.refusedByPolicy(
    decide(call, facts, { ...place, mode, rules, sandboxed: false, guard: true }).because.text,
  );
}

const bash = { name: 'bash', effect: 'write' as const, subject: { field: 'command', kind: 'text' as const } };
const edit = { name: 'edit', effect: 'write' as const, subject: { field: 'path', kind: 'path' as const } };

/** What is said where nothing scales a picture. */
async function tooLarge(): Promise<string> {
  const fitted = await fitImage(headerOnly(9000, 100), undefined, new AbortController().signal);
  return 'refused' in fitted ? pictureNotShown(fitted.refused) : '';
}

/** All results that the loop gives by itself. */
export async function loopErrorTexts(): Promise<NamedText[]> {
  return [
    { name: 'unknown tool, known from another agent', text: refusals.unknownTool('apply_patch', toolNames) },
    { name: 'unknown tool, misspelt', text: refusals.unknownTool('gerp', toolNames) },
    { name: 'unknown tool, nothing near', text: refusals.unknownTool('teleport', toolNames) },
    { name: 'arguments cut off, first time', text: refusals.argumentsBroken('write', 0) },
    { name: 'arguments cut off, again', text: refusals.argumentsBroken('write', 1) },
    { name: 'refused by a rule', text: await denied(bash, { command: 'rm -r build' }) },
    { name: 'refused by plan mode', text: await denied(edit, { path: 'src/a.ts' }, 'plan') },
    { name: 'refused, protected', text: await denied(edit, { path: '.git/config' }) },
    { name: 'refused, outside the project', text: await denied(edit, { path: '../b.ts' }) },
    { name: 'refused, through a link', text: await denied(edit, { path: 'out/b.ts' }) },
    { name: 'refused by the user, with words', text: refusals.refusedByUser('Use pnpm here, please.') },
    { name: 'refused by the user, without words', text: refusals.refusedByUser() },
    { name: 'nobody there, a rule would do', text: refusals.nobodyThere('bash(npm test*)') },
    { name: 'nobody there, no rule would do', text: refusals.nobodyThere(null) },
    {
      name: 'nobody there, and the guard asks',
      text: refusals.guardedForNobody('it would delete the home folder /home/kim'),
    },
    { name: 'nobody there to approve a plan', text: refusals.planForNobody },
    {
      name: 'changed by a hook, not valid',
      text: refusals.rewriteInvalid('bash', 'command: expected a string, got 7.'),
    },
    { name: 'ended by a hook', text: refusals.stoppedByHook('The tests must pass first.') },
    { name: 'a tool that broke', text: refusals.toolBroke('read', 'out of memory') },
    { name: 'interrupted', text: refusals.interrupted },
    { name: 'no result, as after a kill', text: noResult },
    { name: 'output cut', text: refusals.outputCut(12345) },
    {
      name: 'a picture scaled down',
      text: pictureScaled('scaled down to be sent: from 3000 by 20 to 2000 by 13 pixels'),
    },
    { name: 'a picture that is too large', text: await tooLarge() },
    { name: 'a picture for a model that sees none', text: pictureUnseen },
  ];
}
