import { band } from '../../../src/entities/band.ts';
import type { Band, Body, Person } from '../api/types.ts';
import { formatMoney, typedAmount } from '../format.ts';
import { CompanyList } from '../parts/company-list.tsx';
import { type Column, DataTable, plain } from '../parts/data-table.tsx';
import { entityFields } from '../parts/entity-fields.ts';
import { administers } from '../session/use-profile.ts';
import { pageTexts, texts, companyTexts as words } from '../texts.ts';
import { AddResource, PeopleCount, ResourceActions, type ResourceKind, ResourceName } from './company-resource.tsx';

const KIND: ResourceKind<Band> = {
  filter: 'bandId',
  defaultOf: ({ defaultBandId }) => defaultBandId,
  entity: 'band',
  add: words.addBand,
  fields: entityFields(band, {
    name: words.band,
    code: words.code,
    autoApprovalLimit: words.autoApprovalLimit,
    maxBookingLimit: words.maxBookingLimit,
  }).map((field) => (field.isNullable ? { ...field, hint: words.noLimit } : field)),
  typed: ({ name, code, autoApprovalLimit, maxBookingLimit }) => ({
    name,
    code,
    autoApprovalLimit: typedAmount(autoApprovalLimit),
    maxBookingLimit: maxBookingLimit === null ? '' : typedAmount(maxBookingLimit),
  }),
  create: (client, body) => client.post('/api/bands/create', body as Body<'/api/bands/create'>),
  read: (client, id, signal) => client.read('/api/bands/get', { id }, signal),
  update: (client, body, version) => client.post('/api/bands/update', body, version),
  remove: (client, id) => client.post('/api/bands/delete', { id }),
};

const LIMITS: readonly Column<Band>[] = [
  { name: words.code, ...plain(({ code }) => code) },
  {
    name: words.autoApprovalLimit,
    isFigure: true,
    show: ({ autoApprovalLimit }) => formatMoney(autoApprovalLimit),
    text: ({ autoApprovalLimit }) => autoApprovalLimit,
  },
  {
    name: words.maxBookingLimit,
    isFigure: true,
    show: ({ maxBookingLimit }) => (maxBookingLimit === null ? words.noLimit : formatMoney(maxBookingLimit)),
    text: ({ maxBookingLimit }) => maxBookingLimit ?? '',
  },
];

function columnsFor(companyId = '', mayChange = false): Column<Band>[] {
  const people: Column<Band> = {
    name: pageTexts.departments.people,
    isFigure: true,
    show: (item) => <PeopleCount {...{ item, companyId, kind: KIND }} />,
    text: ({ _count }) => String(_count.users),
  };
  const change: Column<Band> = {
    name: words.actions,
    isFigure: true,
    isClear: true,
    show: (item) => <ResourceActions {...{ item, companyId, kind: KIND }} />,
  };
  const name: Column<Band> = {
    name: words.band,
    show: (item) => <ResourceName {...{ item, companyId, kind: KIND }} />,
    text: (item) => item.name,
  };
  return [name, ...LIMITS, people, ...(mayChange ? [change] : [])];
}

/** The bands of a company. */
export function BandsPage({ profile }: { profile: Person }) {
  return (
    <CompanyList<Band>
      profile={profile}
      title={texts.pages.bands}
      lead={words.bandsLead}
      searchHint={words.bandsSearchHint}
      kind="bands"
      load={(client, query, signal) => client.get('/api/bands/list', query, signal)}
      file={{ name: 'bands', columns: columnsFor() }}
      actions={({ id }) => administers(profile, id) && <AddResource kind={KIND} companyId={id} />}
      show={(bands, isStale, { id: companyId }) => (
        <DataTable
          label={words.bandsTable}
          columns={columnsFor(companyId, administers(profile, companyId))}
          rows={bands}
          keyOf={({ id }) => id}
          isStale={isStale}
        />
      )}
    />
  );
}
