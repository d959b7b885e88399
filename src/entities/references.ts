import { uuid } from './values.ts';

/** A field with the id of a row of another entity, or null. */
export function referenceTo<const Target extends string, const Example extends string | null = null>(
  references: Target,
  description: string,
  example = null as Example,
) {
  return { kind: uuid, nullable: true, references, description, example } as const;
}

/** A field with the id of a row of the same company, or null. */
export function referenceWithinCompany<const Target extends string, const Example extends string | null = null>(
  references: Target,
  description: string,
  example = null as Example,
) {
  return { ...referenceTo(references, description, example), ofSameCompany: true } as const;
}
