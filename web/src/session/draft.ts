import type { ProfileFieldName } from '../../../src/entities/user.ts';

/** The unsaved text of a field of the user's own profile, and the value of the field when typing began. */
export interface TypedField {
  typed: string;
  from: string;
}

/** The unsaved fields of the user's own profile. */
export type Draft = Readonly<Partial<Record<ProfileFieldName, TypedField>>>;

export const NO_DRAFT: Draft = {};

export function hasFields(draft: Draft): boolean {
  return Object.keys(draft).length > 0;
}
