import sql, { type Sql } from 'sql-template-tag';
import { crud, usesByPeople } from '../../api/crud.ts';
import { selectFields } from '../../audit/entity-sql.ts';
import type { Reader } from '../../db/database.ts';
import { type Page, type PageRequest, selectPage } from '../../db/sql/select-page.ts';
import { allOf, byName, contains, isUpdatedSince } from '../../db/sql/sql-fragments.ts';
import { band } from '../../entities/band.ts';
import { checkBandLimits } from '../people/people.ts';
import { BAND_FIELDS, type BandView, SHOWN_FIELDS } from './bands-schemas.ts';

/** Select list of a band in responses. */
const bandColumns: Sql = sql`
  ${selectFields(band, SHOWN_FIELDS)},
  json_build_object('users', (select count(*) from users where users.band_id = employee_bands.id)) as "_count"`;

/** Returns one page of a company's bands, by name. */
export function listBands(
  db: Reader,
  filter: { companyId: string; search?: string; updatedSince?: string },
  page: PageRequest,
): Promise<Page<BandView>> {
  return selectPage<BandView>(
    db,
    {
      columns: bandColumns,
      from: sql`employee_bands`,
      where: allOf([
        sql`company_id = ${filter.companyId}`,
        contains(sql`search_text`, filter.search),
        isUpdatedSince(filter.updatedSince),
      ]),
      orderBy: byName(filter.search),
    },
    page,
  );
}

export const bands = crud<typeof band, (typeof BAND_FIELDS)[number], BandView>({
  entity: band,
  columns: bandColumns,
  writable: BAND_FIELDS,
  checkChanges: (transaction, { caller }, present, changes) => checkBandLimits(transaction, caller, present, changes),
  uses: usesByPeople('band_id'),
});
