import { fieldMessage, type ProfileFieldName, profileFieldRules } from '../../../src/lib/profile-fields.ts';
import type { Profile } from '../api/client.ts';
import type { Draft } from '../session/session.tsx';

export const FIELDS = [
  'firstName',
  'lastName',
  'phone',
  'dateOfBirth',
  'gender',
  'addressLine1',
  'addressLine2',
  'pincode',
] as const satisfies readonly ProfileFieldName[];

/** What a field holds, as it is typed: a date without its midnight, no second line as an empty one. */
export function storedText(profile: Profile, field: ProfileFieldName): string {
  return field === 'dateOfBirth' ? profile.dateOfBirth.slice(0, 10) : (profile[field] ?? '');
}

/** The draft after typing: a field that is typed back to what is stored is no change. */
export function withTyped(draft: Draft, profile: Profile, field: ProfileFieldName, text: string): Draft {
  const { [field]: _, ...others } = draft;
  return text === storedText(profile, field) ? others : { ...others, [field]: text };
}

/** What the service would say of the typed fields: it has the same rules. */
export function problemsOf(draft: Draft): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const field of FIELDS) {
    const typed = draft[field];
    const result = typed === undefined ? undefined : profileFieldRules[field](typed);
    if (result && 'expected' in result) problems[field] = fieldMessage(field, result.expected);
  }
  return problems;
}

/** What is sent: the fields that are typed, and the second line of the address, as the service clears it where it is left out. */
export function patchOf(draft: Draft, profile: Profile): Record<string, string | null> {
  const addressLine2 = draft.addressLine2 ?? profile.addressLine2 ?? '';
  return { ...draft, addressLine2: addressLine2.trim() === '' ? null : addressLine2 };
}

/** The fields that somebody else changed between two readings. */
export function changedElsewhere(before: Profile, after: Profile): ProfileFieldName[] {
  return FIELDS.filter((field) => storedText(before, field) !== storedText(after, field));
}
