/** What is wrong with one field of a request. */
export interface FieldProblem {
  /** The name of the field or parameter, as the caller wrote it. */
  field: string;
  code: FieldProblemCode;
  /** A sentence for people: what was wrong and what is expected. */
  message: string;
}

/** What can be wrong with a field. */
export const FIELD_PROBLEM_CODES = [
  'REQUIRED',
  'DUPLICATE',
  'INVALID_TYPE',
  'INVALID_VALUE',
  'INVALID_FORMAT',
  'OUT_OF_RANGE',
  'TOO_SHORT',
  'TOO_LONG',
  'UNKNOWN_FIELD',
  'FIELD_FORBIDDEN',
  'ALREADY_EXISTS',
] as const;
export type FieldProblemCode = (typeof FIELD_PROBLEM_CODES)[number];

/** Problems that an answer tells. */
export const MAX_PROBLEMS = 100;
