import sql, { raw, type Sql } from 'sql-template-tag';
import { notFound } from '../../api/write-request.ts';
import { jsonOfFields, todayOf } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type AuditedEntity, fieldsBut, type RowOf } from '../../entities/entity.ts';
import { traveller, type travellerArranger, travellerDocument, travellerProgramme } from '../../entities/traveller.ts';
import { user } from '../../entities/user.ts';

export type DocumentRow = RowOf<typeof travellerDocument>;
export type ProgrammeRow = RowOf<typeof travellerProgramme>;
export type ArrangerRow = RowOf<typeof travellerArranger> & { firstName: string; lastName: string };

/** A person with what they need to travel, as it is stored. */
export interface TravellerRow {
  person: Pick<RowOf<typeof user>, 'id' | 'companyId' | 'firstName' | 'lastName'>;
  /** Null: nothing but lists is there. */
  traveller: RowOf<typeof traveller> | null;
  documents: DocumentRow[];
  programmes: ProgrammeRow[];
  arrangers: ArrangerRow[];
}

const itemsOf = (entity: AuditedEntity, order: string): Sql => sql`
  coalesce((select json_agg(${jsonOfFields(entity, fieldsBut(entity))} order by ${raw(order)}, id)
              from ${raw(entity.table)} where user_id = users.id), '[]')`;

/** Returns a person with what they need to travel. @throws ApiError `NOT_FOUND` */
export async function findTraveller(db: Reader, id: string): Promise<TravellerRow> {
  const [found] = await db.query<TravellerRow>(sql`
    select ${jsonOfFields(user, ['id', 'companyId', 'firstName', 'lastName'])} as person,
           (select ${jsonOfFields(traveller, fieldsBut(traveller))} from travellers where user_id = users.id) as traveller,
           ${itemsOf(travellerDocument, 'not is_primary, type, expires_on')} as documents,
           ${itemsOf(travellerProgramme, 'kind, supplier')} as programmes,
           coalesce((select json_agg(json_build_object(
                       'id', held.id, 'userId', held.user_id, 'arrangerId', held.arranger_id, 'until', held.until::text, 'may', held.may,
                       'firstName', arranger.first_name, 'lastName', arranger.last_name) order by arranger.name_folded collate "C", held.id)
                       from traveller_arrangers held join users arranger on arranger.id = held.arranger_id
                      where held.user_id = users.id), '[]') as arrangers
      from users where id = ${id}::uuid`);
  if (found === undefined) throw notFound(user.noun);
  return found;
}

/** Returns what an arranger may do for a person today; undefined: nothing. */
export async function findRight(
  db: Reader,
  userId: string,
  arrangerId: string,
): Promise<ArrangerRow['may'] | undefined> {
  const [held] = await db.query<{ may: ArrangerRow['may'] }>(sql`
    select may from traveller_arrangers join users on users.id = user_id
     where user_id = ${userId}::uuid and arranger_id = ${arrangerId}::uuid and (until is null or until >= ${todayOf('users')})`);
  return held?.may;
}

/** Returns the people for whom somebody arranges trips today, by name. */
export function listArranged(
  db: Reader,
  arrangerId: string,
): Promise<{ userId: string; firstName: string; lastName: string }[]> {
  return db.query(sql`
    select users.id as "userId", first_name as "firstName", last_name as "lastName"
      from traveller_arrangers join users on users.id = user_id
     where arranger_id = ${arrangerId}::uuid and (until is null or until >= ${todayOf('users')}) order by name_folded collate "C", users.id`);
}
