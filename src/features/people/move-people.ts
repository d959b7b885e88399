import sql, { raw } from 'sql-template-tag';
import { findDefinitions } from '../../api/custom-fields.ts';
import type { Author } from '../../api/write-request.ts';
import { type Actor, given, tellCompanies } from '../../audit/audit-trail.ts';
import { auditedDelete, auditedUpdates, deletedRows, write } from '../../audit/audited-write.ts';
import { columnOf } from '../../audit/entity-sql.ts';
import { isCompanyOfConnection } from '../../auth/callers/identity-queries.ts';
import type { Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import type { RawFields } from '../../entities/check-fields.ts';
import { ALL_ENTITIES } from '../../entities/entities.ts';
import { jsonText } from '../../entities/formed-values.ts';
import { companyRole } from '../../entities/held-role.ts';
import { travellerArranger } from '../../entities/traveller.ts';
import { user } from '../../entities/user.ts';
import { unlistPeople } from './forget-person.ts';
import { addRoles } from './held-roles.ts';
import type { Person } from './person-service.ts';

/** A locked person who moves, and where to. */
export interface Move {
  person: Person;
  companyId: string;
  departmentId: string;
  bandId: string;
}

/** What ends for rows that refer to a person of their company: the reference with its days, or the row where it needs one. */
const MENTIONS = ALL_ENTITIES.flatMap((entity) =>
  Object.entries(entity.fields).flatMap(([field, { references, ofSameCompany, nullable }]) => {
    if (references !== user.name || !ofSameCompany) return [];
    const days = (entity.periods ?? []).filter(({ of }) => of === field).flatMap(({ from, until }) => [from, until]);
    const names = [field, ...days];
    return [{ entity, field, names, clear: nullable && auditedUpdates(entity, names as never[]) }];
  }),
);

/** What the former company says of a person, which ends there. */
const ENDED = {
  externalId: null,
  employeeNumber: null,
  costCenter: null,
  endDate: null,
  approvalLimit: '0.00',
  legalEntityId: null,
} as const;

const end = auditedUpdates(user, [...(Object.keys(ENDED) as (keyof typeof ENDED)[]), 'fields']);
const removeRoles = auditedDelete(companyRole);

/**
 * Moves locked people to other companies, where they start as joiners: what their former companies gave and said of them ends. Bookings, the
 * trail, what they need to travel, and their account of the platform's provider stay.
 */
export async function movePeople(
  transaction: Transaction,
  { actor }: Pick<Author, 'actor'>,
  moves: readonly Move[],
): Promise<void> {
  if (moves.length === 0) return;
  const ids = moves.map(({ person }) => person.id);
  await endMentions(transaction, actor, ids);
  await unlistPeople(transaction, ALL_ENTITIES, actor, ids);
  const rolesOf = (isHeld: (companyId: string, move: Move) => boolean) =>
    moves.flatMap((move) => move.person.companyRoles.filter((held) => isHeld(held.companyId, move)));
  const lost = rolesOf((companyId, { person }) => companyId === person.companyId).map(({ id }) => id);
  if (lost.length > 0) await write(transaction, removeRoles(lost, actor));
  const kept = (await findDefinitions(transaction, user.name, [])).filter(({ type }) => type !== 'PERSON');
  const ending = moves.map(({ person }) => ({ id: person.id, patch: { ...ENDED, fields: keptFields(person, kept) } }));
  await write(transaction, end(ending, actor));
  await transaction.query(sql`
    delete from user_identities where user_id = ${anyOf(ids)} and connection_id in (
      select id from sign_in_connections connection
       where ${isCompanyOfConnection(sql`(select company_id from users where users.id = user_id)`)})`);
  for (const table of ['scim_users', 'directory_group_members', 'feed_people'])
    await transaction.query(sql`delete from ${raw(table)} where user_id = ${anyOf(ids)}`);
  const places = moves.map(({ person: { id }, companyId, departmentId, bandId }) => {
    return { id, company_id: companyId, department_id: departmentId, band_id: bandId };
  });
  await transaction.query(sql`select move_users(${JSON.stringify(places)}::text::jsonb)`);
  const joiners = moves.filter(({ person, companyId }) =>
    person.companyRoles.every((held) => held.companyId !== companyId),
  );
  const roles = joiners.map(({ person, companyId }) => ({ userId: person.id, companyId, role: 'EMPLOYEE' as const }));
  await addRoles(transaction, actor, roles);
  const told = moves.flatMap(({ person, ...place }) => {
    const moved = { id: person.id, userId: person.id };
    const names = ['companyId', 'departmentId', 'bandId'] as const;
    const values = Object.fromEntries(names.map((name) => [name, [person[name], place[name]]]));
    return [
      { ...moved, companyId: place.companyId, values },
      { ...moved, companyId: person.companyId, values: { companyId: [person.companyId, place.companyId] } },
    ];
  });
  await tellCompanies(transaction, actor, user, told);
}

/** Returns the values of the fields of the platform, but for people of the former company. */
function keptFields({ fields }: Person, kept: readonly { key: string }[]): string | null {
  const values = Object.entries(JSON.parse(fields ?? '{}') as RawFields);
  const own = values.filter(([key]) => kept.some((each) => each.key === key));
  return own.length === 0 ? null : jsonText(Object.fromEntries(own));
}

/** Ends what refers to people as people of its company: their reports, departments and cost centres, substitutions, who books for them. */
async function endMentions(transaction: Transaction, actor: Actor, ids: readonly string[]): Promise<void> {
  for (const { entity, field, names, clear } of MENTIONS) {
    const mentioning = sql`
      select ${columnOf(entity)} as id from ${raw(entity.table)} where ${columnOf(entity, field)} = ${anyOf(ids)}`;
    if (!clear) {
      await write(transaction, sql`${given(null, actor)}, ${deletedRows(entity, mentioning)}`);
      continue;
    }
    const patch = Object.fromEntries(names.map((name) => [name, null]));
    const rows = await transaction.query<{ id: string }>(sql`${mentioning} order by 1`);
    const own = entity.name === user.name ? ids.map((id) => ({ id })) : [];
    const changes = [...new Set([...rows, ...own].map(({ id }) => id))].map((id) => ({ id, patch: patch as never }));
    if (changes.length > 0) await write(transaction, clear(changes, actor));
  }
  const arranging = sql`
    select id from traveller_arrangers where user_id = ${anyOf(ids)} or arranger_id = ${anyOf(ids)}`;
  await write(transaction, sql`${given(null, actor)}, ${deletedRows(travellerArranger, arranging)}`);
}
