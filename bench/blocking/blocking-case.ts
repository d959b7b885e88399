/** A kind of request, as large as it may be. */
export interface BlockingCase {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** What stands for `:id` in the path. */
  id?: (round: number) => string;
  /** Whose token it carries; absent: none. */
  as?: string;
  /** The parameters of each round, others each time where equal requests are remembered. `last`: the body of the last 2xx answer. */
  query?: (round: number, last: string) => Readonly<Record<string, string>>;
  body?: (round: number, last: string) => string;
  /** Of the body; absent: JSON. */
  type?: string;
  /** The case whose last 2xx answer is the one before the first round. */
  behind?: string;
  /** Of the answers; absent: 200. */
  status?: number;
  /** So many rounds have something to do; absent: any number. */
  rounds?: number;
  /** An import that changes all people comes before. */
  afterImport?: boolean;
}

/** Bytes that a body may have. */
export const BODY_LIMIT = 64 * 1024;
/** Bytes that a body with many things, or of SCIM, may have. */
export const LARGE_BODY_LIMIT = 512 * 1024;

/** Returns the inside of a JSON object of so many fields that no operation knows. */
export function unreadFields(count: number): string {
  return Array.from({ length: count }, (_, n) => `"f${n}":${n}`).join(',');
}

/**
 * Returns a JSON object of as many bytes as a body may have: many fields that no operation knows next to those given, in objects with as
 * many as one may have.
 */
export function fullBody(fields: object, limit = BODY_LIMIT): string {
  const begin = JSON.stringify({ f: 0, ...fields }).slice(0, -1);
  let [more, end] = ['', '}'];
  for (let count = 1, left = limit - Buffer.byteLength(begin) - 40; more.length < left; count++) {
    const isFull = count % 9_900 === 0;
    more += `,"f${count}":${isFull ? '{"f":0' : count}`;
    if (isFull) end += '}';
  }
  return `${begin}${more}${end}`;
}
