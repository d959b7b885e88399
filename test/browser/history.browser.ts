import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { downloadedCsv, heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { open, address, tokenOf, service } = await openConsole();
const { ask } = apiOf(address);
const ADMIN = 'admin@globex.example';

describe('history', () => {
  it('an administrator of one company filters the history by what changed, and shows all changes again', () =>
    open('/history', ADMIN, async (page) => {
      await page.getByTestId('count').waitFor();
      await assertBecomes(() => page.getByLabel('Company', { exact: true }).count(), 0);
      await page.getByLabel('What changed').selectOption('Band');
      await page.waitForURL(/entity=band/);
      await page.getByRole('link', { name: 'Show all changes' }).click();
      await page.waitForURL(/\/history$/);
    }));

  it('the history of a person without a role has no filter by author', () =>
    open('/history', 'employee@acme.example', async (page) => {
      await heading(page, 'History');
      await assertBecomes(() => page.getByLabel('Changed by').count(), 0);
    }));

  it('the history of a person shows each change by one request, and filters the page and the file', async () => {
    const token = tokenOf(ADMIN);
    const { companyId, id: me, firstName, lastName } = await ask<Record<string, string>>('/api/users/profile', token);
    const department = (name: string) =>
      ask<{ id: string }>('/api/departments/create', token, { companyId, name, costCode: name });
    const [sales, legal] = [await department('Sales North'), await department('Legal South')];
    const fields = { email: 'priya.das@globex.example', firstName: 'Priya', lastName: 'Das', departmentId: sales.id };
    const { id } = await ask<{ id: string }>('/api/users/create', token, { companyId, ...fields });
    await ask('/api/users/update', token, { id, departmentId: legal.id });
    await ask('/api/users/update', token, { id, approvalLimit: '60000' });
    const name = `${firstName} ${lastName}`;
    const moved = `${name} moved Priya Das from Sales North to Legal South`;
    await open('/geography', ADMIN, async (page) => {
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      await page.goto(`${address}/history?userId=${id}#token=${token}`);
      await page.getByText(moved).waitFor();
      await page.getByText(`${name} changed Priya Das: Approval limit from ₹0 to ₹60,000`).waitFor();
      assert.deepEqual(
        requested.filter((path) => /^\/api\/(audit|users\/get)/.test(path)),
        ['/api/audit/list'],
      );
      await page.getByText(`${name} added Priya Das`, { exact: true }).first().waitFor();
      await page.getByText('Show 2 changes').click();
      await page.getByText('gave Priya Das the role Employee at Globex').waitFor();
      assert.match((await page.locator('time').first().getAttribute('title')) ?? '', /:\d\d:\d\d/);
      await page.getByLabel('How').selectOption('Added');
      await page.getByText(moved).waitFor({ state: 'detached' });
      await page.getByLabel('How').selectOption('Changed');
      await page.getByText(moved).waitFor();
      const file = await downloadedCsv(page);
      assert.match(file, /^.?When \(UTC\),Who,What happened\r\n/);
      assert.ok(file.includes(`,${name},${moved}\r\n`) && !file.includes(' added '), file);
      await page.getByLabel('From', { exact: true }).fill('2999-01-01');
      await page.getByText('Nothing matches').waitFor();
      await page.goto(`${address}/history?actorId=${me}&entity=user&to=2999-01-01#token=${token}`);
      await page.getByRole('link', { name: 'Priya Das' }).first().waitFor();
      await assertBecomes(() => page.getByRole('combobox', { name: 'Changed by' }).inputValue(), name);
      await page.goto(`${address}/history?actorId=${id}#token=${token}`);
      await page.getByText('Nothing matches').waitFor();
    });
  });

  it('the file of the history has all changes, by requests of a hundred with cursors', () =>
    open('/history', ADMIN, async (page) => {
      const CHANGES = 1234;
      const cursors: (string | null)[] = [];
      await page.getByTestId('count').waitFor();
      await page.route(/\/api\/audit\/list\?.*after=/, async (route) => {
        const query = new URL(route.request().url()).searchParams;
        const [after, limit] = [query.get('after'), Number(query.get('limit'))];
        const begin = after === 'start' ? 0 : Number(after);
        cursors.push(after);
        const response = await route.fetch({
          url: route
            .request()
            .url()
            .replace(/after=[^&]*/, 'after=start'),
        });
        const { data, ...rest } = (await response.json()) as { data: object[]; pagination: object };
        const count = Math.min(limit, CHANGES - begin);
        const next = begin + count < CHANGES ? String(begin + count) : null;
        const changes = Array.from({ length: count }, (_, index) => ({ ...data[0], id: begin + index }));
        await route.fulfill({ json: { ...rest, data: changes, pagination: { ...rest.pagination, next } } });
      });
      const file = await downloadedCsv(page);
      assert.equal(file.trimEnd().split('\r\n').length, CHANGES + 1);
      assert.deepEqual(cursors, ['start', ...Array.from({ length: 12 }, (_, index) => String(100 * (index + 1)))]);
    }));

  it('the history shows an import as one entry that opens', () =>
    open('/history', 'super.admin@orgdesk.example', async (page) => {
      await page.goto(`${address}/history?entity=band&limit=100#token=${tokenOf('super.admin@orgdesk.example')}`);
      const entry = page
        .getByRole('row')
        .filter({ hasText: /An import: \d+ bands added/ })
        .first();
      await entry.getByText(/^Show \d+ changes$/).click();
      await entry
        .getByText(/^An import added the band /)
        .first()
        .waitFor();
    }));

  it('the history counts all changes of an import on any page size, and links to their page', async () => {
    const token = tokenOf(ADMIN);
    const { companyId } = await ask<{ companyId: string }>('/api/users/profile', token);
    const lines = Array.from(
      { length: 30 },
      (_, index) => `many${index}@globex.example,Many,N${index},+91000000${1000 + index}`,
    );
    const csv = ['email,firstName,lastName,phone', ...lines].join('\n');
    await ask(`/api/users/import?companyId=${companyId}`, token, `${csv}\n`);
    await open(`/history?companyId=${companyId}&limit=10`, ADMIN, async (page) => {
      const entry = page.getByRole('row').filter({ hasText: '30 people added' }).first();
      await entry.getByText('Show 60 changes').click();
      await entry
        .getByText(/ gave Many N\d+ the role Employee at Globex$/)
        .first()
        .waitFor();
      await entry.getByRole('link', { name: 'All 60 changes' }).click();
      await page.getByText('All changes of one request or import, newest first.').waitFor();
      await page.getByTestId('count').getByText('1–50 of 60').waitFor();
    });
  });
});

describe('history in sentences', async () => {
  const { company, user, token } = bringCompany(service, 34, (field) => `Told ${field}`);
  const [department] = await ask<{ id: string }[]>(`/api/departments/list?companyId=${company}`, token);
  await ask('/api/departments/update', token, { id: department?.id, budget: '9100000' });
  await ask('/api/users/update', token, { id: user, dateOfBirth: '1990-03-12', gender: 'Female' });
  await ask('/api/users/grant-role', token, { userId: user, companyId: company, role: 'MANAGER' });
  const policy = await ask<{ levels: { id: string }[] }>('/api/approval-policies/get?id=policy-34', token);
  const levels = policy.levels.map(({ id }) => ({ id, level: 1, roleRequired: 'CORPORATE_ADMIN', minAmount: '75000' }));
  await ask('/api/approval-policies/update', token, { id: 'policy-34', levels });
  const scopes = ['users.read'];
  const { id } = await ask<{ id: string }>('/api/api-keys/create', token, { companyId: company, name: 'Pay', scopes });
  await ask('/api/api-keys/revoke', token, { id });

  const me = 'Told first Told last';
  const SENTENCES = {
    'en-IN': [
      `${me} changed the department Told department: Budget from ₹10 to ₹91,00,000`,
      `${me} changed their own profile: Date of birth from 1 Jan 1990 to 12 Mar 1990; Gender from Told gender to Female`,
      `${me} gave ${me} the role Manager at Told company`,
      `${me} changed a level of the approval policy Told policy: Role that approves from Manager to Corporate Admin; Amount from which it approves from ₹1 to ₹75,000`,
      `${me} added the API key Pay`,
      `${me} revoked the API key Pay`,
    ],
    'de-DE': [
      `${me} hat die Abteilung Told department geändert: Budget von 10 ₹ auf 9.100.000 ₹`,
      `${me} hat das eigene Profil geändert: Geburtsdatum von 01.01.1990 auf 12.03.1990; Geschlecht von Told gender auf Female`,
      `${me} hat ${me} die Rolle Führungskraft bei Told company gegeben`,
      `${me} hat die Genehmigungsregel Told policy in einer Stufe geändert: Genehmigende Rolle von Führungskraft auf Firmen-Admin; Genehmigt ab von 1 ₹ auf 75.000 ₹`,
      `${me} hat den API-Schlüssel Pay hinzugefügt`,
      `${me} hat den API-Schlüssel Pay widerrufen`,
    ],
  };
  for (const [locale, sentences] of Object.entries(SENTENCES)) {
    it(`the history names entities, and formats amounts and days for the reader: ${locale}`, () =>
      open(
        `/history?companyId=${company}`,
        token,
        async (page) => {
          await page.getByRole('table').waitFor();
          const cells = async () =>
            (await page.getByRole('cell').allTextContents()).map((text) => text.replace(/\s/g, ' '));
          await assertBecomes(async () => {
            const texts = await cells();
            return sentences.filter((sentence) => !texts.some((text) => text.startsWith(sentence)));
          }, []);
          assert.doesNotMatch((await cells()).join(), /[0-9a-f]{8}-[0-9a-f]{4}/);
        },
        { locale },
      ));
  }
});
