import type { SavedRules } from '../../../ports/settings.ts';
import { appendJson } from '../documents/json-edits.ts';
import { alone, changeFile, type TakeLock } from './changed-file.ts';

const path = ['permissions', 'allow'];

function isListed(value: unknown, rule: string): boolean {
  const { permissions } = (value ?? {}) as { permissions?: { allow?: unknown } };
  const list = permissions?.allow;
  return Array.isArray(list) && list.includes(rule);
}

/**
 * Keeps rules in the user's private settings of a project, a JSON file that is made, with its folder, if
 * it is not there (spec: permissions, "Authorize"). A file that is not sound is never written.
 */
export function savedRules(file: string, lock: TakeLock): SavedRules {
  return {
    async allow(rule) {
      await alone(file, lock, () =>
        changeFile(file, path, (text, { value }) =>
          isListed(value, rule) ? { text } : appendJson(text, path, rule),
        ),
      );
    },
  };
}
