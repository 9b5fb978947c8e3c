/** Asks for a session's name (spec: prompting, "Title"). The caller wraps it in a note. */
export const titleRequest =
  'Name this conversation for a list of sessions, in six words at most and in the language of the user. Call no tool. Answer with the name alone, in one line, without quotes or a full stop at its end.';
