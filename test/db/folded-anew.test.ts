import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { migrate } from '../../src/db/migrator.ts';
import { fold } from '../../src/lib/text-folding.ts';
import { insertRow, uuid, validRows } from '../support/rows.ts';
import { openBlankDatabase, type TestDatabase } from '../support/test-database.ts';

const FOLDING = 25;
const BEFORE = Math.max(
  ...readdirSync('migrations')
    .map((file) => Number.parseInt(file, 10) || 0)
    .filter((number) => number < FOLDING),
);

/** What is stored folded, by table, and what it is made from: a line of each. */
const SEARCHED = {
  companies: [['name'], ['legal_name'], ['gstin'], ['email']],
  departments: [['name'], ['cost_code']],
  employee_bands: [['name'], ['code']],
  approval_policies: [['name']],
  users: [['first_name', 'last_name'], ['email']],
} as const;

const TABLES = Object.keys(SEARCHED) as (keyof typeof SEARCHED)[];

/** Two rows of each table: what folds in another way than before, and what does not. */
const RENAMED = {
  companies: [
    { name: 'Müller–Lüdenscheid', gstin: 'A' },
    { name: 'Coca-Cola', gstin: 'B' },
  ],
  departments: [
    { name: 'कार', cost_code: 'C`1' },
    { name: 'Écriture', cost_code: 'C2' },
  ],
  employee_bands: [
    { name: 'バス', code: 'P' },
    { name: 'Größe', code: 'Q' },
  ],
  approval_policies: [{ name: 'Ħaż-Żabbar' }, { name: 'Łódź' }],
  users: [
    { first_name: 'Ana\u200b', last_name: 'Əliyev', email: 'ana@acme.example' },
    { first_name: 'José', last_name: 'Ruiz', email: 'jose@acme.example' },
  ],
} as const;

interface Stored {
  id: string;
  version: string;
  name_folded: string;
  search_text: string;
  line: string[];
}

async function storedIn(db: TestDatabase, table: keyof typeof SEARCHED): Promise<Stored[]> {
  const lines = SEARCHED[table].map((columns) => columns.join(" || ' ' || ")).join(', ');
  const searchText = table === 'approval_policies' ? 'name_folded' : 'search_text';
  return db.query<Stored>(
    sql`select id::text, xmin::text as version, name_folded, ${raw(searchText)} as search_text, array[${raw(lines)}]::text[] as line from ${raw(table)} order by 1`,
  );
}

it('what is stored folded is folded anew where the rule has changed, and nothing else is written', async () => {
  await using db = await openBlankDatabase();
  await migrate(db, { version: BEFORE });
  for (const [number, table] of TABLES.entries()) {
    for (const [index, names] of RENAMED[table].entries()) {
      const id = table === 'approval_policies' ? `policy-${index}` : uuid(10 * number + index + 1);
      await insertRow(db, table, { ...validRows[table], ...names, id });
    }
  }
  const before = new Map(await Promise.all(TABLES.map(async (table) => [table, await storedIn(db, table)] as const)));
  await migrate(db);
  for (const table of TABLES) {
    const after = await storedIn(db, table);
    for (const { line, name_folded, search_text } of after) {
      assert.equal(search_text, line.map(fold).join('\n'));
      assert.equal(name_folded, fold(line[0] ?? ''));
    }
    const [changed, same] = after.map(({ version }, row) => version !== before.get(table)?.[row]?.version);
    assert.deepEqual([changed, same], [true, false], table);
  }
});
