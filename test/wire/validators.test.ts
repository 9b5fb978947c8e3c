// The strict servers of test/wire/validators take what the wire formats pin, and refuse what they forbid.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { wireFolder } from './fixture-server.ts';
import { problemsIn } from './validators/validators.ts';

const folder = path.join(wireFolder, 'transcripts');
const protocols = ['anthropic', 'openai-responses', 'gemini', 'ollama', 'openai-compat'];
const names = fs.readdirSync(folder).filter((file) => /^[^.]+\.json$/.test(file));

function pinned(name: string, protocol: string): { url: string; body: string } {
  const stem = name.slice(0, -'.json'.length);
  const { targets } = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as {
    targets: Record<string, { model: string }>;
  };
  const body = fs.readFileSync(path.join(folder, `${stem}.${protocol}.json`), 'utf8');
  return { url: `/v1beta/models/${targets[protocol]?.model}:streamGenerateContent`, body };
}

describe.each(protocols)('a strict server of %s', (protocol) => {
  it('takes every request body that is pinned', () => {
    const problems = names.flatMap((name) =>
      problemsIn(protocol, pinned(name, protocol)).map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });

  it('refuses a conversation of which a piece is missing', () => {
    for (const name of ['02-anthropic-tool-loop.json', '05-mixed-producers.json']) {
      const { url, body } = pinned(name, protocol);
      const parsed = JSON.parse(body) as Record<string, unknown>;
      const key = ['messages', 'input', 'contents'].find((each) => each in parsed)!;
      const items = parsed[key] as Record<string, unknown>[];
      // An answer of text alone may be missing: the user may speak twice where results stand apart.
      const first = items.find((item) => item['role'] !== 'system');
      const kept = items.filter((item) => item === first || /call|tool_|function/.test(JSON.stringify(item)));
      for (const item of kept) {
        const rest = { ...parsed, [key]: items.filter((each) => each !== item) };
        expect(problemsIn(protocol, { url, body: JSON.stringify(rest) }), JSON.stringify(item)).not.toEqual(
          [],
        );
      }
    }
  });

  it.each([
    ['what is foreign', '04-gemini-signatures.json', (text: string) => text, { isOwn: () => false }],
    [
      'half a character',
      '01-plain.json',
      (text: string) => text.replace(/("(?:text|content)": ?")/, '$1\\ud83d'),
      {},
    ],
    [
      'an empty text',
      '01-plain.json',
      (text: string) => text.replace(/("(?:text|content)": ?)"[^"]+"/g, '$1" "'),
      {},
    ],
  ])('refuses %s', (what, name, change, options) => {
    const producers: Record<string, string> = {
      anthropic: '02-anthropic-tool-loop.json',
      'openai-responses': '03-openai-reasoning.json',
      gemini: '04-gemini-signatures.json',
    };
    const file = what === 'what is foreign' ? producers[protocol] : name;
    if (file === undefined) return;
    const { url, body } = pinned(file, protocol);
    expect(problemsIn(protocol, { url, body: change(body) }, options)).not.toEqual([]);
  });
});
