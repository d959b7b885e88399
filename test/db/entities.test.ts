import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import { ALL_ENTITIES, ENTITIES, entityOf } from '../../src/entities/entities.ts';
import { type Entity, fieldOf } from '../../src/entities/entity.ts';
import { FATES } from '../../src/features/people/forget-person.ts';
import { openTestDatabase } from '../support/test-database.ts';

const db = await openTestDatabase();
after(() => db[Symbol.asyncDispose]());

/** Columns that no field describes: the service fills them in, whatever is written. */
const FILLED_IN: Readonly<Partial<Record<Entity['name'], readonly string[]>>> = {
  user: ['renamed_at'],
  department: ['renamed_at'],
  band: ['renamed_at'],
  companyRole: [
    'origin',
    ...['holder_name', 'holder_limit', 'holder_active', 'holder_from', 'holder_until', 'holder_leaves'],
  ],
  roleGrant: ['origin'],
  booking: ['updated_at', 'position', 'reversed'],
  field: ['deactivated_at'],
};

async function columnsOf({ table }: Entity) {
  return db.query<{ column: string; type: string; nullable: boolean; hasDefault: boolean }>(sql`
    select attname::text as "column", format_type(coalesce(nullif(typbasetype, 0), atttypid), null) as type,
           not attnotnull as nullable, atthasdef as "hasDefault"
      from pg_attribute join pg_type on pg_type.oid = atttypid
     where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''`);
}

/** What its generated columns are made of, but for keys. */
async function foldedColumnsOf({ table }: Entity) {
  const found = await db.query<{ column: string }>(sql`
    select distinct base.attname::text as "column"
      from pg_attrdef
      join pg_attribute made on made.attrelid = adrelid and made.attnum = adnum and made.attgenerated <> ''
      join pg_depend on classid = 'pg_attrdef'::regclass and objid = pg_attrdef.oid
                    and refclassid = 'pg_class'::regclass and refobjid = adrelid and refobjsubid not in (0, adnum)
      join pg_attribute base on base.attrelid = adrelid and base.attnum = refobjsubid
     where adrelid = ${table}::text::regclass and made.attname <> base.attname || '_key'`);
  return found.map(({ column }) => column);
}

async function uniqueIndexesOf({ table }: Entity) {
  return db.query<{ name: string; definition: string; isPrimary: boolean }>(sql`
    select relname::text as name, pg_get_indexdef(indexrelid) as definition, indisprimary as "isPrimary"
      from pg_index join pg_class on pg_class.oid = indexrelid
     where indrelid = ${table}::text::regclass and indisunique`);
}

describe('rows that refer to a person', () => {
  it('each foreign key to a person has a declared fate at an erasure', async () => {
    const found = await db.query<{ column: string }>(sql`
      select distinct conrelid::regclass::text || '.' || attname::text as "column"
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
       where confrelid = 'users'::regclass and contype = 'f' and (array_length(conkey, 1) = 1 or attname <> 'company_id')`);
    const ofEntities = ALL_ENTITIES.flatMap(({ table, fields }) =>
      Object.values(fields).flatMap(({ column, references }) => (references === 'user' ? [`${table}.${column}`] : [])),
    );
    const stated = [...Object.keys(FATES), ...ofEntities];
    assert.deepEqual(found.map(({ column }) => column).toSorted(), stated.toSorted());
  });
});

for (const entity of ENTITIES) {
  describe(`the description of a ${entity.noun}`, () => {
    const described = Object.values(entity.fields).map(({ column }) => column);

    it(`the folded fields of a ${entity.noun} are those from which its table computes columns`, async () => {
      const folded = Object.values(entity.fields).flatMap((field) => (field.folded ? [field.column] : []));
      assert.deepEqual((await foldedColumnsOf(entity)).toSorted(), folded.toSorted());
    });

    it(`the fields of a ${entity.noun} are the columns of its table, with the same types and nullability`, async () => {
      const columns = await columnsOf(entity);
      const names = columns.map(({ column }) => column);
      const times = entity.hasTimestamps ? ['updated_at', ...names.filter((name) => name === 'created_at')] : [];
      const expected = new Set([...described, ...(FILLED_IN[entity.name] ?? []), ...times]);
      assert.deepEqual(names.toSorted(), [...expected].toSorted());
      for (const { column, kind, nullable = false, sqlDefault, default: initial } of Object.values(entity.fields)) {
        const found = columns.find((candidate) => candidate.column === column);
        const type = kind.sqlType === 'timestamptz' ? 'timestamp with time zone' : kind.sqlType;
        assert.deepEqual([found?.type, found?.nullable], [type, nullable], column);
        if (initial !== undefined) assert.deepEqual(kind.parse(String(initial)), { value: initial }, column);
        if (sqlDefault !== undefined && column === 'created_at') assert.ok(found?.hasDefault);
      }
    });

    it(`the unique keys of a ${entity.noun} are those of its table, by the names in violations`, async () => {
      const indexes = (await uniqueIndexesOf(entity)).filter(
        ({ definition }) => !definition.includes('company_id, id)'),
      );
      const [primary] = indexes.filter(({ isPrimary }) => isPrimary);
      assert.match(primary?.definition ?? '', new RegExp(`\\(${fieldOf(entity, entity.id).column}\\)$`));
      const others = indexes.filter(({ isPrimary }) => !isPrimary);
      assert.deepEqual(
        others.map(({ name }) => name),
        entity.unique.map(({ constraint }) => constraint),
      );
      for (const { fields, constraint, ignoresCase = false } of entity.unique) {
        const { definition = '' } = others.find(({ name }) => name === constraint) ?? {};
        const columns = fields.map((field) => {
          const { column, kind } = fieldOf(entity, field);
          return ignoresCase && kind.sqlType === 'text' ? `${column}_key` : column;
        });
        assert.ok(definition.includes(`(${columns.join(', ')})`), definition);
      }
    });

    it(`the references of a ${entity.noun} are the foreign keys of its table`, async () => {
      const found = await db.query<{ column: string; table: string }>(sql`
        select distinct attname::text as "column", confrelid::regclass::text as "table"
          from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
         where conrelid = ${entity.table}::text::regclass and contype = 'f'
           and (array_length(conkey, 1) = 1 or attname not in ('company_id', 'id'))`);
      const tables = ENTITIES.map(({ table }): string => table);
      // Of a group of either kind, a trigger asserts that it is there.
      const stated = Object.values(entity.fields).flatMap(({ column, references, orIn, outlivesTarget = false }) =>
        references && !orIn && !outlivesTarget ? [{ column, table: entityOf(references).table }] : [],
      );
      const byColumn = (list: { column: string; table: string }[]) =>
        list.map(({ column, table }) => `${column} of ${table}`).toSorted();
      assert.deepEqual(byColumn(found.filter(({ table }) => tables.includes(table))), byColumn(stated));
    });
  });
}
