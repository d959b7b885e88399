import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

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
  Totals: 'sums, which are of all rows',
  useGroups: 'the caller has the pages',
  LatestChanges: 'the latest ones, with a link to all',
  useImportCheck: 'a report with its own total',
  readAll: 'each page, one after the other',
};

/** Returns the names of the declarations of a source that ask for a limited number of rows and do not read how many there are. */
function withoutTotal(name: string, text: string): string[] {
  const { program } = parseSync(name, text);
  const limits: number[] = [];
  new Visitor({
    Property(property) {
      if (isLimit(property)) limits.push(property.start);
    },
  }).visit(program);
  const declarations = program.body.map((statement) => {
    const { start, end } = statement;
    const isLimited = limits.some((at) => start <= at && at < end);
    return { own: nameOf(statement), text: text.slice(start, end), isLimited };
  });
  const queries = declarations.filter((one) => /^[A-Z_]+$/.test(one.own) && one.isLimited).map(({ own }) => own);
  return declarations
    .filter((one) => !queries.includes(one.own))
    .filter((one) => one.isLimited || queries.some((query) => new RegExp(`\\b${query}\\b`).test(one.text)))
    .filter((one) => !/pagination|<More of=|hasNextPage/.test(one.text))
    .map(({ own }) => own);
}

/** Returns whether a property is a number of rows: a number, or a constant of the file. */
function isLimit({ key, value }: { key: ESTree.Node; value: ESTree.Node }): boolean {
  if (key.type !== 'Identifier' || key.name !== 'limit') return false;
  if (value.type === 'Literal') return typeof value.value === 'number';
  return value.type === 'Identifier' && /^[A-Z_]+$/.test(value.name);
}

/** Returns the name of a declaration, exported or not; empty for other statements. */
function nameOf(statement: ESTree.Statement): string {
  const inner = (statement.type === 'ExportNamedDeclaration' && statement.declaration) || statement;
  if (inner.type === 'VariableDeclaration') {
    const id = inner.declarations[0]?.id;
    return id?.type === 'Identifier' ? id.name : '';
  }
  return inner.type === 'FunctionDeclaration' ? (inner.id?.name ?? '') : '';
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
