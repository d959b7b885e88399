import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { checkOptional, checkValue, parseBody, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { inScope, type WriteRequest } from '../../api/write-request.ts';
import { auditedDelete, auditedInsert, write } from '../../audit/audited-write.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { requireHolder } from '../../auth/callers/access.ts';
import { administeredCompanies, type Caller, isSuperAdmin, isThemselves } from '../../auth/callers/roles.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { problemOf } from '../../entities/api-error.ts';
import { allOf, checkKnown, valid } from '../../entities/check-fields.ts';
import { substitution } from '../../entities/substitution.ts';
import { date, uuid } from '../../entities/values.ts';
import { findUser } from '../profile/profile-queries.ts';
import type { SubstitutionView } from '../profile/profile-schemas.ts';
import { NO_SUBSTITUTE } from '../profile/profile-views.ts';
import { assertAssignable, lockAssignable } from './assignments.ts';
import { changePeople } from './change-people.ts';
import { lockPeopleRows, lockPerson } from './person-service.ts';

/** Who decides for a person, and when; all null: nobody. */
interface Substitution {
  /** Absent: the caller. */
  userId: string | undefined;
  substituteId: string | null;
  from: string | null;
  until: string | null;
}

/** Reads the body of users/set-substitute. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readSubstitution(raw: unknown): Substitution {
  const given = parseBody(raw);
  const isGone = given.substituteId === null;
  const day = (name: 'from' | 'until') =>
    isGone && !given[name] ? valid(null) : checkValue(name, date, given[name] ?? undefined);
  const [userId, substituteId, from, until] = validOrThrow(
    allOf(
      checkOptional('userId', uuid, given),
      isGone ? valid(null) : checkValue('substituteId', uuid, given.substituteId),
      day('from'),
      day('until'),
      checkKnown(given, ['userId', 'substituteId', 'from', 'until']),
    ),
  );
  if (from !== null && until !== null && until < from) {
    throwIfInvalid([problemOf('until', 'OUT_OF_RANGE', 'must not be before from')]);
  }
  return { userId, substituteId, from, until };
}

const insert = auditedInsert(substitution);
const remove = auditedDelete(substitution);

/** The days of a substitution, in a row of its own or, without an id, in that of the person. */
interface Days {
  id: string | null;
  from: string;
  until: string;
}

/**
 * Sets who decides for a person in some days, and ends the substitutions that overlap them: for the caller, or as an administrator for
 * anybody. Without a substitute it ends those of these days, or all.
 *
 * @throws ApiError `ROLE_REQUIRED`, `NOT_FOUND`, `INVALID_INPUT` for a substitute who is the person or of another company
 */
export function setSubstitute(
  db: Database,
  { caller, actor }: Pick<WriteRequest, 'actor'> & { caller: Caller },
  { userId = caller.userId, substituteId, from, until }: Substitution,
): Promise<SubstitutionView> {
  const isSelf = isThemselves(caller, userId);
  if (!isSelf) requireHolder(caller, ['SUPER_ADMIN', 'CORPORATE_ADMIN']);
  const scope = isSelf || isSuperAdmin(caller) ? 'all' : administeredCompanies(caller);
  return db.transaction(async (transaction) => {
    if (substituteId !== null) await lockPeopleRows(transaction, [userId, substituteId], sql`true`);
    const person = await lockPerson(transaction, userId, inScope(scope, sql`company_id`));
    if (substituteId === userId) {
      throwIfInvalid([problemOf('substituteId', 'INVALID_VALUE', 'must be another person')]);
    }
    const further = await transaction.query<Days>(sql`
      select ${selectFields(substitution, ['id', 'from', 'until'])} from substitutions where user_id = ${userId}::uuid order by first_day`);
    const overlaps = (days: Omit<Days, 'id'>) =>
      (until === null || days.from <= until) && (from === null || from <= days.until);
    const { substituteFrom, substituteUntil } = person;
    const isOwnOver = substituteFrom === null || substituteUntil === null || substituteUntil < person.today;
    const replacesOwn = isOwnOver || overlaps({ from: substituteFrom, until: substituteUntil });
    const ended = further.filter(overlaps).flatMap(({ id }) => id ?? []);
    if (ended.length > 0) await write(transaction, remove(ended, actor));
    if (substituteId !== null && from !== null && until !== null) {
      const patch = { substituteId, substituteFrom: from, substituteUntil: until };
      // Checks the substitute, also of a further substitution.
      await changePeople(transaction, { caller, actor }, [{ person, patch: replacesOwn ? patch : {} }]);
      if (!replacesOwn) {
        await assertSubstitute(transaction, person.companyId, substituteId);
        const row = { id: randomUUID(), companyId: person.companyId, userId, substituteId, from, until };
        await write(transaction, insert([row], actor));
      }
    } else if (replacesOwn) {
      const patch = { substituteId: null, substituteFrom: null, substituteUntil: null };
      await changePeople(transaction, { caller, actor }, [{ person, patch }]);
    }
    const { userId: id, substitutions } = await findUser(transaction, userId);
    const set = substitutions.find((one) => one.from === from && substituteId !== null);
    return { userId: id, ...(set ?? NO_SUBSTITUTE) };
  });
}

/** Asserts that a substitute is of the company. @throws ApiError `INVALID_INPUT` */
async function assertSubstitute(transaction: Transaction, companyId: string, substituteId: string): Promise<void> {
  assertAssignable({ substituteId }, await lockAssignable(transaction, companyId, [{ substituteId }]));
}
