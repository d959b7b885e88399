import { parseBody, validOrThrow } from '../../api/body.ts';
import { checkPatch } from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { ownUser, PROFILE_FIELDS, type ProfileFieldName, type user } from '../../entities/user.ts';

/** Changes of an update: an absent field stays, null clears it. An empty patch changes nothing. */
export type ProfilePatch = Partial<RowOf<typeof user, ProfileFieldName>>;

/**
 * Reads an update of the caller's own profile from a JSON body or a query string. Fields outside the spec are ignored.
 * If `addressLine2` is absent while other fields are present, it becomes null (spec.: Update self profile, rule 3).
 *
 * @throws ApiError `INVALID_INPUT` with every field that is wrong
 */
export function readProfilePatch(raw: unknown): ProfilePatch {
  const patch = validOrThrow(checkPatch(ownUser, PROFILE_FIELDS, parseBody(raw)));
  if (Object.keys(patch).length > 0) patch.addressLine2 ??= null;
  return patch;
}
