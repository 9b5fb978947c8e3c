import { cutEnd } from '../../../domain/text/cut.ts';
import type { ToolResult } from '../../../plugins/sdk/index.ts';

/** Bytes that an error may have (spec: prompting, "Results"). */
const errorBytes = 1500;

/** An error for the model: what failed and where, the facts, the next step. */
export function failure(text: string, most = errorBytes): ToolResult {
  return { content: cutEnd(text, most), isError: true };
}

/** `1 line`, `2 lines`; thousands are not grouped, so that numbers can be copied. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A number as it stands in prose: `2,000`. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
