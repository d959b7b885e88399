import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import sql from 'sql-template-tag';
import type { CompanyView } from '../../src/features/companies/companies-schemas.ts';
import { assertInvalid, pageOf } from '../support/answers.ts';
import { buildCheckedApp } from '../support/checked-app.ts';
import { COMPANIES_LIST } from '../support/list-paths.ts';
import { testListSearch } from '../support/list-search-tests.ts';
import { expectedIds, type ListedItem, type PagedList, walk } from '../support/paged-list.ts';
import { testPagedList } from '../support/paged-list-tests.ts';
import { addCompany, addPerson } from '../support/people.ts';
import { insertRow, uuid } from '../support/rows.ts';

const api = await buildCheckedApp();
after(() => api[Symbol.asyncDispose]());

for (const name of ['100% Cotton', '50_50 Split', 'Back\\slash', 'Zzz 🦉 Owls', 'ﷺ Press']) {
  await addCompany(api.db, name, { legal_name: `${name} Ltd` });
}
for (const [number, name] of [
  [3, 'Twin'],
  [1, 'TWÍN'],
  [2, 'twin'],
] as const) {
  await addCompany(api.db, name, { id: uuid(number) });
}
const dormant = await addCompany(api.db, 'Dormant', { active: false, email: 'Hidden.Box@Dormant.Example' });

interface CompanyRow extends ListedItem {
  active: boolean;
}
const companies = await api.db.query<CompanyRow>(sql`
  select id, name, active, json_build_array(name, legal_name, gstin, email) as texts from companies`);
const list: PagedList = {
  name: 'companies/list',
  url: COMPANIES_LIST,
  message: 'Companies retrieved successfully',
  as: 'super.admin@orgdesk.example',
  query: {},
  index: 'companies_order',
  items: companies,
};
testPagedList(api, list);
testListSearch(api, list);

const get = (query: Record<string, string | string[]>, as = list.as) => api.send({ url: COMPANIES_LIST, query, as });
const names = async (query: Record<string, string>) =>
  pageOf<CompanyView>(await get({ limit: '100', ...query })).items.map(({ name }) => name);

describe('companies list: items', () => {
  it('companies/list returns the currency of companies on request, by default that of the service', async () => {
    await api.db.query(sql`update companies set currency = 'JPY' where id = ${dormant.id}`);
    for (const search of ['Dormant', '']) {
      const { items } = pageOf<CompanyView>(await get({ limit: '100', search, include: 'currency' }));
      assert.equal(items.find(({ id }) => id === dormant.id)?.currency, 'JPY');
      assert.ok(items.every(({ id, currency }) => id === dormant.id || currency === 'INR'));
    }
    await api.db.query(sql`update companies set currency = null where id = ${dormant.id}`);
    assertInvalid(await get({ include: 'price' }), 'include');
  });

  it('companies/list returns exactly the documented fields, without an e-mail address', async () => {
    const { items } = pageOf<CompanyView>(await get({ limit: '100' }));
    assert.equal(items.length, companies.length);
    for (const item of items) {
      assert.deepEqual(Object.keys(item).sort(), [
        '_count',
        'active',
        'creditDays',
        'creditLimit',
        'gstin',
        'id',
        'legalName',
        'name',
      ]);
      assert.deepEqual(Object.keys(item._count).sort(), ['bookings', 'users']);
      assert.match(item.creditLimit, /^\d+\.\d{2}$/);
      assert.equal(JSON.stringify(item).includes('@'), false);
    }
  });

  it('companies/list returns the values of the database, and counts every user, deactivated ones too', async () => {
    await addPerson(api.db, { company: dormant, columns: { active: false } });
    const { id: userId } = await addPerson(api.db, { company: dormant });
    for (const id of ['b1', 'b2', 'b3']) {
      await insertRow(api.db, 'bookings', { id, company_id: dormant.id, user_id: userId, amount: '1.50' });
    }
    const expected = await api.db.query<CompanyView>(sql`
      select id, name, legal_name as "legalName", gstin, credit_limit::text as "creditLimit",
             credit_days as "creditDays", active,
             json_build_object('users', coalesce(people.count, 0), 'bookings', coalesce(booked.count, 0)) as "_count"
        from companies
        left join (select company_id, count(*) from users group by 1) people on people.company_id = companies.id
        left join (select company_id, count(*) from bookings group by 1) booked on booked.company_id = companies.id`);
    const { items } = pageOf<CompanyView>(await get({ limit: '100' }));
    const byId = (a: CompanyView, b: CompanyView) => (a.id < b.id ? -1 : 1);
    assert.deepEqual(items.sort(byId), [...expected].sort(byId));
    const own = items.find(({ id }) => id === dormant.id);
    assert.deepEqual(own?._count, { users: 2, bookings: 3 });
    assert.deepEqual([own?.creditLimit, own?.creditDays, own?.active], ['1000.00', 30, false]);
  });

  it('companies/list sorts by the folded name: İstanbul among the I, Ærø among the A, Łódź among the L', async () => {
    const listed = await names({});
    const rank = (name: string) => listed.indexOf(name);
    assert.ok(rank('Acme') < rank('Ærø Shipping') && rank('Ærø Shipping') < rank('Bogotá Café Exports'));
    assert.ok(rank('İstanbul Lojistik') < rank('Kaveripuram Softworks'));
    assert.ok(rank('Łódź Textiles') < rank('Malabar Lantern Foods'));
    assert.deepEqual(listed.slice(0, 2), ['100% Cotton', '50_50 Split']);
    const first = rank('TWÍN');
    assert.deepEqual(listed.slice(first, first + 3), ['TWÍN', 'twin', 'Twin']); // by their ids
  });
});

describe('companies list: search', () => {
  for (const [field, needle, found] of [
    ['name', 'bogota', 'Bogotá Café Exports'],
    ['name', 'BOGOTÁ  cafe', 'Bogotá Café Exports'],
    ['name', 'ISTANBUL', 'İstanbul Lojistik'],
    ['name', 'istanbul', 'İstanbul Lojistik'],
    ['name', 'lodz', 'Łódź Textiles'],
    ['name', 'aero ship', 'Ærø Shipping'],
    ['name', 'da nang', 'Đà Nẵng Ceramics'],
    ['name', 'giessbach', 'Gießbach Optik'],
    ['name', 'thingeyri', 'Þingeyri Geothermal'],
    ['name', 'coeurville', 'Maison Cœurville'],
    ['name', "o'hanrick", 'O’Hanrick & Tully'],
    ['name', '\u202f tui \n bay', 'Tūī Bay Forestry'],
    ['legal name', 'spolka z o.o.', 'Łódź Textiles'],
    ['legal name', 'tasimacilik', 'İstanbul Lojistik'],
    ['legal name', 'ミナミカゼ', 'Minamikaze Trading'],
    ['legal name', 'GOM SU', 'Đà Nẵng Ceramics'],
    ['GSTIN', '27TIXCA9947H2ZQ', 'Acme'],
    ['GSTIN', 'tixca9947', 'Acme'],
    ['e-mail address', 'contact@acme.example', 'Acme'],
    ['e-mail address', 'CONTACT@LODZ', 'Łódź Textiles'],
    ['e-mail address', 'hidden.box', 'Dormant'],
  ] as const) {
    it(`companies/list with the search ${JSON.stringify(needle)} finds ${found} by its ${field}`, async () => {
      assert.deepEqual(await names({ search: needle }), [found]);
    });
  }

  it('companies/list finds no company by a search that spans two fields', async () => {
    assert.deepEqual(await names({ search: 'acme acme industries' }), []);
    assert.deepEqual(await names({ search: 'acme\nacme' }), []);
  });
});

describe('companies list: activeOnly', () => {
  const active = { ...list, items: companies.filter((company) => company.active) };

  it('companies/list with activeOnly=true omits deactivated companies from pages and count', async () => {
    assert.ok(active.items.length < companies.length);
    for (const limit of [3, 100]) {
      assert.deepEqual(await walk(api, active, { activeOnly: 'true' }, limit), expectedIds(active));
    }
    assert.equal(pageOf(await get({ activeOnly: 'true' })).pagination.totalItems, active.items.length);
  });

  it('companies/list with activeOnly=true and a search applies both', async () => {
    assert.deepEqual(await names({ search: 'dormant', activeOnly: 'true' }), []);
    assert.deepEqual(await names({ search: 'dormant' }), ['Dormant']);
    assert.deepEqual(await walk(api, list, { search: 'an', activeOnly: 'true' }, 3), expectedIds(active, 'an'));
  });

  it('companies/list reads activeOnly in any case of letters, and as 1 or 0', async () => {
    const filtered = await get({ activeOnly: 'true' });
    for (const activeOnly of ['TRUE', '1']) assert.equal((await get({ activeOnly })).body, filtered.body);
  });

  it('companies/list with activeOnly=false returns the same as without it', async () => {
    for (const activeOnly of ['false', 'False', '0', ''])
      assert.equal((await get({ activeOnly })).body, (await get({})).body);
  });

  it('companies/list returns 400 for any other or repeated value of activeOnly', async () => {
    for (const activeOnly of ['2', '01', 'yes', 'no', ' true', 'on', 'null', '"true"', 't']) {
      const { errors } = assertInvalid(await get({ activeOnly }), 'activeOnly');
      assert.equal(errors?.[0]?.code, 'INVALID_TYPE');
    }
    for (const activeOnly of [
      ['true', 'true'],
      ['true', 'false'],
    ]) {
      const { errors } = assertInvalid(await get({ activeOnly }), 'activeOnly');
      assert.equal(errors?.[0]?.code, 'DUPLICATE');
    }
  });
});

describe('companies list: access', () => {
  it('companies/list returns the same to a Platform RM and to a Super Admin', async () => {
    assert.equal((await get({ limit: '100' }, 'platform.rm@orgdesk.example')).body, (await get({ limit: '100' })).body);
  });
});
