import sql from 'sql-template-tag';
import { Type } from 'typebox';
import { checkOptional } from '../../api/body.ts';
import { operation } from '../../api/operation.ts';
import { one } from '../../api/output.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { activeUser } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import { isThemselves } from '../../auth/callers/roles.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { booking } from '../../entities/booking.ts';
import { withoutUnchanged } from '../../entities/check-fields.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { uuid } from '../../entities/values.ts';
import { findUser } from '../profile/profile-queries.ts';
import { userView } from '../profile/profile-views.ts';
import type { ProfileKeys } from './sealed-numbers.ts';
import { readTraveller } from './traveller-input.ts';
import { listArranged } from './traveller-queries.ts';
import { OwnDataView, TravellerGetInput, TravellerInput, TravellerView } from './traveller-schemas.ts';
import { getTraveller, updateTraveller } from './travellers-service.ts';

/** What operations about travellers need. */
export interface TravellerSources {
  profileKeys: ProfileKeys;
}

type Services = TravellerSources & { db: Database };

const common = { tag: 'Travellers', access: activeUser(findCallers), output: one(TravellerView) } as const;

const get = operation({
  ...common,
  id: 'users.getTraveller',
  operationId: 'getTraveller',
  scope: 'travellers.read',
  summary: 'Get what a person needs to travel',
  description:
    'Legal name, preferences, documents, programmes and arrangers. For the person, their arrangers and the Corporate Admins of their ' +
    'company, and keys. Numbers are shown by their end; whole by reveal=true, to the person, to arrangers who may read documents, and ' +
    'to keys with travellers.documents. The emergency contact needs the scope travellers.emergency.',
  etag: 'response',
  errors: ['NOT_FOUND', 'ROLE_REQUIRED', 'NOT_CONFIGURED'],
  input: TravellerGetInput,
  message: 'Traveller retrieved successfully',
  handle: (call, { db, profileKeys }: Services) => getTraveller(db, profileKeys, call, call.input),
});

const update = operation({
  ...common,
  id: 'users.updateTraveller',
  operationId: 'updateTraveller',
  summary: 'Change what a person needs to travel',
  description:
    'Changes the fields that are sent; a list is replaced as a whole, and its items stay by their id. For the person, and for Corporate ' +
    'Admins of their company. Numbers are stored encrypted, which needs PROFILE_KEY.',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'ROLE_REQUIRED', 'NOT_CONFIGURED', 'ERASED'],
  input: TravellerInput,
  parse: readTraveller,
  async withoutUnchanged(given, { caller, scope }, { db, profileKeys }: Services) {
    const asked = checkOptional('id', uuid, given);
    if (!asked.ok) return given;
    const id = asked.value;
    const actor = { kind: 'user', userId: caller.userId, requestId: '' } as const;
    return withoutUnchanged(given, await getTraveller(db, profileKeys, { caller, scope, actor }, { id }));
  },
  message: 'Traveller updated successfully',
  handle: (call, { db, profileKeys }: Services) => updateTraveller(db, profileKeys, call, call.input),
});

const exportOwn = operation({
  ...common,
  id: 'users.exportOwn',
  operationId: 'exportOwnData',
  summary: 'Export own data',
  description: 'Everything that the service keeps about the caller, with whole numbers where PROFILE_KEY is set.',
  errors: ['NOT_CONFIGURED'],
  input: Type.Object({}),
  output: one(OwnDataView),
  message: 'Own data exported successfully',
  async handle(call, { db, profileKeys }: Services) {
    const { userId } = call.caller;
    if (!isThemselves(call.caller, userId))
      throw new ApiError(
        'COMPANY_FORBIDDEN',
        'Guests export their data after a sign-in by their own company, or the platform.',
      );
    return {
      profile: userView(await findUser(db, userId)),
      traveller: await getTraveller(db, profileKeys, call, { reveal: true }),
      bookings: await db.query<object>(sql`
        select ${selectFields(booking, fieldsBut(booking))} from bookings where user_id = ${userId}::uuid order by created_at, id`),
      arranges: await listArranged(db, userId),
    };
  },
});

export const travellersOperations = [get, update, exportOwn];
