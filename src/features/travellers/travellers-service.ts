import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { changedFields, throwIfInvalid } from '../../api/body.ts';
import { withPhone } from '../../api/company-row.ts';
import { inScope, notFound, type WriteRequest } from '../../api/write-request.ts';
import { type Actor, recordEvent } from '../../audit/audit-trail.ts';
import { auditedDelete, auditedInsert, auditedUpdate, auditedUpdates, write } from '../../audit/audited-write.ts';
import { requireHolder } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import { administeredCompanies, type Caller, isThemselves } from '../../auth/callers/roles.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { anyOf } from '../../db/sql/sql-fragments.ts';
import { ApiError, problemOf } from '../../entities/api-error.ts';
import { fieldsBut } from '../../entities/entity.ts';
import {
  NEEDED_IN_GROUPS,
  TRAVELLER_GROUPS,
  traveller,
  travellerArranger,
  travellerDocument,
  travellerProgramme,
} from '../../entities/traveller.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import { assertNotErased, lockPerson } from '../people/person-service.ts';
import type { ProfileKeys } from './sealed-numbers.ts';
import type { GivenItem, TravellerUpdate } from './traveller-input.ts';
import { findRight, findTraveller, type TravellerRow } from './traveller-queries.ts';
import type { TravellerView } from './traveller-schemas.ts';
import { endOf, travellerView } from './traveller-view.ts';

type Reader_ = Pick<WriteRequest, 'scope' | 'actor'> & { caller: Caller | KeyCaller };

/** What a caller may read of one person. */
interface Rights {
  numbers: boolean;
  emergency: boolean;
}

/**
 * Returns what a person needs to travel, as the caller may see it. Whole numbers, and each reading by a key, leave an entry in the trail.
 *
 * @throws ApiError `NOT_FOUND`, `ROLE_REQUIRED`, `SCOPE_REQUIRED`, `NOT_CONFIGURED`
 */
export async function getTraveller(
  db: Database,
  keys: ProfileKeys,
  request: Reader_,
  { id, reveal = false }: { id?: string | undefined; reveal?: boolean | undefined },
): Promise<TravellerView> {
  const row = await findTraveller(db, personOf(request.caller, id)).catch(hiddenFrom(request.caller));
  const rights = await rightsOf(db, request, row);
  const isKey = 'keyId' in request.caller;
  if (reveal && !rights.numbers) {
    throw isKey
      ? new ApiError('SCOPE_REQUIRED', 'Whole numbers need an API key with the scope travellers.documents.')
      : new ApiError('ROLE_REQUIRED', 'Only the person, and arrangers who may read documents, see whole numbers.');
  }
  const view = travellerView(row, { keys: reveal ? keys : undefined, seesEmergency: rights.emergency });
  if (reveal || isKey) {
    const { id: userId, companyId } = row.person;
    const values = { [reveal ? 'numbers' : 'traveller']: [null, 'read'] };
    await recordEvent(db, request.actor, { entity: traveller, id: userId, userId, companyId, values }, 'searched');
  }
  return view;
}

function personOf(caller: Caller | KeyCaller, id: string | undefined): string {
  if (id !== undefined) return id;
  if (!('keyId' in caller)) return caller.userId;
  throwIfInvalid([problemOf('id', 'REQUIRED', 'is required')]);
  throw notFound('user');
}

/** @throws ApiError `NOT_FOUND` for people out of scope, `ROLE_REQUIRED` for callers who may read nobody else */
async function rightsOf(db: Reader, { caller, scope }: Reader_, { person }: TravellerRow): Promise<Rights> {
  if ('keyId' in caller) {
    const [here] = await db.query(sql`select where ${inScope(scope, sql`${person.companyId}::uuid`)}`);
    if (here === undefined) throw notFound('user');
    return {
      numbers: caller.scopes.includes('travellers.documents'),
      emergency: caller.scopes.includes('travellers.emergency'),
    };
  }
  if (isThemselves(caller, person.id)) return { numbers: true, emergency: true };
  const right = isThemselves(caller, caller.userId) ? await findRight(db, person.id, caller.userId) : undefined;
  if (right !== undefined) return { numbers: right === 'BOOK_AND_READ_DOCUMENTS', emergency: true };
  assertAdministers(caller, person.companyId);
  return { numbers: false, emergency: true };
}

/** Returns what hides from callers who administer nobody which people there are. */
function hiddenFrom(caller: Caller | KeyCaller) {
  return (error: unknown): never => {
    if ('userId' in caller) requireHolder(caller, ['CORPORATE_ADMIN']);
    throw error;
  };
}

function assertAdministers(caller: Caller, companyId: string): void {
  requireHolder(caller, ['CORPORATE_ADMIN']);
  if (!administeredCompanies(caller).includes(companyId)) throw notFound('user');
}

const update = auditedUpdate(traveller, fieldsBut(traveller, 'id', 'userId'));
const insert = auditedInsert(traveller);

/**
 * Changes what a person needs to travel: their own, or as their Corporate Admin.
 *
 * @throws ApiError `NOT_FOUND`, `ROLE_REQUIRED`, `INVALID_INPUT`, `NOT_CONFIGURED`, `ERASED`
 */
export function updateTraveller(
  db: Database,
  keys: ProfileKeys,
  { caller, actor, ifMatch }: Pick<WriteRequest, 'actor' | 'ifMatch'> & { caller: Caller },
  given: TravellerUpdate,
): Promise<TravellerView> {
  const sight = { seesEmergency: true };
  return db.transaction(async (transaction) => {
    const person = await lockPerson(transaction, given.id ?? caller.userId, sql`true`).catch(hiddenFrom(caller));
    if (!isThemselves(caller, person.id)) assertAdministers(caller, person.companyId);
    assertNotErased(person);
    const present = await findTraveller(transaction, person.id);
    if (ifMatch !== undefined) checkIfMatch(ifMatch, travellerView(present, sight), traveller.noun);
    const { phone = null } = await withPhone(
      transaction,
      person.companyId,
      { phone: given.patch.emergencyPhone ?? null },
      'emergencyContact.phone',
    );
    const patch = changedFields(
      'emergencyPhone' in given.patch ? { ...given.patch, emergencyPhone: phone } : given.patch,
      present.traveller ?? NOTHING,
    );
    assertWhole({ ...present.traveller, ...patch });
    if (present.traveller !== null) await write(transaction, update({ id: present.traveller.id, patch, actor }));
    else if (Object.keys(patch).length > 0) {
      await write(transaction, insert([{ ...NOTHING, ...patch, id: randomUUID(), userId: person.id }], actor));
    }
    const owner = person.id;
    await replaceItems(transaction, actor, travellerDocument, present.documents, given.documents, { owner, keys });
    await replaceItems(transaction, actor, travellerProgramme, present.programmes, given.programmes, { owner, keys });
    await replaceArrangers(transaction, actor, present, given.arrangers);
    return travellerView(await findTraveller(transaction, person.id), sight);
  });
}

const NOTHING = Object.fromEntries(fieldsBut(traveller, 'id', 'userId').map((name) => [name, null])) as unknown as Omit<
  NonNullable<TravellerRow['traveller']>,
  'id' | 'userId'
>;

/** @throws ApiError `INVALID_INPUT` where an object lacks what it needs */
function assertWhole(row: Readonly<Record<string, unknown>>): void {
  const problems = Object.entries(TRAVELLER_GROUPS).flatMap(([group, names]) => {
    const fields: Readonly<Record<string, string>> = names;
    if (Object.values(fields).every((field) => (row[field] ?? null) === null)) return [];
    const missing = (NEEDED_IN_GROUPS[group] ?? []).filter((name) => (row[fields[name] ?? ''] ?? null) === null);
    return missing.map((name) => problemOf(`${group}.${name}`, 'REQUIRED', 'is required'));
  });
  throwIfInvalid(problems);
}

/** Writes the documents or programmes of a person: those that are left out are removed. */
async function replaceItems<E extends typeof travellerDocument | typeof travellerProgramme>(
  transaction: Transaction,
  actor: Actor,
  entity: E,
  present: readonly { id: string; number: string }[],
  given: readonly GivenItem<E>[] | undefined,
  { owner, keys }: { owner: string; keys: ProfileKeys },
): Promise<void> {
  if (given === undefined) return;
  const list = entity === travellerDocument ? 'documents' : 'programmes';
  const known = new Map(present.map((row) => [row.id, row]));
  throwIfInvalid(
    given.flatMap(({ id }, index) =>
      id === undefined || known.has(id)
        ? []
        : [problemOf(`${list}[${index}].id`, 'INVALID_VALUE', 'is none of this person')],
    ),
  );
  const removed = present.filter(({ id }) => given.every((item) => item.id !== id)).map(({ id }) => id);
  if (removed.length > 0) await write(transaction, auditedDelete(entity)(removed, actor));
  const rows = given.map(({ id, number, ...row }) => {
    const stored = id === undefined ? undefined : known.get(id);
    const isNew = number !== undefined && (stored === undefined || keys.open(stored.number, owner) !== number);
    return { id, ...row, ...(isNew ? { number: keys.seal(number, owner), lastFour: endOf(number) } : {}) };
  });
  const added = rows.filter(({ id }) => id === undefined).map((row) => ({ ...row, id: randomUUID(), userId: owner }));
  const changed = rows.flatMap(({ id, ...row }) => {
    const stored = id === undefined ? undefined : known.get(id);
    return stored === undefined ? [] : [{ id: stored.id, patch: changedFields(row, stored) }];
  });
  // Each row was read by the fields of its own entity.
  if (added.length > 0) await write(transaction, auditedInsert(entity)(added as never, actor));
  const differing = changed.filter(({ patch }) => Object.keys(patch).length > 0);
  const names = fieldsBut(entity as typeof travellerDocument, 'id', 'userId');
  if (differing.length > 0) await write(transaction, auditedUpdates(entity, names as never)(differing as never, actor));
}

async function replaceArrangers(
  transaction: Transaction,
  actor: Actor,
  { person, arrangers }: TravellerRow,
  given: TravellerUpdate['arrangers'],
): Promise<void> {
  if (given === undefined) return;
  const ids = given.map(({ arrangerId }) => arrangerId);
  const found = await transaction.query<{ id: string }>(sql`
    select id from users where id = ${anyOf(ids)} and company_id = ${person.companyId}::uuid and id <> ${person.id}::uuid`);
  throwIfInvalid(
    ids.flatMap((id, index) =>
      found.some((each) => each.id === id)
        ? []
        : [problemOf(`arrangers[${index}].userId`, 'INVALID_VALUE', 'is no other person of the company')],
    ),
  );
  const isKept = (row: TravellerRow['arrangers'][number]) =>
    given.some((one) => one.arrangerId === row.arrangerId && one.until === row.until && one.may === row.may);
  const removed = arrangers.filter((row) => !isKept(row)).map(({ id }) => id);
  if (removed.length > 0) await write(transaction, auditedDelete(travellerArranger)(removed, actor));
  const kept = arrangers.filter(isKept).map(({ arrangerId }) => arrangerId);
  const added = given.filter(({ arrangerId }) => !kept.includes(arrangerId));
  if (added.length === 0) return;
  const rows = added.map((row) => ({ ...row, id: randomUUID(), userId: person.id }));
  await write(transaction, auditedInsert(travellerArranger)(rows as never, actor));
}
