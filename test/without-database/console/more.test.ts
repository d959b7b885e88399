import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import ts from 'typescript';

const SOURCES = 'web/src';

/** Declarations that read the first rows of a list on purpose, and why nobody misses the others. */
const FIRST_ALONE: Readonly<Record<string, string>> = {
  useFound: 'hits of a search, which a longer text narrows',
  CompanyBox: 'choices of a search, which a longer text narrows',
  PersonBox: 'choices of a search, which a longer text narrows',
  useIsLastAdmin: 'whether there is a second one',
  useDefaults: 'one person, for the name of their department',
  lastChange: 'the latest one',
  policyChangedBy: 'the latest ones, for the name of the author',
  Changes: 'the link to all has their number',
  useHighestLimits: 'the highest ones',
  useGroups: 'the caller has the pages',
  LatestChanges: 'the latest ones, with a link to all',
  useImportCheck: 'a report with its own total',
  readAll: 'each page, one after the other',
};

/** Returns the names of the declarations of a source that ask for a limited number of rows and do not read how many there are. */
function withoutTotal(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const declarations = file.statements.map((statement) => {
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
    const own = (declared as { name?: ts.Node }).name?.getText() ?? '';
    return { own, text: statement.getText(), isLimited: isLimited(statement) };
  });
  const queries = declarations.filter((one) => /^[A-Z_]+$/.test(one.own) && one.isLimited).map(({ own }) => own);
  return declarations
    .filter((one) => !queries.includes(one.own))
    .filter((one) => one.isLimited || queries.some((query) => new RegExp(`\\b${query}\\b`).test(one.text)))
    .filter((one) => !/pagination|<More of=|hasNextPage/.test(one.text))
    .map(({ own }) => own);
}

/** Returns whether a query within it has a number of rows: a number, or a constant of the file. */
function isLimited(node: ts.Node): boolean {
  const isLimit =
    ts.isPropertyAssignment(node) &&
    node.name.getText() === 'limit' &&
    (ts.isNumericLiteral(node.initializer) || /^[A-Z_]+$/.test(node.initializer.getText()));
  return isLimit || (ts.forEachChild(node, (child) => isLimited(child) || undefined) ?? false);
}

it('each request of the console for the first rows of a list reads how many there are', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const found = files.flatMap((name) =>
    withoutTotal(name, readFileSync(join(SOURCES, name), 'utf8'))
      .filter((own) => FIRST_ALONE[own] === undefined)
      .map((own) => `${name}: ${own}`),
  );
  assert.deepEqual(found, []);
});

it('the check of first rows reports a component that ignores the total, and one by a constant', () => {
  const ignoring = "function Reports() { return useGet('/api/users/list', { limit: 100 }).data?.data; }";
  const constant = "const OVER = { limit: NAMED };\nfunction Over() { return useGet('/x', OVER).data; }";
  const reading = "function Read() { const page = useGet('/x', { limit: 9 }).data; return <More of={page} />; }";
  assert.deepEqual(
    [ignoring, constant, reading].map((text) => withoutTotal('x.tsx', text)),
    [['Reports'], ['Over'], []],
  );
});
