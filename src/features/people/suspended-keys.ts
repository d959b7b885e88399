import sql from 'sql-template-tag';
import { assertNotSuspended } from '../../auth/callers/access.ts';
import type { KeyCaller } from '../../auth/callers/api-keys.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { Reader } from '../../db/database.ts';
import { cents, type DecimalString } from '../../entities/money.ts';
import { type Employment, works } from '../../entities/user.ts';

/** What a caller is about to give to a person. */
interface Gift {
  /** The person as they are; absent for a new one. */
  person?: Pick<Caller, 'systemRole' | 'companyRoles'> & Employment & { approvalLimit: DecimalString; bandId: string };
  /** The fields that differ, or those of a new person. */
  changes: Partial<Employment> & { email?: string; approvalLimit?: DecimalString; bandId?: string };
  roles?: readonly string[];
}

/**
 * Checks that a suspended API key gives nobody more than an employee has: no other role, no higher limit, and neither the address nor the
 * activation of somebody who has one.
 *
 * @param caller undefined at the command line
 * @throws ApiError `KEY_SUSPENDED`
 */
export async function checkGift(db: Reader, caller: Caller | KeyCaller | undefined, gift: Gift): Promise<void> {
  if (caller === undefined || !('keyId' in caller) || !caller.isSuspended) return;
  const { person, changes, roles = [] } = gift;
  const { email, approvalLimit, bandId } = changes;
  const returns = person !== undefined && !works(person) && works({ ...person, ...changes });
  const givesAccess = person !== undefined && holdsMore(person) && (email !== undefined || returns);
  const raisesLimit = approvalLimit !== undefined && cents(approvalLimit) > cents(person?.approvalLimit ?? '0.00');
  const isMore =
    roles.some(isMoreThanEmployee) ||
    givesAccess ||
    raisesLimit ||
    (bandId !== undefined && (await hasHigherLimits(db, bandId, person?.bandId)));
  if (isMore) assertNotSuspended(caller);
}

function isMoreThanEmployee(role: string): boolean {
  return role !== 'EMPLOYEE';
}

function holdsMore({ systemRole, companyRoles, approvalLimit }: NonNullable<Gift['person']>): boolean {
  return systemRole !== null || companyRoles.some(({ role }) => isMoreThanEmployee(role)) || cents(approvalLimit) > 0;
}

/** Returns whether a band has a higher limit than another one. @param than absent: the default of the band's company */
async function hasHigherLimits(db: Reader, bandId: string, than: string | undefined): Promise<boolean> {
  const higher = await db.query(sql`
    select from employee_bands band join companies on companies.id = band.company_id
      left join employee_bands other on other.id = coalesce(${than ?? null}::uuid, companies.default_band_id)
     where band.id = ${bandId}
       and (band.auto_approval_limit > coalesce(other.auto_approval_limit, 0)
            or (other.max_booking_limit is not null and coalesce(band.max_booking_limit > other.max_booking_limit, true)))`);
  return higher.length > 0;
}
