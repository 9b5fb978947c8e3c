import { describe, expect, it } from 'vitest';
import { unbashParser } from '../../adapters/shell/unbash-parser.ts';
import { decide, type Decision } from '../../domain/permissions/decide.ts';
import { gatherFacts } from '../../domain/permissions/facts.ts';
import { parseRules } from '../../domain/permissions/rules.ts';
import { memoryFiles } from '../../plugins/testing/memory-files.ts';
import type { Mode } from '../../ports/mode.ts';
import { programPath } from '../installed.ts';
import { runInBash } from './bash-runs.ts';
import { Random } from './random.ts';
import { forbiddenThatRan, wronglyAllowed } from './reference.ts';
import { shellLine } from './shell-grammar.ts';

const count = Number(process.env['LARIK_FUZZ_LINES'] ?? 2000);
const seed = Number(process.env['LARIK_FUZZ_SEED'] ?? 20_260_101);
/** So many are decided and run before the next ones are. */
const batch = 2000;

const place = { cwd: '/p', project: '/p', home: '/home/me' };
const allow = [
  'ls*',
  'git log*',
  'git status',
  'tool*',
  'make',
  'echo*',
  'cat*',
  'printf*',
  'true',
  ':',
  'find*',
  'xargs*',
  'env*',
  'timeout*',
  'nice*',
  'bash*',
  'sh*',
  'command*',
  'eval*',
  'export*',
  'set*',
  'read*',
  'trap*',
];
const deny = ['rm*', 'curl*', 'git push*'];
/** What the safe list lets through beside the rules. */
const safe = ['git diff', 'git log', 'git show', 'git branch'];

const sources = (patterns: readonly string[]) => patterns.map((pattern) => ({ text: `bash(${pattern})` }));

async function decided(
  line: string,
  mode: Mode,
  rules: { allow: string[]; deny: string[] },
): Promise<Decision> {
  const parsed = parseRules({ allow: sources(rules.allow), ask: [], deny: sources(rules.deny) });
  const policy = { ...place, mode, rules: parsed.rules, sandboxed: false, guard: false };
  const call = { tool: { name: 'bash', effect: 'write' as const }, input: { command: line } };
  return decide(
    call,
    await gatherFacts(call, { files: memoryFiles(), parser: unbashParser }, policy),
    policy,
  );
}

describe.skipIf(programPath('bwrap') === null)('lines of a grammar, decided and run in bash', () => {
  it(`${count} lines show no contradiction`, { timeout: 36_000_000 }, async () => {
    const random = new Random(seed);
    const contradictions: string[] = [];
    const tally = { allowed: 0, denied: 0, computed: 0, run: 0, reached: 0 };
    let slowest = { ms: 0, line: '' };
    for (let from = 0; from < count; from += batch) {
      // What is allowed by neither cannot be wrong, and is not run.
      const questions: { line: string; held: boolean; free: boolean }[] = [];
      for (let at = from; at < Math.min(from + batch, count); at += 1) {
        const line = shellLine(random);
        const start = process.cpuUsage();
        const held = await decided(line, 'default', { allow, deny: [] });
        const forbidden = await decided(line, 'yolo', { allow: [], deny });
        const ms = process.cpuUsage(start).user / 2000;
        if (ms > slowest.ms) slowest = { ms, line };
        if (held.decision === 'allow') tally.allowed += 1;
        if (forbidden.decision === 'deny') tally.denied += 1;
        if (forbidden.because.step === 'computed') tally.computed += 1;
        const question = { line, held: held.decision === 'allow', free: forbidden.decision === 'allow' };
        if (question.held || question.free) questions.push(question);
      }
      tally.run += questions.length;
      const runs = await runInBash(questions.map(({ line }) => line));
      for (const [at, { line, held, free }] of questions.entries()) {
        const run = runs[at] ?? { ran: [], written: [] };
        if (run.ran.length > 0) tally.reached += 1;
        const wrong = held ? wronglyAllowed([...allow, ...safe], run) : null;
        if (wrong !== null) contradictions.push(`allowed, and ${wrong}: ${JSON.stringify(line)}`);
        const ran = free ? forbiddenThatRan(deny, run) : null;
        if (ran !== null) contradictions.push(`${ran} ran, and was not denied: ${JSON.stringify(line)}`);
      }
      if (contradictions.length >= 20) break;
    }
    const { allowed, denied, computed, run, reached } = tally;
    process.stdout.write(
      `fuzz: ${count} lines, seed ${seed}: ${allowed} allowed by rules; ${denied} denied, ${computed} asked as computed; ` +
        `${run} run, ${reached} of them ran a stand-in; slowest decision ${slowest.ms.toFixed(1)} ms\n` +
        `  ${JSON.stringify(slowest.line).slice(0, 120)}\n`,
    );
    expect(contradictions.slice(0, 20)).toEqual([]);
    // The grammar reaches both sides.
    expect(allowed).toBeGreaterThan(count / 50);
    expect(denied).toBeGreaterThan(count / 10);
  });
});
