import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wireFolder } from './fixture-server.ts';

const original = path.resolve(import.meta.dirname, '../../../shared/wire');

function filesOf(folder: string): Map<string, string> {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => fs.statSync(path.join(folder, name)).isFile());
  return new Map(files.map((name) => [name, fs.readFileSync(path.join(folder, name), 'base64')]));
}

// Skipped, and shown as such, where the original is not beside the project.
it.skipIf(!fs.existsSync(original))('the copy of the wire fixtures is like the original', () => {
  expect([...filesOf(wireFolder).keys()]).toEqual([...filesOf(original).keys()]);
  expect(filesOf(wireFolder)).toEqual(filesOf(original));
});
