import { withPhone } from '../../api/company-row.ts';
import { checkCustomFields, levelOf, type Shown, showFields } from '../../api/custom-fields.ts';
import { type Call, operation } from '../../api/operation.ts';
import { one } from '../../api/output.ts';
import { auditedUpdate, write } from '../../audit/audited-write.ts';
import { activeUser } from '../../auth/callers/access.ts';
import { userRefused } from '../../auth/tokens/token-claims.ts';
import type { Database } from '../../db/database.ts';
import { ApiError } from '../../entities/api-error.ts';
import { withoutUnchanged } from '../../entities/check-fields.ts';
import { user as userEntity } from '../../entities/user.ts';
import { checkIfMatch, entityTag } from '../../http/response/entity-tag.ts';
import {
  findBrand,
  findProfileForUpdate,
  findProfiles,
  findUser,
  type ProfileRow,
  updateProfile,
} from './profile-queries.ts';
import {
  OwnProfileView,
  ProfileInput,
  type ProfilePatch,
  ProfilePatchSchema,
  ProfileView,
  ReducedProfileView,
  readProfilePatch,
} from './profile-schemas.ts';
import { employmentView, profileView, reducedProfileView, substitutionView } from './profile-views.ts';

const updateFields = auditedUpdate(userEntity, ['fields']);
const GUEST = 'Guests change their profile after a sign-in by the provider of their own company, or of the platform.';

/** Reads the caller and the whole profile in one statement. */
const ownProfile = activeUser(findProfiles);

const view = operation({
  id: 'profile.view',
  operationId: 'getProfile',
  tag: 'Profile',
  summary: 'Get own profile',
  description: "The caller's profile. Its ETag can be sent as If-Match with an update.",
  access: ownProfile,
  ignoresUnknown: true,
  methods: ['GET', 'POST'],
  path: '/api/users/profile',
  etag: 'response',
  input: ProfileInput,
  output: one(OwnProfileView),
  message: 'User profile retrieved successfully',
  async handle({ caller, input, reply }, { db, defaultCurrency }: { db: Database; defaultCurrency: string }) {
    const profile = profileView(caller);
    if (input.include === undefined || caller.signedInBy === 'host') return profile;
    // Updates compare the ETag of the profile alone.
    reply.header('etag', entityTag(profile));
    const user = await findUser(db, caller.userId);
    const has = (part: string) => input.include?.includes(part);
    const own: Shown = { id: caller.userId, companyId: caller.companyId };
    if (has('fields')) await showFields(db, userEntity, caller, [own], { isAsked: true });
    return Object.assign(profile, {
      ...(has('company') && {
        company: {
          ...profile.company,
          currency: user.currency ?? defaultCurrency,
          brand: await findBrand(db, caller.companyId),
        },
      }),
      ...(has('employment') ? { employment: employmentView(user), manager: user.manager } : {}),
      ...(own.fields && { fields: own.fields }),
      ...(has('substitution') ? { substitution: substitutionView(user), substitutions: user.substitutions } : {}),
    });
  },
});

const update = operation({
  id: 'profile.update',
  operationId: 'updateProfile',
  tag: 'Profile',
  summary: 'Update own profile',
  description:
    'Changes the fields that are sent; addressLine2 is cleared if it is omitted while other fields are sent. With If-Match, ' +
    'fails with 412 if the profile has changed since it was read. An object fields has those of one’s own that people write themselves.',
  access: ownProfile,
  ignoresUnknown: true,
  methods: ['POST', 'GET'],
  path: '/api/users/update-profile',
  writes: true,
  errors: ['FIELD_FORBIDDEN'],
  etag: 'If-Match',
  present: ProfileView,
  input: ProfilePatchSchema,
  parse: readProfilePatch,
  withoutUnchanged: async (given, { caller }) => withoutUnchanged(given, profileView(caller)),
  output: one(ReducedProfileView),
  message: 'Profile updated successfully',
  async handle(call, { db }: { db: Database }) {
    const profile = await updateOwnProfile(db, call, call.input);
    // The ETag is that of the full profile, of which the response is a part.
    call.reply.header('etag', entityTag(profileView(profile)));
    return reducedProfileView(profile);
  },
});

export const profileOperations = [view, update];

/**
 * Updates the caller's own profile. Only the fields of the patch are written, so that concurrent updates of other fields survive; with
 * `ifMatch` (RFC 9110, section 13.1.1) the profile must be unchanged since it was read.
 *
 * @returns the updated profile
 * @throws ApiError `PRECONDITION_FAILED`, with the present profile, where `ifMatch` does not list its tag
 */
async function updateOwnProfile(
  db: Database,
  { caller, actor, ifMatch }: Pick<Call<ProfilePatch, ProfileRow>, 'caller' | 'actor' | 'ifMatch'>,
  given: ProfilePatch,
): Promise<ProfileRow> {
  if (caller.signedInBy === 'host') throw new ApiError('COMPANY_FORBIDDEN', GUEST);
  const changesNothing = Object.keys(given).length === 0;
  const { signedInBy, systemRole, companyRoles } = caller;
  const inScope = (profile: ProfileRow): ProfileRow =>
    signedInBy === 'platform' ? profile : { ...profile, signedInBy, systemRole, companyRoles };
  const patch = given.phone === caller.phone ? given : await withPhone(db, caller.companyId, given);
  if (ifMatch === undefined && patch.fields === undefined) {
    return changesNothing ? caller : inScope(assertWorks(await updateProfile(db, actor, patch)));
  }
  return db.transaction(async (transaction) => {
    const present = inScope(assertWorks(await findProfileForUpdate(transaction, caller.userId)));
    checkIfMatch(ifMatch, profileView(present), 'profile');
    const { fields: sent, ...others } = patch;
    if (sent !== undefined) {
      const { userId: id, companyId } = caller;
      const author = { caller, companyId, level: levelOf(caller, companyId, true) };
      const [fields] = await checkCustomFields(transaction, userEntity, author, [{ id, isNew: false, given: sent }]);
      if (fields !== undefined) await write(transaction, updateFields({ id, patch: { fields }, actor }));
      if (Object.keys(others).length === 0) {
        return inScope(assertWorks(await findProfileForUpdate(transaction, caller.userId)));
      }
      return inScope(assertWorks(await updateProfile(transaction, actor, others)));
    }
    return changesNothing ? present : inScope(assertWorks(await updateProfile(transaction, actor, patch)));
  });
}

function assertWorks(profile: ProfileRow | undefined): ProfileRow {
  if (!profile?.works) throw userRefused(profile ? 'user inactive' : 'user unknown');
  return profile;
}
