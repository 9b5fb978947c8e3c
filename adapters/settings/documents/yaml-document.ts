import { cosmiconfig } from 'cosmiconfig';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { type ParsedDocument, withoutMark } from './settings-document.ts';

/** Reads the text of a YAML settings file. Never throws. */
export function parseYamlDocument(raw: string): ParsedDocument {
  const lines = new LineCounter();
  const document = parseDocument(withoutMark(raw), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    // The message may quote the file, which may hold a key.
    const text = `it is not valid YAML (${error.code.toLowerCase().replaceAll('_', ' ')})`;
    return { ok: false, problem: { position: at(error.pos[0]), text } };
  }
  let value: unknown;
  try {
    value = (document.toJS({ maxAliasCount: 100 }) as unknown) ?? {};
  } catch {
    return { ok: false, problem: { position: null, text: 'its aliases expand to too much' } };
  }
  return {
    ok: true,
    document: {
      value,
      positionOf(path) {
        const node = document.getIn(path, true);
        return isNode(node) && node.range ? at(node.range[0]) : null;
      },
    },
  };
}

/** Reads a YAML settings file. This module is loaded only when there is one. */
export async function loadYamlDocument(path: string): Promise<ParsedDocument> {
  const loader = (_: string, content: string): ParsedDocument => parseYamlDocument(content);
  const explorer = cosmiconfig('larik', { searchPlaces: [], loaders: { '.yaml': loader, '.yml': loader } });
  const found = await explorer.load(path);
  if (found === null || found.isEmpty === true) return parseYamlDocument('');
  return found.config as ParsedDocument;
}
