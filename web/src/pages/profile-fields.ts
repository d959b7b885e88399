import { PROFILE_FIELDS, type ProfileFieldName, user } from '../../../src/entities/user.ts';
import type { Person } from '../api/types.ts';
import { fieldProblem, type NamedField } from '../parts/field-problems.ts';
import type { Draft, TypedField } from '../session/draft.ts';
import { profileTexts as words } from '../texts.ts';

/** Returns the value of a field as text: a date without its time, an unset value as an empty text. */
export function storedText(profile: Person, field: ProfileFieldName): string {
  const stored = profile[field] ?? '';
  return field === 'dateOfBirth' ? stored.slice(0, 10) : stored;
}

/** Returns the draft after typing: a field typed back to its saved value is no longer part of it. */
export function withTyped(draft: Draft, profile: Person, field: ProfileFieldName, typed: string): Draft {
  const { [field]: before, ...others } = draft;
  const stored = storedText(profile, field);
  return typed === stored ? others : { ...others, [field]: { typed, from: before?.from ?? stored } };
}

/** Returns what was typed since a draft was saved. */
export function typedSince(saved: Draft, draft: Draft, profile: Person): Draft {
  const left: Partial<Record<ProfileFieldName, TypedField>> = {};
  for (const field of PROFILE_FIELDS) {
    const now = draft[field];
    if (!now || now.typed === saved[field]?.typed) continue;
    left[field] = saved[field] ? { typed: now.typed, from: storedText(profile, field) } : now;
  }
  return left;
}

export function namedField(field: ProfileFieldName): NamedField {
  return { label: words.fields[field], rule: user.fields[field].kind };
}

/** Returns the problems of the typed fields, by the service's own rules. */
export function problemsOf(draft: Draft): Partial<Record<ProfileFieldName, string>> {
  const problems: Partial<Record<ProfileFieldName, string>> = {};
  for (const field of PROFILE_FIELDS) {
    const typed = draft[field]?.typed;
    if (typed === undefined) continue;
    const result = user.fields[field].kind.parse(typed);
    if ('code' in result) problems[field] = fieldProblem(namedField(field), result.code, typed);
  }
  return problems;
}

/** Returns the body to send: the typed fields, and the second line of the address, which the service clears if it is absent. */
export function patchOf(draft: Draft, profile: Person): Record<string, string | null> {
  const patch: Record<string, string | null> = {};
  for (const field of PROFILE_FIELDS) if (draft[field]) patch[field] = draft[field].typed;
  const addressLine2 = (patch.addressLine2 ?? profile.addressLine2 ?? '').trim();
  return { ...patch, addressLine2: addressLine2 === '' ? null : addressLine2 };
}

/** Returns whether a typed field has been changed elsewhere since its typing began. */
export function isChangedElsewhere(draft: Draft, profile: Person, field: ProfileFieldName): boolean {
  return draft[field] !== undefined && draft[field].from !== storedText(profile, field);
}
