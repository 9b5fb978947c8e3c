import type { TraceRecord } from '../../ports/tracer.ts';

/** Bytes of one line. */
const mostBytes = 16 * 1024 * 1024;

/** Characters of each text in a record that is too long, from the first that makes it fit. */
const keptLengths = [256 * 1024, 16 * 1024, 1024];

function shortened(value: unknown, kept: number): unknown {
  if (typeof value === 'string') {
    return value.length <= kept ? value : `${value.slice(0, kept)}… [${value.length - kept} characters cut]`;
  }
  if (Array.isArray(value)) return value.map((each) => shortened(each, kept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each, kept)]));
}

/** A record as a line. One that is too long has its texts cut, and says so. */
export function formatRecord(record: TraceRecord, most = mostBytes): string {
  const line = `${JSON.stringify(record)}\n`;
  const cut = Buffer.byteLength(line);
  if (cut <= most) return line;
  for (const kept of keptLengths) {
    const shorter = `${JSON.stringify({ ...(shortened(record, kept) as TraceRecord), cut })}\n`;
    if (Buffer.byteLength(shorter) <= most) return shorter;
  }
  const { time, seq, type } = record;
  const request = 'request' in record ? { request: record.request } : {};
  return `${JSON.stringify({ time, seq, type, ...request, cut })}\n`;
}

/** The record of a line as far as it can be trusted; null for what is none. */
export function parseRecord(line: string): TraceRecord | null {
  try {
    const value = JSON.parse(line) as unknown;
    const isRecord =
      typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
    return isRecord && 'time' in value && typeof value.time === 'string' ? (value as TraceRecord) : null;
  } catch {
    return null;
  }
}
