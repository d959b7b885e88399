import sql from 'sql-template-tag';
import { checkOptional, checkValue, parseBody, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { inScope, type WriteRequest } from '../../api/write-request.ts';
import { requireHolder } from '../../auth/callers/access.ts';
import { administeredCompanies, type Caller, isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Database } from '../../db/database.ts';
import { allOf, checkKnown, valid } from '../../entities/check-fields.ts';
import { problemOf } from '../../entities/field-problem.ts';
import { date, uuid } from '../../entities/values.ts';
import { findUser } from '../profile/profile-queries.ts';
import type { SubstitutionView } from '../profile/profile-schemas.ts';
import { substitutionView } from '../profile/profile-views.ts';
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
    isGone && (given[name] === undefined || given[name] === null)
      ? valid(null)
      : checkValue(name, date, given[name] ?? undefined);
  const [userId, substituteId, from, until] = validOrThrow(
    allOf(
      checkOptional('userId', uuid, given),
      isGone ? valid(null) : checkValue('substituteId', uuid, given.substituteId),
      day('from'),
      day('until'),
      checkKnown(given, ['userId', 'substituteId', 'from', 'until']),
    ),
  );
  if (substituteId === null) return { userId, substituteId, from: null, until: null };
  if (from !== null && until !== null && until < from) {
    throwIfInvalid([problemOf('until', 'OUT_OF_RANGE', 'must not be before from')]);
  }
  return { userId, substituteId, from, until };
}

/**
 * Sets who decides for a person in some days: for the caller, or as an administrator for anybody.
 *
 * @throws ApiError `ROLE_REQUIRED`, `NOT_FOUND`, `INVALID_INPUT` for a substitute who is the person or of another company
 */
export function setSubstitute(
  db: Database,
  { caller, actor }: Pick<WriteRequest, 'actor'> & { caller: Caller },
  { userId = caller.userId, substituteId, from, until }: Substitution,
): Promise<SubstitutionView> {
  const isSelf = userId === caller.userId;
  if (!isSelf) requireHolder(caller, ['SUPER_ADMIN', 'CORPORATE_ADMIN']);
  const scope = isSelf || isSuperAdmin(caller) ? 'all' : administeredCompanies(caller);
  return db.transaction(async (transaction) => {
    if (substituteId !== null) await lockPeopleRows(transaction, [userId, substituteId], sql`true`);
    const person = await lockPerson(transaction, userId, inScope(scope, sql`company_id`));
    if (substituteId === userId) {
      throwIfInvalid([problemOf('substituteId', 'INVALID_VALUE', 'must be another person')]);
    }
    const patch = { substituteId, substituteFrom: from, substituteUntil: until };
    await changePeople(transaction, { caller, actor }, [{ person, patch }]);
    return substitutionView(await findUser(transaction, userId));
  });
}
