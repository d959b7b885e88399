import type { Call } from '../../api/operation.ts';
import { userRefused } from '../../auth/tokens/access-token.ts';
import type { Database } from '../../db/database.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import type { ProfilePatch } from './profile-input.ts';
import { findProfileForUpdate, type ProfileRow, updateProfile } from './profile-queries.ts';
import { profileView } from './profile-views.ts';

/**
 * Updates the caller's own profile. Each statement writes just the fields of its patch, so that updates at the same time
 * keep each other's; with `ifMatch` (RFC 9110, section 13.1.1) the update happens only where the profile still is the one that was read.
 *
 * @returns the profile as it is afterwards
 * @throws ApiError `PRECONDITION_FAILED`, with the profile as it is, where `ifMatch` names no present tag
 */
export async function updateOwnProfile(
  db: Database,
  { caller, actor, ifMatch }: Pick<Call<ProfilePatch, ProfileRow>, 'caller' | 'actor' | 'ifMatch'>,
  patch: ProfilePatch,
): Promise<ProfileRow> {
  const changesNothing = Object.keys(patch).length === 0;
  if (ifMatch === undefined) {
    return changesNothing ? caller : assertActive(await updateProfile(db, actor, patch));
  }
  return db.transaction(async (transaction) => {
    const present = assertActive(await findProfileForUpdate(transaction, caller.userId));
    checkIfMatch(ifMatch, profileView(present), 'profile');
    return changesNothing ? present : assertActive(await updateProfile(transaction, actor, patch));
  });
}

function assertActive(profile: ProfileRow | undefined): ProfileRow {
  if (!profile?.active) throw userRefused(profile);
  return profile;
}
