import sql from 'sql-template-tag';
import { checkCreate, checkUpdate, parseBody, throwIfInvalid, validOrThrow } from '../../api/body.ts';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { conflict, inScope, notFound, type WriteRequest } from '../../api/write-request.ts';
import { auditedUpdate, auditedUpdates, write } from '../../audit/audited-write.ts';
import { jsonOfFields, selectFields, todayOf } from '../../audit/entity-sql.ts';
import { activeUser, administrators, companyStaff } from '../../auth/callers/access.ts';
import { findCallers } from '../../auth/callers/identity-queries.ts';
import { companiesOf, isPlatformKey, isSuperAdmin, isThemselves } from '../../auth/callers/roles.ts';
import { type Reader, type Transaction, violatedConstraint } from '../../db/database.ts';
import { ApiError, problemOf } from '../../entities/api-error.ts';
import { allOf } from '../../entities/check-fields.ts';
import { company } from '../../entities/company.ts';
import { fieldsBut, type NewRowOf, type RowOf } from '../../entities/entity.ts';
import { givenFields, newRowFields } from '../../entities/field-schemas.ts';
import { legalEntity, taxRegistration } from '../../entities/legal-entity.ts';
import { COMPANY_ROLES } from '../../entities/roles.ts';
import type { GeographySources } from '../geography/geography-responses.ts';
import { ENTITY_OF_PERSON } from './effective-entity.ts';
import {
  BillToInput,
  BillToView,
  ENTITY_FIELDS,
  GivenRegistrations,
  LegalEntityView,
  ListedLegalEntity,
  SHOWN_FIELDS,
} from './legal-entities-schemas.ts';
import { checkRegistrations, type GivenRegistration, taxRegistrations } from './tax-registrations.ts';

const updateDefaults = auditedUpdates(legalEntity, ['default']);
const updateCompany = auditedUpdate(company, ['gstin']);

const legalEntities = crud<
  typeof legalEntity,
  (typeof ENTITY_FIELDS)[number],
  LegalEntityView,
  GivenRegistration,
  ListedLegalEntity
>({
  entity: legalEntity,
  columns: sql`
    ${selectFields(legalEntity, SHOWN_FIELDS)}, coalesce((
      select json_agg(${jsonOfFields(taxRegistration, fieldsBut(taxRegistration, 'legalEntityId'), 'held')} order by held.is_default desc, held.number)
        from tax_registrations held where held.legal_entity_id = legal_entities.id), '[]') as "taxRegistrations"`,
  listed: { searched: sql`search_text` },
  writable: ENTITY_FIELDS,
  parts: taxRegistrations,
  checkRow: checkDefault,
  afterWrite: giveNumber,
});

/** Keeps one active default of the company: a new one takes the place of the present one. @throws ApiError `INVALID_INPUT` */
async function checkDefault(
  transaction: Transaction,
  companyId: string,
  row: Readonly<Record<string, unknown>>,
  { actor }: WriteRequest,
  present: LegalEntityView | undefined,
): Promise<void> {
  const { id, active, default: isDefault } = row as RowOf<typeof legalEntity>;
  // Two that are written at once see each other.
  await transaction.query(sql`select from companies where id = ${companyId}::uuid for no key update`);
  const other = 'must be true: make another legal entity the default one first';
  throwIfInvalid([
    ...(present?.default && !isDefault ? [problemOf('default', 'INVALID_VALUE', other)] : []),
    ...(isDefault && !active
      ? [problemOf('active', 'INVALID_VALUE', 'must be true for the default legal entity')]
      : []),
  ]);
  if (!isDefault || present?.default) return;
  const before = await transaction.query<{ id: string }>(sql`
    select id from legal_entities where company_id = ${companyId}::uuid and is_default and id <> ${id}::uuid`);
  const changes = before.map((each) => ({ id: each.id, patch: { default: false } }));
  if (changes.length > 0) await write(transaction, updateDefaults(changes, actor));
}

/** Gives the company the number of the default registration of its default legal entity. @throws ApiError `INVALID_INPUT`, `FIELD_FORBIDDEN` */
async function giveNumber(
  transaction: Transaction,
  { caller, actor }: WriteRequest,
  { companyId }: LegalEntityView,
): Promise<void> {
  const [found] = await transaction.query<{ gstin: string; entityId: string | null; number: string | null }>(sql`
    select gstin, (select id from legal_entities where company_id = companies.id and is_default) as "entityId", (select number from legal_entities join tax_registrations held on held.legal_entity_id = legal_entities.id
                    where company_id = companies.id and legal_entities.is_default and held.is_default) as number
      from companies where id = ${companyId}::uuid`);
  if (found === undefined || found.number === found.gstin) return;
  if (found.entityId === null) {
    throw new ApiError(
      'IN_USE',
      'This is the default legal entity of the company: make another one the default first.',
    );
  }
  if (found.number === null) {
    const needed = 'must have one: the default legal entity has the number of the company';
    throwIfInvalid([problemOf('taxRegistrations', 'REQUIRED', needed)]);
    return;
  }
  if (!isSuperAdmin(caller) && !isPlatformKey(caller)) {
    const predicate = 'would change the number of the company, which a Super Admin alone changes';
    const problem = problemOf('taxRegistrations', 'FIELD_FORBIDDEN', predicate);
    throw new ApiError('FIELD_FORBIDDEN', problem.message, { problems: [problem] });
  }
  await write(transaction, updateCompany({ id: companyId, patch: { gstin: found.number }, actor }));
}

/** Runs a write and maps a number that is in use to `ALREADY_EXISTS`. */
async function withFreeNumbers<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!['tax_registrations_number', 'companies_gstin'].includes(violatedConstraint(error) ?? '')) throw error;
    const message = 'Another tax registration has this number already.';
    throw conflict([{ field: 'taxRegistrations', code: 'ALREADY_EXISTS', message }]);
  }
}

const { list, get, create, update, remove } = operationsOf(legalEntities, {
  output: one(LegalEntityView),
  reads: { access: companyStaff, scope: 'departments.read' },
  writes: { access: administrators, scope: 'organization.write' },
});

type New = NewRowOf<typeof legalEntity> & { id: string; registrations: readonly GivenRegistration[] | undefined };
interface Changed {
  id: string;
  patch: Partial<RowOf<typeof legalEntity, (typeof ENTITY_FIELDS)[number]>>;
  registrations: readonly GivenRegistration[] | undefined;
}

const billTo = operation({
  id: 'legalEntities.billTo',
  operationId: 'getBillTo',
  tag: 'Legal entities',
  summary: 'Get name, address and number to bill',
  description:
    'The name, address and tax number to print on an invoice for a person: of their legal entity the registration of the same state, ' +
    'else of the same country, else the default one. Of a guest that of the host. For the people of the company, and API keys.',
  access: activeUser(findCallers),
  scope: 'any',
  errors: ['NOT_FOUND'],
  input: BillToInput,
  output: one(BillToView),
  message: 'Bill-to retrieved successfully',
  async handle({ input, caller, scope }, { db, geography }: GeographySources & { db: Reader }) {
    const isOpen = 'keyId' in caller || isSuperAdmin(caller) || isThemselves(caller, input.userId);
    const reach = isOpen ? scope : companiesOf(caller, COMPANY_ROLES);
    const { stateId = null, countryCode } = input;
    const country = (stateId === null ? countryCode : geography.index.countryOfState(stateId)) ?? null;
    const [found] = await db.query<BillToView>(sql`
      select legal.id as "legalEntityId", legal.registered_name as name, coalesce(held.address, legal.address) as address,
             held.number, held.type, coalesce(held.country_code, legal.country_code) as "countryCode", held.state_id as "stateId"
        from users cross join lateral (
          select * from legal_entities each
           where each.company_id = users.company_id and each.active and (each.id = ${ENTITY_OF_PERSON} or each.is_default)
           order by each.is_default limit 1) legal
        left join lateral (
          select * from tax_registrations each
           where each.legal_entity_id = legal.id and coalesce(valid_from <= ${todayOf('users')}, true)
             and coalesce(valid_until >= ${todayOf('users')}, true)
           order by coalesce(state_id = ${stateId}::integer, false) desc, coalesce(country_code = ${country}::text, false) desc,
                    is_default desc, number limit 1) held on true
       where users.id = ${input.userId}::uuid and ${inScope(reach, sql`users.company_id`)}`);
    if (found === undefined) throw notFound('user');
    return found;
  },
});

export const legalEntitiesOperations = [
  list({
    id: 'legalEntities.list',
    description: 'The legal entities of a company with their tax registrations, sorted by name. For its staff.',
    searched: 'name or registered name',
    output: page(ListedLegalEntity),
  }),
  get({ id: 'legalEntities.get' }),
  create<New>(
    { id: 'legalEntities.create', errors: ['FIELD_FORBIDDEN'] },
    {
      properties: {
        ...newRowFields(legalEntity, ['companyId', ...ENTITY_FIELDS]),
        taxRegistrations: GivenRegistrations,
      },
      read(raw) {
        const given = parseBody(raw);
        const row = checkCreate(legalEntity, ['companyId', ...ENTITY_FIELDS], given, ['taxRegistrations']);
        const [values, registrations] = validOrThrow(allOf(row, checkRegistrations(given.taxRegistrations)));
        return { ...values, registrations };
      },
      write: (db, call, { registrations, ...row }) =>
        withFreeNumbers(() => legalEntities.create(db, call, row, registrations)),
    },
  ),
  update<Changed>(
    { id: 'legalEntities.update', errors: ['ALREADY_EXISTS', 'FIELD_FORBIDDEN'] },
    {
      properties: { ...givenFields(legalEntity, ENTITY_FIELDS), taxRegistrations: GivenRegistrations },
      read(raw) {
        const given = parseBody(raw);
        const row = checkUpdate(legalEntity, ENTITY_FIELDS, given, ['taxRegistrations']);
        const [change, registrations] = validOrThrow(allOf(row, checkRegistrations(given.taxRegistrations)));
        return { ...change, registrations };
      },
      write: (db, call, { registrations, ...change }) =>
        withFreeNumbers(() => legalEntities.update(db, call, change, registrations)),
    },
  ),
  remove({ id: 'legalEntities.delete', errors: ['IN_USE'] }),
  billTo,
];
