import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { downloadedCsv, openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { open, address, service } = await openConsole();
const { ask, personLike } = apiOf(address);

describe('the file that the page of people gives', () => {
  const { company, token, user } = bringCompany(service, 6, (field) => `The ${field}`);

  for (const [locale, button, run, people] of [
    ['en-IN', 'Download as CSV', 'Start the import', 'Manager, Employee'],
    ['de-DE', 'Als CSV herunterladen', 'Import starten', 'Führungskraft, Mitarbeiter/in'],
  ] as const) {
    it(`the file of people imports without a change, and edited with roles and status (${locale})`, async () => {
      const suffix = locale.slice(0, 2);
      for (const costCode of [`TWIN-1-${suffix}`, `TWIN-2-${suffix}`]) {
        await ask('/api/departments/create', token, {
          companyId: company,
          name: `Twins ${suffix}`,
          costCode,
          budget: '1.00',
        });
      }
      const departments = await ask<{ id: string; costCode: string }[]>(
        `/api/departments/list?companyId=${company}`,
        token,
      );
      const twin = departments.find(({ costCode }) => costCode === `TWIN-2-${suffix}`);
      const email = `twin.${suffix}@own-6.example`;
      const fields = { companyId: company, email, firstName: 'Zoë', lastName: 'Twin', departmentId: twin?.id };
      await ask('/api/users/create', token, { ...fields, approvalLimit: '10000.00', phone: '+91 98450 12345' });
      await open(
        '/people',
        token,
        async (page) => {
          await page.getByRole('table').waitFor();
          const csv = await downloadedCsv(page, button);
          await page.getByRole('link', { name: /^(Import people|Personen importieren)$/ }).click();
          const summary = page.locator('[data-testid=summary][aria-busy=false]');
          const input = page.locator('input[type=file]');
          const file = (text: string) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
          await input.setInputFiles(file(csv));
          await summary
            .getByText(
              /^0 (new, 0 to update|neu, 0 zu ändern), [1-9]\d* (unchanged, 0 to fix|unverändert, 0 zu korrigieren)\./,
            )
            .waitFor();
          await assertBecomes(() => page.getByRole('button', { name: run }).isDisabled(), true);
          const edited = csv
            .split('\r\n')
            .map((line) => {
              if (!line.includes(email)) return line;
              return line
                .replace(/Employee|Mitarbeiter\/in/, `"${people}"`)
                .replace(/,(Active|Aktiv),/, (_, word) => `,${word === 'Aktiv' ? 'Inaktiv' : 'Inactive'},`);
            })
            .join('\r\n');
          await input.setInputFiles(file(edited));
          await summary.getByText(/^0 (new, 1 to update|neu, 1 zu ändern)/).waitFor();
          await page.getByRole('button', { name: run }).click();
          await page.getByText(/^0 (people added, 1 updated|Personen hinzugefügt, 1 geändert)/).waitFor();
          const person = await personLike(email, token);
          assert.deepEqual(person?.roles, ['EMPLOYEE', 'MANAGER']);
          assert.equal(person?.active, false);
          assert.equal(person?.department.id, twin?.id);
          assert.notEqual(person?.id, user);
        },
        { locale },
      );
    });
  }

  it('the import template has only known columns', () =>
    open('/people/import', token, async (page) => {
      const head = (await downloadedCsv(page, 'Download a template')).trim();
      const { choose, checked } = importPage(page);
      await choose(`${head}\r\nAna,Lee,ana@own-6.example,,The cost,The code,"1,00,000.00",Manager,1990-01-31,,,,\r\n`);
      await checked(1, 0, 0, 0);
      const left = page.getByRole('group', { name: 'Columns of the file' }).getByRole('combobox');
      for (const column of await left.all()) assert.notEqual(await column.inputValue(), '');
    }));
});
