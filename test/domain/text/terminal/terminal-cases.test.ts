import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../../../domain/text/one-line.ts';
import { callInFull } from '../../../../domain/text/terminal/call-in-full.ts';
import { TerminalText } from '../../../../domain/text/terminal/terminal-text.ts';
import { visibleText } from '../../../../domain/text/terminal/visible-text.ts';

interface TerminalCase {
  id: string;
  where: string;
  text: string;
  chunks?: string[];
  expect: { forbid: string[]; show: string[]; marked?: boolean; rows?: number; note: string };
}

const columns = 80;
const path = new URL('../../../fixtures/cases/terminal.jsonl', import.meta.url);
const cases = readFileSync(path, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as TerminalCase);

/** What comes as it is made, such as a command's output and the model's answer. */
function streamed(pieces: readonly string[]): string {
  const text = new TerminalText();
  return pieces.map((piece) => text.push(piece)).join('') + text.end();
}

/** The way to the screen of each place that a case names. */
function shown({ where, text, chunks }: TerminalCase): string {
  switch (where) {
    case 'tool output':
    case 'model text':
      return streamed(chunks ?? [text]);
    case 'file name':
    case 'branch name':
    case 'session title':
    case 'web page title':
    case 'MCP server name':
      return oneLine(text);
    case 'error message':
      return streamed([text]);
    case 'MCP tool description':
      return visibleText(text);
    case 'permission prompt':
      return callInFull({ command: text }, columns).rows.join('\n');
    case 'permission prompt, diff':
      return callInFull(text, columns).rows.join('\n');
    default:
      throw new Error(`no case stood in ${where} before`);
  }
}

/** The rows of a screen: what has no control characters cannot do more than fill them. */
function screen(text: string): string[] {
  return text.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'gsu')) ?? ['']);
}

/** Whether the texts stand on the screen in this order; a row that is full goes on in the next. */
function standInOrder(rows: readonly string[], texts: readonly string[]): boolean {
  const all = rows.map((row) => row.replace(/^│ /, '')).join('');
  let at = 0;
  return texts.every((text) => {
    const found = all.indexOf(text, at);
    at = found + text.length;
    return found !== -1;
  });
}

describe('cases of a terminal', () => {
  for (const one of cases) {
    it(`${one.id} ${one.where}: ${one.expect.note}`, () => {
      const written = shown(one);
      const rows = screen(written);
      expect(one.expect.forbid.filter((text) => written.includes(text))).toEqual([]);
      expect(written).not.toMatch(/[^\P{Cc}\t\n]/u);
      expect({ rows, inOrder: standInOrder(rows, one.expect.show) }).toEqual({ rows, inOrder: true });
      if (one.expect.rows !== undefined) expect(rows.length).toBeLessThanOrEqual(one.expect.rows);
      if (one.expect.marked === true) expect(written).toMatch(/\\u\{[0-9a-f]+\}|\\[rnt]/);
      if (one.where.startsWith('permission prompt')) {
        expect(rows.filter((row) => !row.startsWith('│ '))).toEqual([]);
      }
    });
  }
});
