import sql, { type Sql } from 'sql-template-tag';
import { notFound } from '../../api/write-request.ts';
import type { UserActor } from '../../audit/audit-trail.ts';
import { auditedUpdate } from '../../audit/audited-write.ts';
import { jsonOfFields, LAST_CHANGED, selectFields, todayOf, worksOn } from '../../audit/entity-sql.ts';
import { callerColumnsIn, findByOwner } from '../../auth/callers/identity-queries.ts';
import type { Caller } from '../../auth/callers/roles.ts';
import type { TokenOwner } from '../../auth/tokens/token-claims.ts';
import type { Reader, Writer } from '../../db/database.ts';
import { isoTimestamp } from '../../db/sql/sql-fragments.ts';
import { band } from '../../entities/band.ts';
import { BRAND_FIELDS, company } from '../../entities/company.ts';
import { department } from '../../entities/department.ts';
import { fieldsBut, type RowOf } from '../../entities/entity.ts';
import { EMPLOYMENT_FIELDS, KIND_FIELDS, PROFILE_FIELDS, SUBSTITUTE_FIELDS, user } from '../../entities/user.ts';
import { type Brand, looksOf } from '../console/brand.ts';
import { type EffectiveEntity, ENTITY_OF_PERSON, effectiveEntity } from '../legal-entities/effective-entity.ts';
import {
  BAND_FIELDS,
  COMPANY_FIELDS,
  DEPARTMENT_FIELDS,
  MANAGER_FIELDS,
  type ProfilePatch,
  type SignInView,
  type SubstitutionView,
} from './profile-schemas.ts';

/** Fields of a person in the profile, except those of a {@link Caller}. */
const OWN_FIELDS = fieldsBut(
  user,
  ...(['id', 'active', 'externalId', 'fields'] as const),
  ...EMPLOYMENT_FIELDS,
  ...SUBSTITUTE_FIELDS,
  ...KIND_FIELDS,
  'legalEntityId',
);

/** A user with all data of the profile: amounts as decimal strings, `dateOfBirth` as `YYYY-MM-DD`. */
export interface ProfileRow extends Caller, RowOf<typeof user, (typeof OWN_FIELDS)[number]> {
  createdAt: string;
  updatedAt: string;
  company: RowOf<typeof company, (typeof COMPANY_FIELDS)[number]>;
  department: RowOf<typeof department, (typeof DEPARTMENT_FIELDS)[number]>;
  band: RowOf<typeof band, (typeof BAND_FIELDS)[number]>;
}

const profileColumnsIn = (companyId?: Sql): Sql => sql`
  ${callerColumnsIn(companyId)}, ${selectFields(user, OWN_FIELDS)},
  ${isoTimestamp(sql`users.created_at`)} as "createdAt", ${isoTimestamp(LAST_CHANGED)} as "updatedAt",
  ${jsonOfFields(company, COMPANY_FIELDS)} as company, ${jsonOfFields(department, DEPARTMENT_FIELDS)} as department,
  ${jsonOfFields(band, BAND_FIELDS)} as band`;
const profileColumns = profileColumnsIn();

const profileTables: Sql = sql`companies, departments, employee_bands`;
const profileJoins: Sql = sql`
  companies.id = users.company_id and departments.id = users.department_id and employee_bands.id = users.band_id`;

/** Selects the profiles of the rows of `written`, which has the columns of `users`. */
export const writtenProfiles: Sql = sql`
  select ${profileColumns} from written users, ${profileTables} where ${profileJoins}`;

/** What a company that is not their own learns about a guest whom its connection signs in. */
const HIDDEN = { phone: null, dateOfBirth: null, gender: null, addressLine1: null, addressLine2: null, pincode: null };

/** Returns the profile of each token's owner, with roles, in one round trip; undefined for an unknown owner. */
export async function findProfiles(db: Reader, owners: readonly TokenOwner[]): Promise<(ProfileRow | undefined)[]> {
  const found = await findByOwner(owners, ({ owner, from, where, companyId }) =>
    db.query<ProfileRow & { owner: string }>(sql`
      select ${owner} as owner, ${profileColumnsIn(companyId)}
        from ${from}, ${profileTables} where ${where} and ${profileJoins}`),
  );
  return found.map((profile) => (profile?.signedInBy === 'host' ? { ...profile, ...HIDDEN } : profile));
}

/** A user with what administrators see beyond the profile. */
export interface UserRow extends ProfileRow, RowOf<typeof user, (typeof USER_FIELDS)[number]> {
  manager: RowOf<typeof user, (typeof MANAGER_FIELDS)[number]> | null;
  host: UserRow['manager'];
  legalEntity: EffectiveEntity | null;
  /** Those that are not over, by their first day. */
  substitutions: Omit<SubstitutionView, 'userId'>[];
  /** Of the company. */
  currency: string | null;
  workEmail: string | null;
  signIn: SignInView;
  /** Fields of one's own, where they are shown. */
  fields?: Record<string, unknown>;
}

const USER_FIELDS = ['externalId', ...EMPLOYMENT_FIELDS, ...KIND_FIELDS] as const;

const substitutionsColumn: Sql = sql`
  coalesce((select json_agg(json_build_object('substitute', ${jsonOfFields(user, MANAGER_FIELDS, 'stand_in')}, 'from', first_day, 'until', last_day)
                   order by first_day)
              from (select users.substitute_id as stand_in_id, users.substitute_from as first_day, users.substitute_until as last_day
                     union all
                    select further.substitute_id, further.first_day, further.last_day
                      from substitutions further where further.user_id = users.id) planned
              join users stand_in on stand_in.id = stand_in_id
             where last_day >= ${todayOf('users')}), '[]') as substitutions`;

/** Column with the manager of a person, for a statement that selects from `users`. */
export const managerColumn: Sql = sql`
  (select ${jsonOfFields(user, MANAGER_FIELDS, 'manager')} from users manager where manager.id = users.manager_id) as manager`;

const hostColumn: Sql = sql`
  (select ${jsonOfFields(user, MANAGER_FIELDS, 'host')} from users host where host.id = users.host_id) as host`;

/** When a person last signed in, for a statement that selects from `users`. */
export const lastSignIn: Sql = sql`
  (select ${isoTimestamp(sql`last_sign_in_at`)} from sign_ins where sign_ins.user_id = users.id)`;

/** The work address that the directory of their company sent, if it is another one, for a statement that selects from `users`. */
export const workEmailColumn: Sql = sql`
  (select work_email from scim_users
    where scim_users.user_id = users.id and scim_users.company_id = users.company_id and deleted_at is null
      and lower_letters(work_email) <> lower_letters(users.email)) as "workEmail"`;

const signInColumn: Sql = sql`
  (select json_build_object(
            'linked', exists (select from user_identities where user_identities.user_id = users.id), 'connectionId', (
              select connection_id from user_identities where user_identities.user_id = users.id
               order by linked_at desc, connection_id limit 1),
            'lastSignInAt', ${isoTimestamp(sql`last_sign_in_at`)},
            'lastRefusal', case when refused_at is not null
                             then json_build_object('at', ${isoTimestamp(sql`refused_at`)}, 'reason', refusal) end)
     from (select) always left join sign_ins on sign_ins.user_id = users.id) as "signIn"`;

/** Returns the user with that id. @throws ApiError `NOT_FOUND` */
export async function findUser(db: Reader, userId: string): Promise<UserRow> {
  const [found] = await findUsers(db, sql`users.id = ${userId}`);
  if (found === undefined) throw notFound('user');
  return found;
}

/** Returns the name and looks of the product that a company has set. */
export async function findBrand(db: Reader, companyId: string): Promise<Partial<Brand>> {
  const [found] = await db.query<RowOf<typeof company, (typeof BRAND_FIELDS)[number]>>(sql`
    select ${selectFields(company, BRAND_FIELDS)} from companies where id = ${companyId}`);
  return looksOf(found ?? {});
}

/** Returns the users that a condition on `users` selects. */
export function findUsers(db: Reader, condition: Sql): Promise<UserRow[]> {
  return db.query<UserRow>(sql`
    select ${profileColumns}, ${selectFields(user, USER_FIELDS)}, ${managerColumn}, ${hostColumn}, ${effectiveEntity('users', ENTITY_OF_PERSON)}, ${substitutionsColumn}, ${workEmailColumn}, ${signInColumn}, currency
      from users, ${profileTables}
     where ${condition} and ${profileJoins}`);
}

/** Returns the profile of a user, and locks the user until the transaction ends; undefined where there is none. */
export async function findProfileForUpdate(db: Writer, userId: string): Promise<ProfileRow | undefined> {
  const [profile] = await db.query<ProfileRow>(sql`
    select ${profileColumns} from users, ${profileTables} where users.id = ${userId} and ${profileJoins}
    for update of users`);
  return profile;
}

/** Updates people who work only. `updatedAt` moves even where no value changes. */
const update = auditedUpdate(user, PROFILE_FIELDS, { only: worksOn(), touch: true });

/**
 * Writes only the fields of the patch, and their changes to the audit trail, in one statement. Returns the updated profile; undefined
 * where the user no longer exists or does not work.
 */
export async function updateProfile(
  db: Writer,
  actor: UserActor,
  patch: ProfilePatch,
): Promise<ProfileRow | undefined> {
  const [profile] = await db.query<ProfileRow>(sql`
    with ${update({ id: actor.userId, patch, actor })} ${writtenProfiles}`);
  return profile;
}
