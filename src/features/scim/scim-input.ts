import { type Projection, readProjection } from './projection.ts';
import { scimFault } from './scim-errors.ts';

/** Resources in one answer, at most. */
export const MAX_RESULTS = 200;

/** What is asked of a list (RFC 7644, section 3.4.2). */
export interface ListRequest {
  /** As it was sent: to take it apart is for those who need its parts. */
  filter: string | undefined;
  /** From 1. */
  startIndex: number;
  count: number;
  projection: Projection;
}

/** Reads the query of a list, or the body of a search. @throws ApiError `INVALID_INPUT` */
export function readListRequest(raw: unknown): ListRequest {
  const given = (raw ?? {}) as Readonly<Record<string, unknown>>;
  const { filter } = given;
  if (filter !== undefined && typeof filter !== 'string') throw scimFault('invalidFilter', 'filter must be one text.');
  return {
    filter: filter?.trim() || undefined,
    startIndex: Math.max(1, wholeNumber('startIndex', given.startIndex) ?? 1),
    count: Math.min(MAX_RESULTS, Math.max(0, wholeNumber('count', given.count) ?? MAX_RESULTS)),
    projection: readProjection(given),
  };
}

function wholeNumber(name: string, given: unknown): number | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const value = typeof given === 'string' && /^[+-]?\d{1,15}$/.test(given) ? Number(given) : given;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw scimFault('invalidValue', `${name} must be a whole number.`);
}
