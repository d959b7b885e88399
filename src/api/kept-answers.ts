import { createHmac, hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import sql, { type Sql } from 'sql-template-tag';
import {
  type CallerAccess,
  type CompanyScope,
  companyForbidden,
  companyScopeOf,
  coversScope,
} from '../auth/callers/access.ts';
import { effectiveRoles } from '../auth/callers/authorised-writes.ts';
import { advisoryLock, type Database, type Reader, type Transaction } from '../db/database.ts';
import { ApiError, apiErrors, problemOf, tryAgain } from '../entities/api-error.ts';
import { isObject } from '../entities/check-fields.ts';
import { deferred } from '../lib/deferred.ts';
import { decrypt, encrypt } from '../lib/encryption.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Keeps the answer of a request with an `Idempotency-Key`. */
    keeping: AnswerKeeper | null;
  }
}

/** The `Idempotency-Key` of a request: 1 to 255 visible ASCII characters. */
const KEY = /^[!-~]{1,255}$/;
/** Maximum size of a kept answer, in characters. */
const MAX_KEPT = 1024 * 1024;
/** Milliseconds after which a secret is deleted, and between two looks for those of processes that have ended. */
const [SECRET_MS, SWEEP_MS] = [60_000, 60_000];
/** Milliseconds for which a transaction whose work is done waits for the answer. */
const HELD_MS = 100;
/** Headers that are kept with an answer. */
const KEPT_HEADERS = ['content-type', 'etag', 'location', 'x-keys-made'];

interface Identified {
  id: string;
  /** The person or the key. */
  author: string;
  requestId: string;
  fingerprint: string;
  access: CallerAccess;
  /** Companies that the caller may access by the operation; where it is open to all, the roles that they hold. */
  scope: CompanyScope;
  /** Encrypts the answer, with what the database has not: a secret of the service, and the key of the request. */
  password: Buffer;
  /** Name of the field of the answer that is a secret. */
  secretField: string | undefined;
}

/** Requests in progress in this process, by id. */
const inProgress = new Set<string>();

/**
 * Answers a repeated POST of an operation that writes, with the same `Idempotency-Key`, as the first one was answered. The answer is
 * stored in the transaction of the write where the operation has one, and its commit waits for the answer; kept for 24 hours by caller,
 * operation and key, encrypted. Refusals are not kept: they have changed nothing, and the same request is carried out once its reason is
 * gone.
 *
 * @param seal a secret of the service that the database has not
 */
export function keepAnswers(app: FastifyInstance, db: Database, seal: Buffer): void {
  app.decorateRequest('keeping', null);
  const timers = new Set<NodeJS.Timeout>();
  function forgetSecretLater(id: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void db.query(sql`update kept_answers set secret = null where id = ${id}`).catch(() => undefined);
    }, SECRET_MS).unref();
    timers.add(timer);
  }
  const sweep = () => void db.query(FORGET_SECRETS).catch(() => undefined);
  app.addHook('onReady', async () => void timers.add(setInterval(sweep, SWEEP_MS).unref()));
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer);
  });
  // At once where nothing is kept, as most requests are.
  app.addHook('preValidation', (request, reply, done) => {
    const identified = identify(request, seal);
    if (identified === undefined) return done();
    answerAgain(request, reply, identified).then((isAnswered) => {
      if (!isAnswered) done();
    }, done);
  });

  /** Sends the answer that is kept. @returns whether there is one */
  async function answerAgain(request: FastifyRequest, reply: FastifyReply, identified: Identified): Promise<boolean> {
    const keeper = answerKeeper(db, identified, forgetSecretLater);
    request.keeping = keeper;
    const kept = await findAnswer(db, identified.id);
    if (kept === undefined) return false;
    keeper.leave();
    if (kept.fingerprint !== identified.fingerprint) throw keyReused();
    const { roles } = identified.access;
    if (!(await stillCovers(db, kept.scope, identified.scope))) {
      if (roles !== undefined) throw companyForbidden(roles);
      throw new ApiError('ROLE_REQUIRED', 'A role that this request had is lost.');
    }
    const body = kept.sealed ? decrypted(kept.body, identified.password) : kept.body;
    if (body === undefined) throw answerGone();
    reply
      .code(kept.status)
      .headers({ ...kept.headers, 'idempotent-replayed': 'true' })
      .send(withSecret({ ...kept, body }, identified));
    return true;
  }

  // A request behind one that closes the connection is not read before the response.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.keeping == null) return done(null, payload);
    request.keeping.finish(reply, payload).then(() => done(null, payload), done);
  });
}

/** Returns whether a caller still has what a kept answer tells of; a platform key, whether those companies are active. */
async function stillCovers(db: Reader, had: CompanyScope, has: CompanyScope): Promise<boolean> {
  if (has !== 'active' || typeof had === 'string') return coversScope(had, has);
  const active = await db.query(sql`
    select from companies where active and id in (select json_array_elements_text(${JSON.stringify(had)}::text::json)::uuid)`);
  return active.length === had.length;
}

export function keyReused(): ApiError {
  return new ApiError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was sent before with another request.');
}

/** Returns the error for an answer that was erased, or that was encrypted with a secret that has changed. */
function answerGone(): ApiError {
  const message = 'This request was carried out before, and its answer can no longer be read: read what it changed.';
  return new ApiError('IDEMPOTENCY_KEY_REUSED', message);
}

export function inUse(): ApiError {
  return tryAgain('IDEMPOTENCY_KEY_IN_USE', 'A request with this Idempotency-Key is in progress.', 1);
}

/** Returns what a request is known by; undefined where it has no key, or does not write. @throws ApiError `INVALID_INPUT` */
function identify(request: FastifyRequest, seal: Buffer): Identified | undefined {
  const { caller, method, url, body } = request;
  const { 'idempotency-key': key } = request.headers;
  const { operation, parse } = request.routeOptions.config;
  if (key === undefined || caller === null || method !== 'POST' || !operation?.writes) return undefined;
  const { access } = operation;
  if (access.name === 'public') return undefined;
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw apiErrors.invalidInput([
      problemOf('Idempotency-Key', 'INVALID_VALUE', 'must have 1 to 255 visible ASCII characters'),
    ]);
  }
  const author = 'keyId' in caller ? caller.keyId : caller.userId;
  const [given, csv] = Buffer.isBuffer(body) ? [request.query, body.toString('latin1')] : [body, ''];
  const [target = ''] = csv === '' ? [url] : url.split('?', 1);
  return {
    id: sha256([author, operation.id, key]),
    author,
    requestId: request.id,
    fingerprint: sha256([target, inOneOrder(checked(given)), csv, request.headers['if-match'] ?? '']),
    access,
    scope: access.roles === undefined && 'userId' in caller ? effectiveRoles(caller) : companyScopeOf(access, caller),
    password: createHmac('sha256', seal).update(`${author} ${key}`).digest(),
    secretField: operation.secretField,
  };

  /** Returns the values as the operation reads them, without an id that it adds; as they came, where some are invalid. */
  function checked(values: unknown): unknown {
    try {
      const read = parse === undefined ? values : parse(values, caller);
      return isObject(read) && isObject(values) && values.id === undefined ? { ...read, id: undefined } : read;
    } catch {
      return values;
    }
  }
}

/** Returns JSON that does not depend on the order of names. */
function inOneOrder(content: unknown): string {
  return JSON.stringify(content ?? {}, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}

function sha256(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex');
}

interface KeptAnswer {
  fingerprint: string;
  /** That of the caller, as far as it concerns the companies that the request changed. */
  scope: CompanyScope;
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Whether the body is encrypted, as it is from this version on. */
  sealed: boolean;
  /** Null after one minute. */
  secret: string | null;
}

async function findAnswer(db: Reader, id: string): Promise<KeptAnswer | undefined> {
  const [kept] = await db.query<KeptAnswer>(sql`
    select fingerprint, scope, status, headers, body, sealed, case when at > now() - interval '1 minute' then secret end as secret
      from kept_answers where id = ${id} and status < 300 and at > now() - interval '24 hours'`);
  return kept;
}

/** Deletes the secrets that are older than a minute. */
const FORGET_SECRETS: Sql = sql`
  update kept_answers set secret = null where secret is not null and at < now() - interval '1 minute'`;

/** Returns the statement that makes the kept answers unreadable: which of them tell of a person cannot be known. */
export const forgetAnswers: Sql = sql`update kept_answers set body = '', sealed = true, secret = null`;

/** Returns the body of a kept answer with its secret, or with a message that it was shown before. */
function withSecret({ body, secret }: KeptAnswer, { secretField, password }: Identified): string {
  if (secretField === undefined) return body;
  const envelope = JSON.parse(body) as { message: string; data: Record<string, unknown> };
  const shown = secret === null ? undefined : decrypted(secret, password);
  envelope.data[secretField] = shown ?? '';
  if (shown === undefined) envelope.message += `; the ${secretField} was shown before`;
  return JSON.stringify(envelope);
}

interface AnswerKeeper {
  /** Returns a database whose transactions are committed together with the answer. */
  hold(db: Database): Database;
  /** Returns a database whose work begins once a held transaction has been committed. */
  behind(db: Database): Database;
  /** Stores the answer, and commits a held transaction; rolls it back for an error. */
  finish(reply: FastifyReply, payload: unknown): Promise<void>;
  /** Stores no answer: the request is answered by a stored one, or not carried out. */
  leave(): void;
}

/** A transaction that has done its work, and waits for the answer, but not for long: somebody outside may have to say something. */
interface Held {
  /** Commits. @param answer stores the answer before @returns whether it was committed without the answer already */
  commit(answer?: Sql): Promise<boolean>;
  rollBack(): Promise<void>;
}

function answerKeeper(db: Database, identified: Identified, forgetSecretLater: (id: string) => void): AnswerKeeper {
  const { id } = identified;
  if (inProgress.has(id)) throw inUse();
  inProgress.add(id);
  let held: Held | undefined;
  let isOver = false;

  /** Commits a held transaction without the answer: what comes next must see what it wrote. */
  async function release(): Promise<void> {
    const { commit } = held ?? {};
    held = undefined;
    await commit?.();
  }

  function behind(other: Database): Database {
    const after =
      <Given extends unknown[], Result>(work: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        await release();
        return work(...given);
      };
    return {
      ...other,
      query: after(other.query) as Database['query'],
      transaction: after(other.transaction) as Database['transaction'],
      session: after(other.session) as Database['session'],
    };
  }

  return {
    behind,
    hold: (other) => ({
      ...behind(other),
      async transaction(work) {
        await release();
        const { result, ...transaction } = await holdTransaction(other, id, work).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE') isOver = true;
          throw error;
        });
        held = transaction;
        return result;
      },
    }),
    async finish(reply, payload) {
      inProgress.delete(id);
      if (isOver) return;
      isOver = true;
      const { statusCode: status } = reply;
      const isKept = status < 300 && !(payload instanceof Object && 'pipe' in payload);
      const text = isKept ? String(payload ?? '') : '';
      const answer = isKept && text.length <= MAX_KEPT ? insertion(identified, reply, text) : undefined;
      if (answer !== undefined && identified.secretField !== undefined) forgetSecretLater(id);
      const transaction = held;
      held = undefined;
      if (transaction !== undefined && status < 400) {
        if (!(await transaction.commit(answer))) return;
      } else await transaction?.rollBack();
      // What is written stays written where the answer cannot be stored.
      if (answer !== undefined) await db.query(answer).catch(() => undefined);
    },
    leave() {
      isOver = true;
    },
  };
}

/** Runs a transaction up to its commit. @throws ApiError `IDEMPOTENCY_KEY_IN_USE` if another process has a request with the key */
async function holdTransaction<Result>(
  db: Database,
  id: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Held & { result: Result }> {
  let isLate = false;
  const done = deferred<Result>();
  const end = deferred<{ isCommitted: boolean; answer?: Sql | undefined }>();
  const whole = db.transaction(async (transaction) => {
    // The second statement sees what the last holder of the lock has committed.
    const [[lock], kept] = await Promise.all([
      transaction.query<{ isFree: boolean }>(sql`
        select pg_try_advisory_xact_lock(${advisoryLock('keptAnswer')}, hashtext(${id})) as "isFree"`),
      findAnswer(transaction, id),
    ]);
    if (lock?.isFree !== true || kept !== undefined) throw inUse();
    done.resolve(await work(transaction));
    const late = setTimeout(() => {
      isLate = true;
      end.resolve({ isCommitted: true });
    }, HELD_MS).unref();
    const { isCommitted, answer } = await end.promise;
    clearTimeout(late);
    if (!isCommitted) throw new RolledBackError();
    if (answer !== undefined) await transaction.query(answer);
  });
  await Promise.race([done.promise, whole]);
  return {
    result: await done.promise,
    async commit(answer) {
      end.resolve({ isCommitted: true, answer });
      await whole;
      return isLate;
    },
    async rollBack() {
      end.resolve({ isCommitted: false });
      await whole.catch(() => undefined);
    },
  };
}

class RolledBackError extends Error {}

/** Returns the statement that stores an answer, and removes some that are older than a day. */
function insertion(
  { id, author, requestId, fingerprint, scope, secretField, password }: Identified,
  reply: FastifyReply,
  text: string,
): Sql {
  const headers = Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, reply.getHeader(name)]] : [])),
  );
  const [body, secret] = secretField === undefined ? [text, null] : withoutSecret(text, secretField, password);
  return sql`
    with old as (
      delete from kept_answers
       where id in (select id from kept_answers where at < now() - interval '24 hours' and id <> ${id} order by at limit 20)),
         concerned as (
      select distinct company_id::text as id from audit_changes
       where coalesce(run_id::text, request_id, id::text) = ${requestId} and actor_id = ${author}::uuid and company_id is not null)
    insert into kept_answers (id, fingerprint, scope, status, headers, body, sealed, secret)
    values (${id}, ${fingerprint}, ${concernedScope(scope)}, ${reply.statusCode}, ${JSON.stringify(headers)}::text::json, ${encrypt(body, password)}, true, ${secret})
        on conflict (id) do update
       set fingerprint = excluded.fingerprint, scope = excluded.scope, at = now(), status = excluded.status, headers = excluded.headers,
           body = excluded.body, sealed = true, secret = excluded.secret`;
}

/** Returns a scope without the companies, and the roles in companies, that a request did not change; the whole where it changed none. */
function concernedScope(scope: CompanyScope): Sql {
  const whole = sql`${JSON.stringify(scope)}::text::json`;
  if (scope === 'all') return whole;
  if (scope === 'active') return sql`coalesce((select json_agg(id) from concerned), ${whole})`;
  return sql`
    case when exists (select from concerned) then coalesce((
      select json_agg(has) from json_array_elements_text(${whole}) has
       where length(has) < 36 or right(has, 36) in (select id from concerned)), '[]') else ${whole} end`;
}

function withoutSecret(text: string, field: string, password: Buffer): [body: string, secret: string | null] {
  const envelope = JSON.parse(text) as { data: Record<string, unknown> };
  const secret = envelope.data[field];
  envelope.data[field] = '';
  return [JSON.stringify(envelope), typeof secret === 'string' ? encrypt(secret, password) : null];
}

/** Returns undefined where it was encrypted with another password. */
function decrypted(secret: string, password: Buffer): string | undefined {
  try {
    return decrypt(secret, password).toString();
  } catch {
    return undefined;
  }
}
