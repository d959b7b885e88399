import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database, Transaction } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { type CallerAccess, companyScopeOf, coversScope } from './access.ts';
import type { KeyCaller } from './api-keys.ts';
import { type Caller, isSuperAdmin } from './roles.ts';

const RETRY_SOON = { 'retry-after': '1' };

type AnyCaller = Caller | KeyCaller;

/** The caller has lost a right since the request was authorised: it is to be authorised and run again, like a new request. */
export class CallerChangedError extends ApiError {
  constructor() {
    super('OVERLOADED', 'The rights of the caller are being changed: try again shortly.', { headers: RETRY_SOON });
  }
}

/** Another transaction is changing the rights of the caller. */
class CallerLockedError extends Error {
  override readonly name = 'CallerLockedError';
}

const MAX_ATTEMPTS = 8;
/** Maximum pause before another attempt: two administrators who change each other must not keep meeting. */
const MAX_PAUSE_MS = 20;

/**
 * Returns the database of a request. Each of its transactions locks and reads the caller again before it commits, and rolls back if a
 * right was lost. The lock is the last one and never waited for: taken first, administrators who change each other would deadlock.
 */
export function authorisedDatabase(request: FastifyRequest, db: Database): Database {
  const { caller, callerNow } = request;
  const access = request.routeOptions.config.operation?.access;
  if (caller === null || callerNow === null || access === undefined || access.name === 'public') return db;
  return guardedDatabase(db, { requestId: request.id, caller, callerNow, access });
}

/** A caller as a request was authorised, and the look-up of what they are now. */
interface Authorised {
  requestId: string;
  caller: AnyCaller;
  callerNow: NonNullable<FastifyRequest['callerNow']>;
  access: CallerAccess;
}

function guardedDatabase(db: Database, authorisation: Authorised): Database {
  const { caller, callerNow, access } = authorisation;
  const isCallerStill = (now: AnyCaller) => mayStill(access, caller, now);

  async function readAgain(transaction: Transaction): Promise<void> {
    const now = await callerNow(transaction).catch((error: unknown) => {
      if (error instanceof ApiError) throw new CallerChangedError();
      throw error;
    });
    if (!isCallerStill(now)) throw new CallerChangedError();
  }

  /** Locks and reads the caller, in one round trip. Transactions of the embedded database run alone, and need no lock. */
  async function lockAndRead(transaction: Transaction, waits: boolean): Promise<void> {
    const lock = db.kind === 'embedded' ? undefined : transaction.query<Locked>(lockOf(authorisation, waits));
    lock?.catch(() => undefined);
    await readAgain(transaction);
    const [locked] = (await lock) ?? [];
    if (locked?.isComplete === false) throw new CallerLockedError();
  }

  async function authorised<Given extends Transaction, Result>(
    begin: (work: (transaction: Given) => Promise<Result>) => Promise<Result>,
    work: (transaction: Given) => Promise<Result>,
  ): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await begin(async (transaction) => {
          const result = await work(transaction);
          await lockAndRead(transaction, false);
          return result;
        });
      } catch (error) {
        if (error instanceof CallerChangedError) break;
        if (!(error instanceof CallerLockedError)) throw error;
        if (attempt === MAX_ATTEMPTS) throw new CallerChangedError();
        await sleep(Math.random() * MAX_PAUSE_MS);
        await db.query(lockOf(authorisation, true));
      }
    }
    if (!isCallerStill(await callerNow())) throw new CallerChangedError();
    // The work itself takes the right away, as when somebody gives up a role: the caller is read before it.
    return begin(async (transaction) => {
      await lockAndRead(transaction, true);
      return work(transaction);
    });
  }

  return {
    ...db,
    transaction: (work) => authorised(db.transaction, work),
    session: (work) =>
      db.session((session) =>
        work({
          ...session,
          transaction: (inner) => authorised(session.transaction, inner),
          unguarded: session,
        }),
      ),
  };
}

/** Returns whether a caller still has what an operation was authorised by. */
function mayStill(access: CallerAccess, before: AnyCaller, now: AnyCaller): boolean {
  if ('userId' in before && !('userId' in now && before.userId === now.userId)) return false;
  if ('userId' in before && isSuperAdmin(before) && !('userId' in now && isSuperAdmin(now))) return false;
  if ('keyId' in before && !before.isSuspended && 'keyId' in now && now.isSuspended) return false;
  // An operation that is open to everybody may ask for a role itself.
  if (access.roles === undefined && 'userId' in before && 'userId' in now) {
    const has = new Set(effectiveRoles(now));
    return effectiveRoles(before).every((role) => has.has(role));
  }
  return coversScope(companyScopeOf(access, before), companyScopeOf(access, now));
}

/** Returns each role that a caller has now, with its company. */
export function effectiveRoles({ systemRole, companyRoles, ownRoles = [] }: Caller): string[] {
  const held = companyRoles
    .filter(({ companyActive }) => companyActive)
    .map(({ role, companyId }) => `${role} ${companyId}`);
  const own = ownRoles.flatMap(({ companyId, rules }) => rules.split(' ').map((rule) => `${rule} ${companyId}`));
  return [...(systemRole?.active ? [systemRole.role] : []), ...held, ...own];
}

interface Locked {
  /** Whether all rows were locked. */
  isComplete: boolean;
}

/**
 * Locks what the rights of a caller depend on: the row of the person or key, and the companies in scope; of a key for all companies those
 * that the request has changed, which nobody else may have closed. Whoever takes a right away locks the person, key or company `for update`.
 *
 * @param waits for the locks of others, and excludes requests of the same person; otherwise rows that others hold are left out
 */
function lockOf({ requestId, access, caller }: Authorised, waits: boolean): Sql {
  const scope = companyScopeOf(access, caller);
  const waiting = raw(waits ? '' : 'skip locked');
  const id = 'userId' in caller ? caller.userId : caller.keyId;
  const own =
    'userId' in caller
      ? sql`select id from users where id = ${id} ${raw(waits ? 'for no key update' : 'for share')} ${waiting}`
      : sql`select id from api_keys where id = ${id} for key share ${waiting}`;
  const concerned =
    scope === 'active'
      ? sql`
          select distinct company_id from audit_changes
           where coalesce(run_id::text, request_id, id::text) = ${requestId} and actor_id = ${id} and company_id is not null`
      : sql`
          select json_array_elements_text(${JSON.stringify(typeof scope === 'string' ? [] : scope)}::text::json)::uuid`;
  return sql`
    with own as materialized (${own}),
         concerned (id) as materialized (${concerned}),
         employer as materialized (
           select id from companies
            where id in (select id from concerned) and (${scope !== 'active'} or active or xmin = pg_current_xact_id()::xid)
              for key share ${waiting})
    select exists (select from own) and (select count(*) from employer) = (select count(*) from concerned) as "isComplete"`;
}
