/** What a resume does before its first request, as one module that can be bundled and measured alone. */
export { jsonlSessionStore } from '../../adapters/sessions/jsonl-session-store.ts';
export { takeFileLock } from '../../adapters/system/file-lock.ts';
export { systemClock } from '../../adapters/system/system-clock.ts';
export { systemIds } from '../../adapters/system/system-ids.ts';
export { restore } from '../../domain/conversation/restore.ts';
