import { parseBody, validOrThrow } from '../../api/body.ts';
import { checkPatch } from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { PROFILE_FIELDS, type ProfileFieldName, user } from '../../entities/user.ts';

/** What an update changes: a field that is absent stays as it is, null clears it. Without any field nothing changes. */
export type ProfilePatch = Partial<RowOf<typeof user, ProfileFieldName>>;

/**
 * Reads an update of the own profile from a JSON body or a query string. Only the fields of the spec are read, whatever else there is.
 * An absent `addressLine2` beside other fields is null (spec.: Update self profile, rule 3).
 *
 * @throws ApiError `INVALID_INPUT` with every field that is wrong
 */
export function readProfilePatch(raw: unknown): ProfilePatch {
  const patch = validOrThrow(checkPatch(user, PROFILE_FIELDS, parseBody(raw)));
  if (Object.keys(patch).length > 0) patch.addressLine2 ??= null;
  return patch;
}
