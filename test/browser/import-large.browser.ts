import assert from 'node:assert/strict';
import { it } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { apiOf } from './api.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany } from './own-company.ts';

// Others would wait for the database meanwhile.
const { open, address, service } = await openConsole({ isShared: false });
const { ask } = apiOf(address);
const { company, token } = bringCompany(service, 33, (field) => `Large ${field}`);
const HEAD = 'email,firstName,lastName';

it('an import of 5,000 lines draws only the lines on the screen', () =>
  open('/people/import', token, async (page) => {
    const { choose, checked, correct } = importPage(page);
    const lines = Array.from({ length: 5000 }, (_, at) => {
      const name = at === 4990 ? ',' : `Many,Person ${at}`;
      return `many.${at}@own-33.example,${name},1990-12-31`;
    });
    await choose([`${HEAD},DOB`, ...lines, ''].join('\r\n'));
    await checked(4999, 0, 0, 1);
    const drawn = () => page.getByRole('table').getByRole('textbox').count();
    assert.ok((await drawn()) < 800, `${await drawn()} cells are drawn`);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.getByLabel('Last name, line 5,001', { exact: true }).waitFor();
    assert.ok((await drawn()) < 800, `${await drawn()} cells are drawn`);
    await page.getByLabel('Show').selectOption({ label: 'Needs fixing (1)' });
    await waitUntil('the one line', async () => (await drawn()) === 4);
    await correct('First name', 4992, 'Mended');
    await checked(5000, 0, 0, 0);
    await assertBecomes(
      () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
      'First name, line 4,992',
    );
  }));

it('an import into a company of more than 5,000 people adds and updates people', async () => {
  const lines = Array.from({ length: 5_200 }, (_, at) => `large.${at}@own-33.example,Large,Person ${at}`);
  const csv = [HEAD, ...lines, ''].join('\r\n');
  assert.equal((await ask<{ added: number }>(`/api/users/import?companyId=${company}`, token, csv)).added, 5_200);
  await open('/people/import', token, async (page) => {
    const { choose, checked, run } = importPage(page);
    await choose(`${HEAD}\r\nlarge.5100@own-33.example,Large,Renamed\r\nlarge.new@own-33.example,Ana,Lee\r\n`);
    await checked(1, 1, 0, 0);
    await run.click();
    await page.getByText('1 person added, 1 updated, 0 unchanged.').waitFor();
    await page.getByRole('link', { name: 'View people' }).click();
    await page.getByTestId('count').getByText('of 5,202').waitFor();
  });
});
