import sql, { type Sql } from 'sql-template-tag';
import { mergeRows } from '../audit/merge-rows.ts';
import type { Database, Session } from '../db/database.ts';
import { company } from '../entities/company.ts';
import { readPhone } from '../entities/phone.ts';
import { user } from '../entities/user.ts';
import { gives, type StagedFile, stagingTable } from './stage/staging.ts';

/** Telephone numbers that are read at once. */
const PIECE = 2000;

/** Returns the condition that a telephone number is not in E.164. */
const isTyped = (phone: Sql): Sql => sql`${phone} !~ '^\\+[1-9][0-9]{1,14}(;ext=[0-9]+)?$'`;

interface Typed {
  key: string;
  phone: string;
  country: string | null;
}

/** Returns those that can be read, in E.164. */
function readAll(typed: readonly Typed[]): { key: string; phone: string }[] {
  return typed.flatMap(({ key, phone, country }) => {
    const reading = readPhone(phone, country);
    return 'value' in reading && reading.value !== phone ? [{ key, phone: reading.value }] : [];
  });
}

/** Writes the telephone numbers of staged people in E.164, by the country of their company; others stay as they are. */
export async function readStagedPhones(session: Session, files: readonly StagedFile[]): Promise<void> {
  if (!files.some((file) => file.entity === user && gives(file, 'phone'))) return;
  const people = stagingTable(user);
  for (let last = '-1'; ; ) {
    const typed = await session.query<Typed>(sql`
      select s.line::text as key, s.phone, coalesce(stored.country, given.country, country_of_gstin(given.gstin)) as country
        from ${people} s left join companies stored on stored.id = s.company_id
        left join ${stagingTable(company)} given on given.id = s.company_id
       where s.line > ${last}::integer and ${isTyped(sql`s.phone`)} order by s.line limit ${PIECE}::integer`);
    const read = JSON.stringify(readAll(typed));
    await session.query(sql`
      update ${people} s set phone = given.phone
        from jsonb_to_recordset(${read}::text::jsonb) as given (key integer, phone text) where s.line = given.key`);
    last = typed.at(-1)?.key ?? last;
    if (typed.length < PIECE) return;
  }
}

/** Schema version since which telephone numbers are in E.164. */
const SINCE = '0069';

/** Writes the stored telephone numbers in E.164 once it is their form, in small transactions; those that cannot be read stay as they are. */
export async function readPhonesOnce(db: Database, applied: readonly string[]): Promise<void> {
  if (!applied.some((name) => name.startsWith(SINCE))) return;
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const typed = await db.query<Typed>(sql`
      select users.id::text as key, phone, country from users join companies on companies.id = users.company_id
       where users.id > ${last}::uuid and ${isTyped(sql`phone`)} order by users.id limit ${PIECE}::integer`);
    const read = readAll(typed);
    if (read.length > 0) {
      const rows = sql`(
        select (jsonb_populate_record(users, jsonb_build_object('phone', read.phone))).*
          from jsonb_to_recordset(${JSON.stringify(read)}::text::jsonb) as read (key uuid, phone text)
          join users on users.id = read.key)`;
      const staged = { entity: user, rows, given: new Set(['phone']) };
      await db.transaction((transaction) => mergeRows(transaction, staged, { kind: 'command' }));
    }
    last = typed.at(-1)?.key ?? last;
    if (typed.length < PIECE) return;
  }
}
