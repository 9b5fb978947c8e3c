import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editorOf, openEditor } from '../commands/config/editor.ts';

/** Characters that come back at most. */
const longest = 1_000_000;

export interface EditorOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** What the editor gets: no keys. */
  editorEnv: Record<string, string>;
  /** Runs the editor on a file; returns why it did not end well, or null. */
  open?: typeof openEditor;
}

/**
 * Lets the user write a text in `$VISUAL` or `$EDITOR`, in a file that only they can read and that is gone
 * afterwards. Throws an error whose message can be shown; the text is as it was then.
 */
export async function editedText(text: string, { env, editorEnv, open = openEditor }: EditorOptions) {
  const editor = editorOf(env);
  if (editor === null) throw new Error('no editor is named; set VISUAL or EDITOR');
  const folder = await mkdtemp(join(tmpdir(), 'larik-prompt-'));
  try {
    const file = join(folder, 'prompt.md');
    await writeFile(file, text, { mode: 0o600 });
    const failed = await open(editor, file, editorEnv);
    if (failed !== null) throw new Error(`${editor}: ${failed}; the text is as it was`);
    // Editors end the last line, which a prompt does not.
    return (await readFile(file, 'utf8')).slice(0, longest).replace(/\r\n/g, '\n').replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
