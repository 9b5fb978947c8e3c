import { oneLine } from '../../../domain/text/one-line.ts';
import type { CacheRow } from './cache-rows.ts';

const number = (value: number): string => value.toLocaleString('en-US');

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;

const heads = ['#', 'model', 'for', 'sent', 'shared', 'of before', 'cached', 'of prompt', 'cause'];
/** Columns of words; the others are numbers and stand at the right. */
const words = new Set(['model', 'for', 'cause']);

function cells(row: CacheRow, runs: number): string[] {
  const { request, attempt, model, purpose, cached_tokens: cached, prompt_tokens: prompt, cause } = row;
  const tries = attempt > 1 ? `.${attempt}` : '';
  return [
    `${runs > 1 ? `${row.run}/` : ''}${request}${tries}`,
    oneLine(String(model)),
    oneLine(String(purpose)),
    number(row.sent_bytes),
    number(row.shared_bytes),
    share(row.shared_bytes, row.before_bytes),
    cached === null ? '?' : number(cached),
    cached === null || prompt === null ? '?' : share(cached, prompt),
    cause === null ? '' : `${row.broken ? 'BREAK: ' : ''}${oneLine(cause)}`,
  ];
}

function summary(rows: readonly CacheRow[]): string {
  const broken = rows.filter((row) => row.broken).length;
  const told = rows.filter((row) => row.prompt_tokens !== null);
  const sum = (of: (row: CacheRow) => number | null) => told.reduce((all, row) => all + (of(row) ?? 0), 0);
  const cached = share(
    sum((row) => row.cached_tokens),
    sum((row) => row.prompt_tokens),
  );
  const requests = rows.length === 1 ? '1 request' : `${rows.length} requests`;
  const breaks = broken === 0 ? 'none breaks' : broken === 1 ? '1 breaks' : `${broken} break`;
  const tokens =
    cached === '-' ? 'no server said what it had cached' : `${cached} of all prompt tokens were cached`;
  return `${requests}, ${breaks} the prefix; ${tokens}`;
}

/** The rows as a table: bytes of tools, system prompt and messages, and tokens as servers count them. */
export function cacheTable(rows: readonly CacheRow[]): string {
  const runs = new Set(rows.map(({ run }) => run)).size;
  const table = [heads, ...rows.map((row) => cells(row, runs))];
  const widths = heads.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0)));
  const lines = table.map((line) =>
    line
      .map((cell, column) =>
        words.has(heads[column] ?? '')
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n${summary(rows)}\n`;
}
