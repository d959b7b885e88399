/** A problem with one field of a request. */
export interface FieldProblem {
  /** Name of the field or parameter, as the client wrote it. */
  field: string;
  code: FieldProblemCode;
  /** A sentence for people: the problem and what is expected. */
  message: string;
}

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
  'UNKNOWN_PARAMETER',
  'FIELD_FORBIDDEN',
  'ALREADY_EXISTS',
  'CIRCLE',
] as const;
export type FieldProblemCode = (typeof FIELD_PROBLEM_CODES)[number];

/** Returns a problem with the name of the field as the beginning of its message. @param predicate the rest of the sentence */
export function problemOf(field: string, code: FieldProblemCode, predicate: string): FieldProblem {
  return { field, code, message: `${field} ${predicate}${predicate.endsWith('?') ? '' : '.'}` };
}

/** Maximum number of problems in a response. */
export const MAX_PROBLEMS = 100;
