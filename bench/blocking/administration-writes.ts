import { uuid } from '../../test/support/rows.ts';
import { type BlockingCase, fullBody } from './blocking-case.ts';
import { BAND, COMPANY, CORPORATE_ADMIN } from './largest.ts';

/** People who are there, and ids that are not until they are made. */
export const person = (round: number) => uuid(100 + round);
export const made = (round: number) => uuid(1_000_000 + round);
export const email = (what: string, round: number) => `${what}${round}@${'long.'.repeat(40)}example`;
/** The largest amount. */
export const AMOUNT = '9999999999.99';
export const DEFAULTS = { departmentId: uuid(1), bandId: BAND };

/** A write by an administrator of the company, once as it should be and once with as many unknown fields as fit. */
export function writes(
  path: string,
  as: string,
  fields: (round: number, last: string) => object,
  behind = '',
): BlockingCase[] {
  const write = { method: 'POST', path: `/api/${path}`, as, behind } as const;
  return [
    { ...write, name: path, body: (round, last) => JSON.stringify(fields(round, last)) },
    {
      ...write,
      name: `${path}, a body of 64 KiB that is wrong`,
      body: (round, last) => fullBody(fields(round, last)),
      status: 400,
    },
  ];
}

/** A body of half a megabyte whose objects have a name each that none before has, the last one twice. */
export function smallObjects(list: string): string {
  const objects = Array.from({ length: 38_000 }, (_, n) => `{"${n.toString(36)}":0}`).join(',');
  return `{"companyId":"${COMPANY}","${list}":[${objects},{"a":1,"a":2}]}`;
}

/** A thing of the company: made, read, listed, changed and removed. */
export function things(path: string, fields: (round: number) => object): BlockingCase[] {
  const one = (round: number) => ({ id: made(round) });
  return [
    ...writes(`${path}/create`, CORPORATE_ADMIN, (round) => ({ ...one(round), companyId: COMPANY, ...fields(round) })),
    { name: `${path}/get`, method: 'GET', path: `/api/${path}/get`, as: CORPORATE_ADMIN, query: one },
    ...writes(`${path}/update`, CORPORATE_ADMIN, (round) => ({ ...one(round), ...fields(round + 100) })),
    ...writes(`${path}/delete`, CORPORATE_ADMIN, one),
  ];
}
