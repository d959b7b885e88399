import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import { retryOnUniqueViolation } from '../../api/write-request.ts';
import type { Actor } from '../../audit/audit-trail.ts';
import { auditedInsert, auditedUpdate, write } from '../../audit/audited-write.ts';
import { hasEmail } from '../../audit/entity-sql.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { systemRole } from '../../entities/held-role.ts';
import { addPeople, type FirstAssignment } from '../people/add-people.ts';
import { writePeople } from '../people/change-people.ts';
import { lockPerson } from '../people/person-service.ts';
import { readNewCompany } from './companies-schemas.ts';
import { addCompany } from './companies-service.ts';

/** The company added for platform staff if no company has any yet. */
const OPERATOR = { name: 'Platform operator', legalName: 'Platform operator', gstin: 'PLATFORM-OPERATOR' } as const;

const actor: Actor = { kind: 'command' };
const insertRole = auditedInsert(systemRole);
const updateRole = auditedUpdate(systemRole, ['role', 'active']);

/** Person to become a Super Admin. */
export interface FutureSuperAdmin {
  email: string;
  firstName: string;
  lastName: string;
}

/**
 * Makes a person an active Super Admin, in one transaction. Someone known gets the role; someone new is added to the operator's company.
 *
 * @returns `unchanged` if the person was an active Super Admin already
 */
export function makeSuperAdmin(db: Database, person: FutureSuperAdmin): Promise<'added' | 'promoted' | 'unchanged'> {
  // Two concurrent calls may both add the company or the person: the retry finds them.
  return retryOnUniqueViolation(() =>
    db.transaction(async (transaction) => {
      const [known] = await transaction.query<{ id: string }>(sql`
        select id from users where ${hasEmail(sql`${person.email}::text`)}`);
      const id = known?.id ?? (await addPerson(transaction, person));
      const changed = await promote(transaction, id);
      if (known === undefined) return 'added';
      return changed ? 'promoted' : 'unchanged';
    }),
  );
}

async function addPerson(transaction: Transaction, person: FutureSuperAdmin): Promise<string> {
  const { companyId, departmentId, bandId } = await operatorCompany(transaction, person.email);
  const id = randomUUID();
  const unset = { phone: null, dateOfBirth: null, gender: null, addressLine1: null, addressLine2: null, pincode: null };
  const assignment = { companyId, departmentId, bandId };
  const money = { approvalLimit: '0.00', loyaltyPoints: 0 };
  const kinds = { clientType: 'CORPORATE', workerType: 'EMPLOYEE' } as const;
  const row = { id, ...kinds, active: true, ...person, ...unset, ...assignment, ...money };
  await addPeople(transaction, { actor }, [{ row, roles: ['CORPORATE_ADMIN'] }]);
  return id;
}

/** Returns the company that most platform staff belong to, with one of its departments and bands; adds the company if there is none. */
async function operatorCompany(transaction: Transaction, email: string): Promise<FirstAssignment> {
  const [known] = await transaction.query<FirstAssignment>(sql`
      select companies.id as "companyId", coalesce(default_department_id, department.id) as "departmentId",
             coalesce(default_band_id, band.id) as "bandId"
        from companies
        cross join lateral (select id from departments where company_id = companies.id order by id limit 1) department
        cross join lateral (select id from employee_bands where company_id = companies.id order by id limit 1) band
        left join lateral (
          select count(*) as staff from users join system_roles on system_roles.user_id = users.id
           where users.company_id = companies.id) held on true
       where companies.active and (staff > 0 or upper(gstin) = ${OPERATOR.gstin})
       order by staff desc, companies.id limit 1`);
  const made = known ?? (await addCompany(transaction, actor, readNewCompany({ ...OPERATOR, email })));
  if (made === undefined) throw new TypeError('The id of the new company is taken');
  return made;
}

/** @returns whether anything was changed */
async function promote(transaction: Transaction, id: string): Promise<boolean> {
  const { active, systemRole: held } = await lockPerson(transaction, id, sql`true`);
  if (!active) await writePeople(transaction, actor, [{ id, patch: { active: true } }]);
  if (held?.active && held.role === 'SUPER_ADMIN') return !active;
  const role = { role: 'SUPER_ADMIN', active: true } as const;
  const change = held ? updateRole({ id, patch: role, actor }) : insertRole([{ userId: id, ...role }], actor);
  await write(transaction, change);
  return true;
}
