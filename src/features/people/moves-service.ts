import { randomUUID } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import { throwIfInvalid } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { erased } from '../../api/hierarchy.ts';
import { inScope, notFound, type WriteRequest } from '../../api/write-request.ts';
import { tellCompanies } from '../../audit/audit-trail.ts';
import { auditedInsert, auditedUpdates, patchEach, write } from '../../audit/audited-write.ts';
import { jsonOfFields, selectFields } from '../../audit/entity-sql.ts';
import type { CompanyScope } from '../../auth/callers/access.ts';
import { isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, anyOf, BY_ID, idsOf, isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { ApiError, type ErrorCode, problemOf } from '../../entities/api-error.ts';
import { erasedEmail } from '../../entities/characters.ts';
import { company } from '../../entities/company.ts';
import { user } from '../../entities/user.ts';
import { MOVE_DAYS, type MoveState, userMove } from '../../entities/user-move.ts';
import { resolveAssignments } from './assignments.ts';
import { type Move, movePeople } from './move-people.ts';
import type { MoveListInput, MoveRequest, MoveResult, MoveResults, MoveView } from './moves-schemas.ts';
import { findLastAdmins } from './person-rules.ts';
import { lockPeople, type Person } from './person-service.ts';

const insert = auditedInsert(userMove);
const decide = auditedUpdates(userMove, ['status', 'decidedAt']);

const STATE: Sql = sql`
  case when status = 'OPEN' and requested_at < now() - ${MOVE_DAYS}::integer * interval '1 day' then 'EXPIRED' else status end`;

/** A move with its present state. */
interface Asked {
  id: string;
  userId: string;
  companyId: string;
  fromCompanyId: string;
  askedFor: string;
  departmentId: string | null;
  bandId: string | null;
  status: MoveState;
}

const asked: Sql = sql`
  ${selectFields(userMove, ['id', 'userId', 'companyId', 'fromCompanyId', 'askedFor', 'departmentId', 'bandId'])}, ${STATE} as status`;

/** Returns a page of the moves to and from a company, newest first. */
export async function listMoves(
  db: Reader,
  scope: CompanyScope,
  { companyId, status }: MoveListInput,
  page: PageRequest,
): Promise<Page<MoveView>> {
  await assertCompanyVisible(db, scope, companyId);
  const mayDecide = inScope(scope, sql`from_company_id`);
  const isTold = sql`(${mayDecide} or status = 'AGREED')`;
  const named = (id: Sql) =>
    sql`(select ${jsonOfFields(company, ['id', 'name'])} from companies where companies.id = ${id})`;
  const columns = sql`
    ${asked}, ${selectFields(userMove, ['requestedAt', 'decidedAt'])},
    ${isoTimestamp(sql`(requested_at + ${MOVE_DAYS}::integer * interval '1 day')`)} as "expiresAt",
    ${named(sql`user_moves.company_id`)} as company, case when ${isTold} then ${named(sql`from_company_id`)} end as "fromCompany",
    case when ${isTold} then (select ${jsonOfFields(user, ['id', 'email', 'firstName', 'lastName'])}
                                from users where users.id = user_id) end as "user",
    ${mayDecide} and ${STATE} = 'OPEN' as "mayDecide"`;
  const where = allOf([
    sql`(company_id = ${companyId}::uuid or from_company_id = ${companyId}::uuid)`,
    status === undefined ? undefined : sql`${STATE} = ${status}::text`,
  ]);
  const orderBy = [{ by: sql`requested_at`, type: 'timestamptz' as const, descending: true }, BY_ID];
  return selectPage<MoveView>(db, { columns, from: sql`user_moves`, where, orderBy }, page);
}

/**
 * Asks for people of other companies. Those whose present company the caller administers, as a Super Admin does each, move at once.
 *
 * @throws ApiError `COMPANY_FORBIDDEN`, `INVALID_INPUT`; the reason of the first where nobody can be asked for
 */
export function requestMoves(db: Database, request: WriteRequest, given: MoveRequest): Promise<MoveResults> {
  return db.transaction(async (transaction) => {
    const { companyId, departmentId = null, bandId = null } = given;
    await assertCompanyVisible(transaction, request.scope, companyId);
    await assertPlace(transaction, given);
    const { actor } = request;
    const wanted = [...given.userIds, ...given.emails];
    const found = await transaction.query<{ id: string; email: string }>(sql`
      select id, lower(email) as email from users
       where id = ${anyOf(given.userIds)}
          or email_key in (select lower_letters(each) from json_array_elements_text(${JSON.stringify(given.emails)}::text::json) each)`);
    const people = await lockPeople(transaction, found.map(({ id }) => id).sort(), sql`true`);
    const present = await findMoves(
      transaction,
      sql`company_id = ${companyId}::uuid and user_id = ${anyOf([...people.keys()])} and status = 'OPEN'`,
    );
    const late = present.filter(({ status }) => status === 'EXPIRED');
    await decideMoves(transaction, request, late, 'EXPIRED');
    const open = new Map(present.filter((move) => !late.includes(move)).map((move) => [move.userId, move]));
    const added: Asked[] = [];
    const results = wanted.map((askedFor): MoveResult => {
      const person = people.get(found.find(({ id, email }) => id === askedFor || email === askedFor)?.id ?? '');
      if (person === undefined) return refused({ id: null, askedFor }, notFound(user.noun));
      if (person.email === erasedEmail(person.id)) return refused({ id: null, askedFor }, erased());
      if (person.companyId === companyId) return told({ id: null, askedFor, status: 'AGREED' });
      const known = open.get(person.id);
      if (known !== undefined) return { ...told(known), askedFor };
      const move = {
        id: randomUUID(),
        userId: person.id,
        companyId,
        fromCompanyId: person.companyId,
        askedFor,
        departmentId,
        bandId,
      };
      added.push({ ...move, status: 'OPEN' });
      open.set(person.id, { ...move, status: 'OPEN' });
      return told({ ...move, status: 'OPEN' });
    });
    if (added.length > 0) await write(transaction, insert(added, actor));
    await tellFormer(transaction, request, added, null, 'OPEN');
    const own = [...open.values()].filter((move) => mayAgree(request, move));
    const moved = await agree(transaction, request, idsOf(own));
    const agreed = new Map(moved.map((each) => [each.id, each]));
    return answer(results.map((each) => ({ ...each, ...agreed.get(each.id ?? ''), askedFor: each.askedFor })));
  });
}

/** Agrees to moves from companies in scope, each person as a whole. @throws ApiError the reason of the first where none can be agreed to */
export function agreeMoves(db: Database, request: WriteRequest, ids: readonly string[]): Promise<MoveResults> {
  return db.transaction(async (transaction) => answer(await agree(transaction, request, ids)));
}

/** Declines moves from companies in scope, or withdraws those to them. @throws ApiError the reason of the first where none can be */
export function endMoves(
  db: Database,
  request: WriteRequest,
  ids: readonly string[],
  status: 'DECLINED' | 'WITHDRAWN',
): Promise<MoveResults> {
  const side = status === 'DECLINED' ? sql`from_company_id` : sql`company_id`;
  return db.transaction(async (transaction) => {
    const moves = await lockMoves(transaction, ids, inScope(request.scope, side));
    const ended: Asked[] = [];
    const results = ids.map((id) => {
      const move = moves.get(id);
      if (move === undefined) return refused({ id, askedFor: null }, notFound(userMove.noun));
      if (move.status === status) return told(move);
      if (move.status !== 'OPEN') return refused(move, over(move));
      ended.push(move);
      return told({ ...move, status });
    });
    await decideMoves(transaction, request, ended, status);
    return answer(results);
  });
}

async function agree(transaction: Transaction, request: WriteRequest, ids: readonly string[]): Promise<MoveResult[]> {
  if (ids.length === 0) return [];
  const isFrom = inScope(request.scope, sql`from_company_id`);
  const named = await findMoves(transaction, sql`id = ${anyOf(ids)} and ${isFrom}`);
  const people = await lockPeople(transaction, named.map(({ userId }) => userId).sort(), sql`true`);
  const moves = await lockMoves(transaction, ids, isFrom);
  const refusals = new Map<string, ApiError>();
  const accepted = new Map<string, Move>();
  const places = await placesOf(transaction, [...moves.values()]);
  for (const move of moves.values()) {
    const person = people.get(move.userId);
    const place = places.get(move.id);
    if (move.status === 'AGREED') continue;
    const isTwice = [...accepted.values()].some((other) => other.person === person);
    const refusal = person === undefined ? notFound(user.noun) : cannotAgree(request, move, person, isTwice);
    if (refusal !== undefined) refusals.set(move.id, refusal);
    else if (place === undefined) refusals.set(move.id, withoutPlace());
    else if (person) accepted.set(move.id, { person, ...place });
  }
  const leaving = [...accepted.values()].map(({ person }) => ({
    ...person,
    systemRole: null,
    companyRoles: person.companyRoles.filter((held) => held.companyId === person.companyId && held.companyActive),
  }));
  // Whoever agrees, a company that goes on keeps an administrator.
  for (const { message, userIds } of await findLastAdmins(transaction, undefined, leaving)) {
    for (const [id, { person }] of accepted) {
      if (!userIds.includes(person.id)) continue;
      accepted.delete(id);
      refusals.set(id, new ApiError('LAST_ADMIN', message));
    }
  }
  const agreed = [...moves.values()].filter(({ id }) => accepted.has(id));
  await movePeople(transaction, request, [...accepted.values()]);
  await decideMoves(transaction, request, agreed, 'AGREED');
  const gone = agreed.map(({ userId }) => userId);
  const others = await findMoves(transaction, sql`user_id = ${anyOf(gone)} and status = 'OPEN'`);
  await decideMoves(transaction, request, others, 'EXPIRED');
  return ids.map((id) => {
    const move = moves.get(id);
    if (move === undefined) return refused({ id, askedFor: null }, notFound(userMove.noun));
    const refusal = refusals.get(id);
    return refusal === undefined ? told({ ...move, status: 'AGREED' }) : refused(move, refusal);
  });
}

function mayAgree({ caller, scope }: WriteRequest, { fromCompanyId }: Asked): boolean {
  return 'userId' in caller && (isSuperAdmin(caller) || scope.includes(fromCompanyId));
}

/** Returns why a move cannot be agreed to, of which the person is locked. @param isTwice whether another move of theirs is agreed to */
function cannotAgree({ caller }: WriteRequest, move: Asked, person: Person, isTwice: boolean): ApiError | undefined {
  if (move.status !== 'OPEN' || isTwice || person.companyId !== move.fromCompanyId) return over(move);
  if (person.systemRole?.active && !isSuperAdmin(caller)) {
    return new ApiError('PROTECTED_USER', 'This person holds a platform role: only a Super Admin may agree.');
  }
  return undefined;
}

function over({ status }: Asked): ApiError {
  const message = `This move is no longer open (${status === 'OPEN' ? 'the person has moved' : status.toLowerCase()}): ask again.`;
  return new ApiError('OUTDATED', message);
}

const withoutPlace = () =>
  new ApiError(
    'NOT_CONFIGURED',
    'The new company has no default department or band: it has to name them, and ask again.',
  );

/** Asserts that a company has a department and a band for those who come. @throws ApiError `INVALID_INPUT` */
async function assertPlace(transaction: Transaction, { companyId, departmentId, bandId }: MoveRequest): Promise<void> {
  const [place] = await resolveAssignments(transaction, companyId, [{ departmentId, bandId }]);
  const lacking = (['departmentId', 'bandId'] as const).filter((name) => place?.[name] === null);
  const problems = lacking.map((name) => problemOf(name, 'REQUIRED', 'is required: the company has no default'));
  throwIfInvalid([...(place?.problems ?? []), ...problems]);
}

/** Returns where people come to, by move: what was named, or the defaults of the company. */
async function placesOf(
  transaction: Transaction,
  moves: readonly Asked[],
): Promise<ReadonlyMap<string, Omit<Move, 'person'>>> {
  const places = new Map<string, Omit<Move, 'person'>>();
  for (const companyId of [...new Set(moves.map((move) => move.companyId))].sort()) {
    const those = moves.filter((move) => move.companyId === companyId);
    const named = await resolveAssignments(transaction, companyId, those);
    const [standard] = await resolveAssignments(transaction, companyId, [{}]);
    for (const [index, { id }] of those.entries()) {
      const place = named[index]?.problems.length === 0 ? named[index] : standard;
      if (place?.departmentId && place.bandId) {
        places.set(id, { companyId, departmentId: place.departmentId, bandId: place.bandId });
      }
    }
  }
  return places;
}

function findMoves(db: Reader, condition: Sql): Promise<Asked[]> {
  return db.query<Asked>(sql`select ${asked} from user_moves where ${condition} order by id`);
}

/** Locks moves, by id. */
async function lockMoves(
  transaction: Transaction,
  ids: readonly string[],
  condition: Sql,
): Promise<ReadonlyMap<string, Asked>> {
  await transaction.query(sql`select from user_moves where id = ${anyOf(ids)} and ${condition} order by id for update`);
  const moves = await findMoves(transaction, sql`id = ${anyOf(ids)} and ${condition}`);
  return new Map(moves.map((move) => [move.id, move]));
}

/** Writes the end of moves, and tells both companies. */
async function decideMoves(
  transaction: Transaction,
  request: WriteRequest,
  moves: readonly Asked[],
  status: MoveState,
): Promise<void> {
  if (moves.length === 0) return;
  const patch = { status, decidedAt: new Date().toISOString() };
  await write(transaction, decide(patchEach(moves, patch), request.actor));
  await tellFormer(transaction, request, moves, 'OPEN', status);
}

/** Tells the present companies of people what becomes of moves; the trail has it of the new ones. */
function tellFormer(
  transaction: Transaction,
  { actor }: WriteRequest,
  moves: readonly Asked[],
  before: MoveState | null,
  after: MoveState,
): Promise<void> {
  const told = moves.map(({ id, userId, companyId, fromCompanyId }) => {
    const values = { status: [before, after], ...(before === null ? { companyId: [null, companyId] } : {}) };
    return { id, userId, companyId: fromCompanyId, values };
  });
  return tellCompanies(transaction, actor, userMove, told);
}

function told({ id, askedFor, status }: Pick<MoveResult, 'id' | 'askedFor' | 'status'>): MoveResult {
  return { id, askedFor, status, code: null, message: null };
}

function refused({ id, askedFor }: Pick<MoveResult, 'id' | 'askedFor'>, { code, message }: ApiError): MoveResult {
  return { id, askedFor, status: 'REFUSED', code, message };
}

/** Returns the results of a request. @throws ApiError the first reason where all are refused */
function answer(results: MoveResult[]): MoveResults {
  const [first] = results;
  if (first !== undefined && results.every(({ status }) => status === 'REFUSED')) {
    throw new ApiError(first.code as ErrorCode, first.message ?? '');
  }
  return { results };
}
