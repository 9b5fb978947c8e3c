import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = (path: string) => new URL(path, import.meta.url);

/** The fixtures are copies; where their source is at hand, they must not drift apart. */
describe('fixtures', () => {
  for (const name of ['cases', 'wire']) {
    const source = folder(`../../shared/${name}/`);
    const copy = folder(`fixtures/${name}/`);
    it.skipIf(!existsSync(source) || !existsSync(copy))(`${name} are the same as their source`, () => {
      const files = (url: URL) =>
        readdirSync(url, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath}/${entry.name}`.slice(url.pathname.length).replace(/^\//, ''))
          .sort();
      const contents = (url: URL) =>
        Object.fromEntries(files(url).map((file) => [file, readFileSync(new URL(file, url), 'utf8')]));
      expect(Object.keys(contents(copy))).toEqual(Object.keys(contents(source)));
      for (const [file, text] of Object.entries(contents(copy))) {
        expect(text === readFileSync(new URL(file, source), 'utf8'), file).toBe(true);
      }
    });
  }
});
