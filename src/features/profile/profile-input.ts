import { apiErrors, type FieldProblem } from '../../lib/errors.ts';
import { fieldMessage, type ProfileFieldName, profileFieldRules } from '../../lib/profile-fields.ts';

/** What an update changes: a field that is absent stays as it is, null clears it. Without any field nothing changes. */
export type ProfilePatch = Partial<Record<ProfileFieldName, string | null>>;

const FIELDS = Object.keys(profileFieldRules) as ProfileFieldName[];

/**
 * Reads an update of the own profile from a JSON body or a query string. Only the fields of the spec are read, whatever else there is.
 * An absent `addressLine2` beside other fields is null (spec.: Update self profile, rule 3).
 *
 * @throws ApiError `INVALID_INPUT` with every field that is wrong
 */
export function readProfilePatch(raw: unknown): ProfilePatch {
  const given = (raw ?? {}) as Record<string, unknown>;
  const patch: ProfilePatch = {};
  const problems: FieldProblem[] = [];
  for (const field of FIELDS) {
    if (!Object.hasOwn(given, field)) continue;
    const reading = readField(field, given[field]);
    if ('value' in reading) patch[field] = reading.value;
    else problems.push(reading);
  }
  if (problems.length > 0) throw apiErrors.invalidInput(problems);
  if (Object.keys(patch).length > 0) patch.addressLine2 ??= null;
  return patch;
}

function readField(field: ProfileFieldName, raw: unknown): { value: string | null } | FieldProblem {
  const clearable = field === 'addressLine2';
  if (clearable && raw === null) return { value: null };
  if (typeof raw !== 'string') {
    const message = Array.isArray(raw)
      ? `${field} must be given once, as one text.`
      : `${field} must be a text${clearable ? ' or null' : ''}.`;
    return { field, code: Array.isArray(raw) ? 'DUPLICATE' : 'INVALID_TYPE', message };
  }
  const reading = profileFieldRules[field](raw);
  if ('value' in reading) return { value: clearable && reading.value === '' ? null : reading.value };
  return { field, code: reading.code, message: fieldMessage(field, reading.expected) };
}
