import type { ProfileFieldName } from '../../../src/entities/user.ts';

/** What is typed into a field of the own profile and not saved, and what the field held when that began. */
export interface TypedField {
  typed: string;
  from: string;
}

/** The fields of the own profile that are typed and not saved. */
export type Draft = Readonly<Partial<Record<ProfileFieldName, TypedField>>>;

export const NO_DRAFT: Draft = {};

export function hasFields(draft: Draft): boolean {
  return Object.keys(draft).length > 0;
}
