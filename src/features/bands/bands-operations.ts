import { assertCompanyVisible } from '../../api/company-row.ts';
import { ownThingOperations } from '../../api/crud-operations.ts';
import { usesByPeople } from '../../api/crud-service.ts';
import { operation } from '../../api/operation.ts';
import { page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateStaff } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { band } from '../../entities/band.ts';
import { checkBandLimits } from '../people/people.ts';
import { bandColumns, listBands } from './bands-queries.ts';
import { BandListInput, BandView } from './bands-schemas.ts';

const list = operation({
  id: 'bands.list',
  operationId: 'listBands',
  tag: 'Bands',
  summary: 'List bands',
  description: 'The bands of a company by name. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'departments.read',
  methods: ['GET'],
  path: '/api/bands/list',
  input: BandListInput,
  output: page(BandView),
  message: 'Bands retrieved successfully',
  async handle({ input, reach }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, reach, input.companyId);
    return listBands(lists, input, pageRequestOf(input));
  },
});

const own = ownThingOperations<BandView>(
  {
    entity: band,
    columns: bandColumns,
    writable: ['name', 'code', 'autoApprovalLimit', 'maxBookingLimit'],
    rules: {
      errors: ['OWN_LIMIT'],
      check: (transaction, { caller }, present, changes) => checkBandLimits(transaction, caller, present, changes),
    },
    uses: usesByPeople('band_id'),
  },
  { thing: 'Band', prefix: 'bands', path: '/api/bands', operationName: 'Band', tag: 'Bands', view: BandView },
);

export const bandsOperations = [list, ...own];
