import type { Call } from '../../api/operation.ts';
import { userRefused } from '../../auth/tokens/access-token.ts';
import type { Database } from '../../db/database.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import type { ProfilePatch } from './profile-input.ts';
import { findProfileForUpdate, type ProfileRow, updateProfile } from './profile-queries.ts';
import { profileView } from './profile-views.ts';

/**
 * Updates the caller's own profile. Only the fields of the patch are written, so that concurrent updates of other fields survive; with
 * `ifMatch` (RFC 9110, section 13.1.1) the profile must be unchanged since it was read.
 *
 * @returns the updated profile
 * @throws ApiError `PRECONDITION_FAILED`, with the present profile, where `ifMatch` does not list its tag
 */
export async function updateOwnProfile(
  db: Database,
  { caller, actor, ifMatch }: Pick<Call<ProfilePatch, ProfileRow>, 'caller' | 'actor' | 'ifMatch'>,
  patch: ProfilePatch,
): Promise<ProfileRow> {
  const changesNothing = Object.keys(patch).length === 0;
  if (ifMatch === undefined) {
    return changesNothing ? caller : assertWorks(await updateProfile(db, actor, patch));
  }
  return db.transaction(async (transaction) => {
    const present = assertWorks(await findProfileForUpdate(transaction, caller.userId));
    checkIfMatch(ifMatch, profileView(present), 'profile');
    return changesNothing ? present : assertWorks(await updateProfile(transaction, actor, patch));
  });
}

function assertWorks(profile: ProfileRow | undefined): ProfileRow {
  if (!profile?.works) throw userRefused(profile ? 'user inactive' : 'user unknown');
  return profile;
}
