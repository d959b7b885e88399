import sql from 'sql-template-tag';
import { type Static, Type } from 'typebox';
import { crud } from '../../api/crud.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { fieldsView, includedTimes, timeFields } from '../../api/list-schemas.ts';
import { one, page } from '../../api/output.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import { band } from '../../entities/band.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, titled } from '../../entities/field-schemas.ts';
import { checkBandLimits } from '../people/person-rules.ts';

/** Fields of a band in responses. */
const SHOWN_FIELDS = ['id', 'companyId', 'name', 'code', 'autoApprovalLimit', 'maxBookingLimit', 'externalId'] as const;

const shown = answeredFields(band, SHOWN_FIELDS);
const count = {
  _count: Type.Object({
    users: Type.Integer({ description: 'People of the band, including deactivated ones', examples: [12] }),
  }),
};
const ListedBand = titled('Band', { ...shown, ...includedTimes, ...fieldsView, ...count });
const BandView = titled('BandDetail', { ...shown, ...timeFields, ...fieldsView, ...count });
type BandView = Static<typeof BandView>;

/** Fields that a request may set besides the id and the company. */
const BAND_FIELDS = fieldsBut(band, 'id', 'companyId');

const bands = crud<typeof band, (typeof BAND_FIELDS)[number], BandView, never, Static<typeof ListedBand>>({
  entity: band,
  columns: sql`
    ${selectFields(band, SHOWN_FIELDS)},
    json_build_object('users', (select count(*) from users where users.band_id = employee_bands.id)) as "_count"`,
  listed: { searched: sql`search_text` },
  writable: BAND_FIELDS,
  checkChanges: (transaction, { caller }, present, changes) => checkBandLimits(transaction, caller, present, changes),
});

const { list, get, create, update, remove } = operationsOf(bands, {
  output: one(BandView),
  reads: { access: corporateStaff, scope: 'departments.read' },
  writes: { access: corporateAdmins, scope: 'organization.write' },
});

export const bandsOperations = [
  list({
    id: 'bands.list',
    description: 'The bands of a company, sorted by name. For Corporate Admins and Managers of that company.',
    searched: 'name or code',
    output: page(ListedBand),
  }),
  get({ id: 'bands.get' }),
  create({ id: 'bands.create' }),
  update({ id: 'bands.update', errors: ['ALREADY_EXISTS', 'OWN_LIMIT'] }),
  remove({ id: 'bands.delete', errors: ['IN_USE'] }),
];
