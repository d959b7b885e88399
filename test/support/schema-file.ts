import sql from 'sql-template-tag';
import type { Reader } from '../../src/db/database.ts';

const NOTICE = `-- The schema after all migrations: tables with their columns, keys, indexes and triggers, then functions; each by name.
-- Written by \`npm run docs\`: change it by a new file in migrations/.`;

interface Described {
  name: string;
  comment: string | null;
}

interface Statement {
  statement: string;
  comment: string | null;
}

interface Table extends Described {
  columns: (Described & { definition: string })[];
  constraints: Statement[];
  /** Partitions, sequences, indexes, triggers. */
  others: Statement[];
}

interface Routine extends Described, Statement {
  source: string;
  /** A statement; null: everybody may call it. */
  revoked: string | null;
}

/** Returns the schema of a database as SQL: the same for the same schema on every version of PostgreSQL, and on PGlite. */
export async function schemaFile(db: Reader): Promise<string> {
  const domains = await db.query<Described & { definition: string }>(DOMAINS);
  const blocks = [
    NOTICE,
    ...domains.map(({ name, comment, definition }) =>
      lines(note(comment), `create domain ${name} as ${plain(definition)};`),
    ),
    ...(await db.query<Table>(TABLES)).map(tableBlock),
    ...(await db.query<Routine>(FUNCTIONS)).map(({ comment, statement, source, revoked }) =>
      lines(note(comment), `${statement} as $$${abridged(source)}$$;`, revoked),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function tableBlock({ name, comment, columns, constraints, others }: Table): string {
  const width = Math.max(...columns.map((column) => column.name.length));
  const items = [
    ...columns.map((column) => ({ ...column, statement: `${column.name.padEnd(width)} ${plain(column.definition)}` })),
    ...constraints.map((constraint) => ({ ...constraint, statement: `constraint ${plain(constraint.statement)}` })),
  ];
  const listed = items.map((item, index) => {
    const line = `  ${item.statement}${index === items.length - 1 ? '' : ','}`;
    return item.comment === null ? line : lines(`  -- ${item.comment}`, line);
  });
  const following = others.map((other) => lines(note(other.comment), `${plain(other.statement)};`));
  return lines(note(comment), `create table ${name} (`, ...listed, ');', ...following);
}

function note(comment: string | null): string | null {
  return comment === null ? null : `-- ${comment}`;
}

function lines(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n');
}

/** Returns SQL of the catalogs as people write it: in lower case, without casts of literals and whether old rows were checked. Literals and quoted names stay. */
function plain(statement: string): string {
  const parts = statement.split(/('(?:[^']|'')*'|"[^"]*")/);
  const spelled = parts.map((part, index) => (index % 2 === 1 ? part : spell(part))).join('');
  return spelled.replace(/= any \(array\[([^\]]*)\]\)/g, 'in ($1)').replaceAll('"position"', 'position');
}

function spell(code: string): string {
  return code
    .replace(/^::(?:text|regclass)(?:\[\])?|(?<=\d)::numeric\b/g, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replaceAll('( ', '(')
    .replaceAll(' using btree', '')
    .replace(/ not valid$/, '')
    .replace('timestamp with time zone', 'timestamptz');
}

/** Leaves out most letters of the tables of letters. */
function abridged(source: string): string {
  return source.replace(/([^\0-\x7f]{5})[^\0-\x7f]{30,}([^\0-\x7f]{5})/gu, '$1…$2');
}

const DOMAINS = sql`
  select typname as name, obj_description(oid, 'pg_type') as comment,
         concat_ws(' ', format_type(typbasetype, typtypmod),
           (select string_agg(pg_get_constraintdef(oid, true), ' ' order by conname collate "C") from pg_constraint
             where contypid = pg_type.oid and contype = 'c')) as definition
    from pg_type where typtype = 'd' and typnamespace = current_schema()::regnamespace order by typname collate "C"`;

// An index of a constraint is told by the constraint; that of a partition, and the triggers of foreign keys, follow from others.
const TABLES = sql`
  select relname as name, obj_description(pg_class.oid, 'pg_class') as comment,
         (select json_agg(json_build_object(
                   'name', attname, 'comment', col_description(attrelid, attnum),
                   'definition', concat_ws(' ', format_type(atttypid, atttypmod),
                     case when attstorage <> typstorage then 'storage ' || case attstorage when 'm' then 'main' else attstorage::text end end,
                     case when attnotnull then 'not null' end,
                     case when attidentity <> '' then 'generated always as identity' end,
                     case when attgenerated <> '' then 'generated always as (' || pg_get_expr(adbin, adrelid, true) || ') stored'
                          else 'default ' || pg_get_expr(adbin, adrelid, true) end)) order by attnum)
            from pg_attribute join pg_type on pg_type.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
           where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
         (select coalesce(json_agg(json_build_object('statement', conname || ' ' || pg_get_constraintdef(oid, true),
                                                     'comment', obj_description(oid, 'pg_constraint'))
                                   order by position(contype in 'pufc'), conname collate "C"), '[]')
            from pg_constraint where conrelid = pg_class.oid and contype in ('p', 'u', 'f', 'c')) as constraints,
         (select coalesce(json_agg(json_build_object('statement', replace(statement, ' ' || current_schema() || '.', ' '), 'comment', comment)
                                   order by kind, statement collate "C"), '[]') from (
            select 1 as kind, obj_description(relid, 'pg_class') as comment,
                   concat('create table ', relid, ' partition of ', pg_class.relname, ' ', pg_get_expr(partition.relpartbound, relid)) as statement
              from pg_partition_tree(pg_class.oid) join pg_class partition on partition.oid = relid where level > 0
            union all
            select 2, null, concat('create sequence ', objid::regclass, ' owned by ', relname, '.', attname)
              from pg_depend join pg_attribute on attrelid = refobjid and attnum = refobjsubid
             where refobjid = pg_class.oid and classid = 'pg_class'::regclass and deptype = 'a'
               and (select relkind from pg_class owned where owned.oid = objid) = 'S'
            union all
            select 3, obj_description(indexrelid, 'pg_class'), pg_get_indexdef(indexrelid, 0, true) from pg_index
             where indrelid = pg_class.oid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
            union all
            select 4, null, concat('alter index ', attrelid::regclass, ' alter column ', attnum, ' set statistics ', attstattarget)
              from pg_index join pg_attribute on attrelid = indexrelid where indrelid = pg_class.oid and attstattarget >= 0
            union all
            select 5, obj_description(oid, 'pg_trigger'), pg_get_triggerdef(oid, true) from pg_trigger where tgrelid = pg_class.oid and not tgisinternal) parts) as others
    from pg_class
   where relkind in ('r', 'p') and not relispartition and relname <> 'schema_version' and relnamespace = current_schema()::regnamespace
   order by relname collate "C"`;

const FUNCTIONS = sql`
  select proname as name, obj_description(oid, 'pg_proc') as comment, prosrc as source,
         concat_ws(' ', 'create function', proname || '(' || pg_get_function_arguments(oid) || ')',
           'returns', pg_get_function_result(oid), 'language', (select lanname from pg_language where oid = prolang),
           case provolatile when 'i' then 'immutable' when 's' then 'stable' end, case when proisstrict then 'strict' end,
           case when prosecdef then 'security definer' end, case when proparallel = 's' then 'parallel safe' end,
           case when procost <> 100 then 'cost ' || procost end,
           (select string_agg('set ' || replace(setting, current_schema() || ',', 'SCHEMA,'), ' ' order by setting collate "C")
              from unnest(proconfig) setting)) as statement,
         case when proacl is not null and not exists (select from aclexplode(proacl) where grantee = 0)
              then 'revoke execute on function ' || proname || ' from public;' end as revoked
    from pg_proc where pronamespace = current_schema()::regnamespace
   order by proname collate "C", pg_get_function_arguments(oid) collate "C"`;
