// `npm run shape`: how the code is cut. Prints lines per folder, files over 400 lines, folders over
// 12 files, exports with one user (listed with `--all`) or none, and ports with one method and one caller.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const layers = ['domain', 'ports', 'adapters', 'plugins', 'apps', 'test'];
const publicEntries = new Set(['apps/index.ts', 'plugins/sdk/index.ts', 'plugins/testing/index.ts']);

function* walk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!['fixtures', 'node_modules'].includes(entry.name)) yield* walk(path);
    } else if (/\.(ts|mjs)$/.test(entry.name)) yield path;
  }
}

const files = layers
  .flatMap((layer) => [...walk(join(root, layer))])
  .map((path) => ({ path: relative(root, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
const linesOf = (file) => file.text.split('\n').length - 1;

const title = (text) => console.log(`\n${text}`);
const row = (left, right) => console.log(`  ${String(left).padEnd(44)} ${right}`);

title('Lines per folder');
const byFolder = new Map();
for (const file of files) {
  const folder = dirname(file.path).split('/').slice(0, 2).join('/');
  const sum = byFolder.get(folder) ?? { lines: 0, files: 0 };
  byFolder.set(folder, { lines: sum.lines + linesOf(file), files: sum.files + 1 });
}
for (const [folder, { lines, files: count }] of [...byFolder].sort())
  row(folder, `${lines} lines, ${count} files`);
const core = files
  .filter((file) => /^(domain|ports)\//.test(file.path))
  .reduce((sum, file) => sum + linesOf(file), 0);
row('domain and ports together', `${core} lines`);

title('Files over 400 lines');
for (const file of files) if (linesOf(file) > 400) row(file.path, linesOf(file));

title('Folders over 12 files');
const perFolder = new Map();
for (const file of files) perFolder.set(dirname(file.path), (perFolder.get(dirname(file.path)) ?? 0) + 1);
for (const [folder, count] of [...perFolder].sort()) if (count > 12) row(folder, count);

// Users are counted by file: a name exported here and imported there.
const exported = [];
const users = new Map();
const sources = files.filter((file) => file.path.endsWith('.ts'));
for (const file of sources) {
  const tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
  for (const node of tree.statements) {
    const isExport =
      ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
    if (isExport) {
      const names = ts.isVariableStatement(node)
        ? node.declarationList.declarations.map((d) => d.name)
        : [node.name];
      for (const name of names)
        if (name && ts.isIdentifier(name)) exported.push({ file: file.path, name: name.text, node });
    }
  }
  const note = (specifier, names) => {
    if (!specifier.startsWith('.')) return;
    const target = join(dirname(file.path), specifier).replaceAll('\\', '/');
    for (const name of names) {
      const key = `${target}#${name}`;
      users.set(key, (users.get(key) ?? new Set()).add(file.path));
    }
  };
  const visit = (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
      if (bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) {
        note(
          node.moduleSpecifier.text,
          bindings.elements.map((e) => (e.propertyName ?? e.name).text),
        );
      }
    }
    if (
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      ts.isStringLiteral(node.arguments[0])
    ) {
      const target = node.arguments[0].text;
      const names = /\b(\w+)\b/g;
      const around = node.parent?.parent?.getText() ?? '';
      note(
        target,
        [...around.matchAll(names)].map((m) => m[1]),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

const single = [];
title('Exports that no other file uses, or only tests use');
for (const { file, name, node } of exported) {
  if (file.startsWith('test/') || publicEntries.has(file)) continue;
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) continue;
  const who = [...(users.get(`${file}#${name}`) ?? [])];
  const code = who.filter((user) => !user.startsWith('test/'));
  if (code.length === 0) {
    row(`${file}: ${name}`, who.length === 0 ? 'nobody' : `tests only (${who.length})`);
  } else if (code.length === 1) single.push([`${file}: ${name}`, code[0]]);
}

title(
  `Exports with one user: ${single.length}${process.argv.includes('--all') ? '' : ' (listed with --all)'}`,
);
if (process.argv.includes('--all')) for (const [left, right] of single) row(left, right);

title('Ports with one method and one caller');
for (const { file, name, node } of exported) {
  if (!file.startsWith('ports/') || !ts.isInterfaceDeclaration(node)) continue;
  const methods = node.members.filter((m) => ts.isMethodSignature(m));
  const callers = [...(users.get(`${file}#${name}`) ?? [])].filter((user) => user.startsWith('domain/'));
  if (methods.length === 1 && node.members.length === 1 && callers.length <= 1)
    row(`${file}: ${name}`, callers.join(', ') || 'no caller in domain');
}
