const subjects = ['command', 'path', 'pattern', 'url', 'query', 'id', 'plan'];

/** What a call is about: the one field of its input that tells most, as it came; null if none does. */
export function callSubject(input: unknown): string | null {
  const fields = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  const subject = subjects.map((key) => fields[key]).find((value) => typeof value === 'string');
  return typeof subject === 'string' ? subject : null;
}
