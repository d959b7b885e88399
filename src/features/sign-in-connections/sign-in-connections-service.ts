import type { ServerResponse } from 'node:http';
import sql, { type Sql } from 'sql-template-tag';
import { checkCreate, checkUpdate, checkValue, parseBody, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { alreadyExists, type WriteRequest } from '../../api/write-request.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { isSuperAdmin } from '../../auth/callers/roles.ts';
import type { Transaction, Writer } from '../../db/database.ts';
import { BY_ID } from '../../db/sql/sql-fragments.ts';
import { ApiError, type FieldProblem, problemOf } from '../../entities/api-error.ts';
import {
  allOf,
  type Checked,
  invalid,
  isObject,
  mapValid,
  noProblems,
  type RawFields,
  valid,
} from '../../entities/check-fields.ts';
import type { RowOf } from '../../entities/entity.ts';
import { domainName, issuer, proofOf, signInConnection } from '../../entities/sign-in-connection.ts';
import { uuid, type ValueKind } from '../../entities/values.ts';
import { isDiscoverableIssuer, readSecureUrl } from '../../lib/secure-url.ts';
import { missingRecords, noteProofs, takeDomains } from './domain-proofs.ts';
import type { Probe } from './probe.ts';
import {
  type ConnectionView,
  MAX_CLAIM,
  MAX_CLAIMS,
  MAX_DOMAINS,
  MAX_SHARED,
  PLAIN_FIELDS,
} from './sign-in-connections-schemas.ts';

/** Maximum of connections per company. */
const MAX_CONNECTIONS = 10;

const viewColumns: Sql = sql`
  ${selectFields(signInConnection, ['id', 'companyId', ...PLAIN_FIELDS, 'createdAt'])},
  demanded_claims::json as "demandedClaims", to_json(string_to_array(domains, ' ')) as domains, ${missingRecords} as "missingRecords",
  to_json(string_to_array(shared_with, ' ')) as "sharedWith",
  (select coalesce(json_agg(json_build_object('id', companies.id, 'name', companies.name) order by companies.id), '[]')
     from companies where companies.id = any(string_to_array(agreed_by, ' ')::uuid[])) as "agreedBy"`;

const HIDDEN = ['demandedText', 'domainNames', 'sharedText', 'agreedText'] as const;

type Row = RowOf<typeof signInConnection, (typeof PLAIN_FIELDS | typeof HIDDEN)[number]>;

export const connections = crud<typeof signInConnection, keyof Row, ConnectionView>({
  entity: signInConnection,
  columns: sql`${viewColumns}, ${selectFields(signInConnection, HIDDEN)}`,
  listed: { columns: () => viewColumns, orderBy: [{ by: sql`created_at`, type: 'timestamptz' }, BY_ID] },
  writable: [...PLAIN_FIELDS, ...HIDDEN],
  hidden: HIDDEN,
  checkRow: checkConnection,
});

/**
 * Checks that the company has few connections and that the domains are nobody else's, and takes them from its other connections.
 *
 * @throws ApiError
 */
async function checkConnection(
  transaction: Transaction,
  companyId: string,
  { id, domainNames, sharedText, issuer: given, discoveryUrl }: Readonly<Record<string, unknown>>,
  { actor }: WriteRequest,
): Promise<void> {
  const isOwn = String(sharedText).includes(companyId);
  throwIfInvalid([
    ...problemsOfIssuer({ issuer: given, discoveryUrl }),
    ...(isOwn ? [problemOf('sharedWith', 'INVALID_VALUE', 'must be other companies')] : []),
  ]);
  await transaction.query(sql`select from companies where id = ${companyId}::uuid for no key update`);
  const [{ others, isTaken } = { others: [], isTaken: false }] = await transaction.query<{
    others: { id: string; domains: string[] }[];
    isTaken: boolean;
  }>(sql`
    with others as (select * from sign_in_connections where company_id = ${companyId}::uuid and id <> ${id}::uuid)
    select (select coalesce(json_agg(json_build_object('id', id, 'domains', string_to_array(domains, ' '))), '[]') from others) as others,
           exists (select from sign_in_domains where domain = any(string_to_array(${domainNames}::text, ' '))
                      and connection_id <> ${id}::uuid and connection_id not in (select id from others)) as "isTaken"`);
  if (isTaken) throw alreadyExists(signInConnection, ['domains']);
  if (others.length >= MAX_CONNECTIONS)
    throw new ApiError('LIMIT_REACHED', `A company has at most ${MAX_CONNECTIONS} sign-in connections.`);
  const moved = String(domainNames).split(' ');
  for (const other of others) await takeDomains(transaction, actor, other, moved);
}

/** Reads the body of a create. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readNewConnection(raw: unknown) {
  const given = parseBody(raw);
  const [row, domainNames = '', , demandedText = '{}', sharedText = ''] = validOrThrow(
    allOf(
      checkCreate(signInConnection, ['companyId', ...PLAIN_FIELDS], given, OTHERS),
      checkList('domains', given, domainName, MAX_DOMAINS),
      checkIssuer(given),
      checkDemanded(given),
      checkList('sharedWith', given, uuid, MAX_SHARED),
    ),
  );
  return { ...row, demandedText, domainNames, sharedText, agreedText: '' };
}

/** Reads the body of an update. @throws ApiError `INVALID_INPUT` with every field that is wrong */
export function readConnectionUpdate(raw: unknown) {
  const given = parseBody(raw);
  const [{ id, patch }, domainNames, , demandedText, sharedText] = validOrThrow(
    allOf(
      checkUpdate(signInConnection, PLAIN_FIELDS, given, OTHERS),
      checkList('domains', given, domainName, MAX_DOMAINS),
      checkIssuer(given),
      checkDemanded(given),
      checkList('sharedWith', given, uuid, MAX_SHARED),
    ),
  );
  return { id, patch: { ...patch, ...defined({ domainNames, demandedText, sharedText }) } };
}

/** Fields of a body that are stored in another form. */
const OTHERS = ['domains', 'demandedClaims', 'sharedWith'];

function defined<Values extends object>(values: Values): { [Name in keyof Values]?: NonNullable<Values[Name]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

function checkDemanded({ demandedClaims: given }: RawFields): Checked<string | undefined> {
  if (given === undefined) return valid(undefined);
  const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= MAX_CLAIM;
  const claims = isObject(given) ? Object.entries(given) : undefined;
  if (claims && claims.length <= MAX_CLAIMS && claims.flat().every(isText)) {
    return valid(JSON.stringify(Object.fromEntries(claims.sort(([one], [other]) => (one < other ? -1 : 1)))));
  }
  const rule = `must be an object of at most ${MAX_CLAIMS} claims with texts of 1 to ${MAX_CLAIM} characters`;
  return invalid(problemOf('demandedClaims', 'INVALID_VALUE', rule));
}

function checkIssuer(given: RawFields): Checked<null> {
  return mapValid(noProblems(...problemsOfIssuer(given)), () => null);
}

function problemsOfIssuer({ issuer: given, discoveryUrl }: RawFields): FieldProblem[] {
  const wrong = (field: string, rule: string) => [problemOf(field, 'INVALID_FORMAT', `must be ${rule}`)];
  const isBad = typeof given === 'string' && given.trim() !== '' && !isDiscoverableIssuer(given.trim());
  const hasUrl = typeof discoveryUrl === 'string' && discoveryUrl.trim() !== '';
  const isBadUrl = hasUrl && readSecureUrl(discoveryUrl.trim()) === undefined;
  const isTemplate = typeof given === 'string' && /[{}]/.test(given);
  return [
    ...(isTemplate ? wrong('issuer', 'that of one tenant: its id replaces the braces and what is in them') : []),
    ...(isBad && !hasUrl && !isTemplate ? wrong('issuer', issuer.rule) : []),
    ...(isBadUrl ? wrong('discoveryUrl', 'the address of a discovery document with https') : []),
  ];
}

/** Checks a list of texts, and returns them as they are stored: each once, in order, and separated by spaces. */
function checkList(
  field: string,
  { [field]: given }: RawFields,
  kind: ValueKind<string>,
  most: number,
): Checked<string | undefined> {
  if (given === undefined) return valid(undefined);
  if (!Array.isArray(given)) return invalid(problemOf(field, 'INVALID_TYPE', 'must be a list'));
  if (given.length > most) return invalid(problemOf(field, 'TOO_LONG', `must have at most ${most} items`));
  const read = given.map((item: unknown, index) => checkValue(`${field}[${index}]`, kind, item));
  const values = read.flatMap((one) => (one.ok ? [one.value] : []));
  const problems = read.flatMap((one) => (one.ok ? [] : one.problems));
  return mapValid(noProblems(...problems), () => [...new Set(values)].sort().join(' '));
}

/**
 * Asserts that a company may use domains: a connection of it has them already and the record is not gone, a Super Admin sets them, or their
 * owner names the company in DNS.
 *
 * @throws ApiError `INVALID_INPUT` with the record that is missing
 */
export async function assertProven(
  { db, probe }: { db: Writer; probe: Probe },
  { caller }: Pick<WriteRequest, 'caller'>,
  { companyId, wanted = '' }: { companyId: string; wanted: string | undefined },
  response: ServerResponse,
): Promise<void> {
  const names = wanted.split(' ').filter((name) => name !== '');
  if (names.length === 0 || isSuperAdmin(caller)) return;
  const had = await db.query<{ domain: string }>(sql`
    select domain from sign_in_domains join sign_in_connections connection on connection.id = connection_id
     where connection.company_id = ${companyId}::uuid
       and not exists (select from domain_proofs proof where proof.domain = sign_in_domains.domain and missing_since is not null)`);
  const proven: string[] = [];
  const problems = await Promise.all(
    names.map(async (domain, index): Promise<FieldProblem[]> => {
      if (had.some((own) => own.domain === domain)) return [];
      if (await probe.provesDomain(domain, companyId, response)) {
        proven.push(domain);
        return [];
      }
      const { name, text } = proofOf(domain, companyId);
      const needed = `needs the TXT record ${text} at ${name}, or a Super Admin who sets it`;
      return [problemOf(`domains[${index}]`, 'INVALID_VALUE', needed)];
    }),
  );
  throwIfInvalid(problems.flat());
  await noteProofs(db, companyId, proven);
}
