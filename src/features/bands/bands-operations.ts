import { readCreate, readId, readUpdate } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { band } from '../../entities/band.ts';
import { bands, listBands } from './bands-queries.ts';
import {
  BAND_FIELDS,
  BandCreateInput,
  BandIdInput,
  BandListInput,
  BandUpdateInput,
  BandView,
} from './bands-schemas.ts';

const list = operation({
  id: 'bands.list',
  operationId: 'listBands',
  tag: 'Bands',
  summary: 'List bands',
  description: 'The bands of a company, sorted by name. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'departments.read',
  methods: ['GET'],
  path: '/api/bands/list',
  input: BandListInput,
  output: page(BandView),
  message: 'Bands retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listBands(lists, input, pageRequestOf(input));
  },
});

const common = { tag: 'Bands', output: one(BandView) } as const;

const get = operation({
  ...common,
  id: 'bands.get',
  operationId: 'getBand',
  scope: 'departments.read',
  summary: 'Get band',
  description: 'One band with its company. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  methods: ['GET'],
  path: '/api/bands/get',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: BandIdInput,
  message: 'Band retrieved successfully',
  handle: ({ input, scope }, { db }: { db: Database }) => bands.get(db, input.id, scope),
});

const create = operation({
  ...common,
  id: 'bands.create',
  operationId: 'createBand',
  scope: 'organization.write',
  summary: 'Create band',
  description:
    'Idempotent with a client-generated id: a repetition with the same content changes nothing. For Corporate Admins ' +
    'of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/bands/create',
  writes: true,
  etag: 'response',
  errors: ['ALREADY_EXISTS'],
  input: BandCreateInput,
  parse: (raw) => readCreate(band, ['companyId', ...BAND_FIELDS], raw),
  message: 'Band created successfully',
  handle: (call, { db }: { db: Database }) => bands.create(db, call, call.input),
});

const update = operation({
  ...common,
  id: 'bands.update',
  operationId: 'updateBand',
  scope: 'organization.write',
  summary: 'Update band',
  description:
    'Changes the fields that are sent. With If-Match, fails with 412 if it has changed since it was read. For ' +
    'Corporate Admins of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/bands/update',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'ALREADY_EXISTS', 'OWN_LIMIT'],
  input: BandUpdateInput,
  parse: (raw) => readUpdate(band, BAND_FIELDS, raw),
  message: 'Band updated successfully',
  handle: (call, { db }: { db: Database }) => bands.update(db, call, call.input),
});

const remove = operation({
  ...common,
  id: 'bands.delete',
  operationId: 'deleteBand',
  scope: 'organization.write',
  summary: 'Delete band',
  description: 'Returns the deleted band. For Corporate Admins of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/bands/delete',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'IN_USE'],
  input: BandIdInput,
  parse: (raw) => readId(band, raw),
  message: 'Band deleted successfully',
  handle: (call, { db }: { db: Database }) => bands.remove(db, call, call.input.id),
});

export const bandsOperations = [list, get, create, update, remove];
