import sql, { join, type Sql } from 'sql-template-tag';
import { defaultsOf, levelOf } from '../../../api/custom-fields.ts';
import type { Writer } from '../../../db/database.ts';
import { isEnough } from '../../../entities/custom-fields.ts';
import { jsonText } from '../../../entities/formed-values.ts';
import { user } from '../../../entities/user.ts';
import { type ProblemList, runCheck } from '../../../import/check/problems.ts';
import { type StagedFile, stagingTable } from '../../../import/stage/staging.ts';
import type { BroughtPeople } from './people-changes.ts';
import { ownParts } from './people-format.ts';

const staged = stagingTable(user);

/** Puts the fields of one's own of the staged rows together with those that people have, new ones with the defaults, and checks them. */
export async function mergeOwnFields(
  db: Writer,
  file: StagedFile,
  { definitions, companyId, author }: Pick<BroughtPeople, 'definitions' | 'companyId' | 'author'>,
  problems: ProblemList,
): Promise<void> {
  const parts = ownParts(file);
  const defaults = defaultsOf(definitions);
  const given = parts.map(({ key, column }) => sql`${key}::text, ${column}`);
  const values = given.length === 0 ? sql`'{}'::jsonb` : sql`jsonb_build_object(${join(given)})`;
  if (parts.length > 0 || defaults !== null) {
    const merged = sql`jsonb_strip_nulls(coalesce(t.fields, '{}') || ${values})`;
    await db.query(sql`
      update ${staged} s
         set fields = case when t.id is null then nullif(${defaults ?? '{}'}::jsonb || jsonb_strip_nulls(${values}), '{}')
                           when ${merged} = coalesce(t.fields, '{}') then t.fields
                           else ${merged} end
        from ${staged} every left join users t on t.id = every.id where every.line = s.line`);
  }
  const level = levelOf(author.caller, companyId);
  const rows = sql`from ${staged} s left join users t on t.id = s.id`;
  const changed = (key: string) => sql`(s.fields -> ${key}::text) is distinct from (t.fields -> ${key}::text)`;
  for (const { key, type, required, default: usual, readableBy, writableBy } of definitions) {
    const part = parts.find((each) => each.key === key);
    const check = (found: Sql, reason: string) =>
      runCheck(db, problems, { entity: user, column: `fields.${key}`, found, reason: () => reason });
    const value = sql`s.line, s.fields ->> ${key}::text as value, '' as other`;
    if (part && !isEnough(level, writableBy)) {
      const isUsual = sql`t.id is null and (s.fields -> ${key}::text) is not distinct from ${usual === null ? null : jsonText(usual)}::jsonb`;
      // Whoever may not read a value does not learn by a file whether it is this one.
      const isRefused = isEnough(level, readableBy) ? changed(key) : sql`true`;
      await check(sql`select ${value} ${rows} where ${isRefused} and not (${isUsual})`, 'is written by API keys alone');
    }
    if (part && type === 'PERSON') {
      const isThere = (people: Sql) =>
        sql`exists (select from ${people} p where p.id = (s.fields ->> ${key}::text)::uuid`;
      await check(
        sql`
          select ${value} ${rows} where jsonb_exists(s.fields, ${key}) and ${changed(key)}
             and not ${isThere(sql`users`)} and p.company_id = ${companyId}::uuid) and not ${isThere(staged)})`,
        'must be the id of a person of this company',
      );
    }
    if (required && isEnough(level, writableBy)) {
      const isWritten = parts.length > 0 ? sql`s.fields is distinct from t.fields` : sql`false`;
      await check(
        sql`select ${value} ${rows} where (t.id is null or ${isWritten}) and not jsonb_exists(coalesce(s.fields, '{}'), ${key})`,
        'is required',
      );
    }
  }
}
