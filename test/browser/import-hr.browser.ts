import assert from 'node:assert/strict';
import { it } from 'node:test';
import { rowsOfCells, workbookOf } from '../support/workbooks.ts';
import { assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { importPage } from './import-page.ts';
import { bringCompany } from './own-company.ts';

const { open, service } = await openConsole();
/** One import of a company runs at a time: no other file imports into these. */
const { token: ADMIN } = bringCompany(service, 51, (field) => `The ${field}`);
const { token: OTHER_ADMIN } = bringCompany(service, 57, (field) => `Other ${field}`);

it('an administrator imports 60 people with 12 new departments and 5 new bands in 4 interactions', () =>
  open('/people/import', ADMIN, async (page) => {
    const { choose, checked, run } = importPage(page);
    let interactions = 0;
    const act = async (work: () => Promise<unknown>) => {
      interactions++;
      await work();
    };
    const people = Array.from(
      { length: 60 },
      (_, at) => `new${at}@twelve.example,P${at},Q${at},Unit ${at % 12},L${at % 5},CC-${at % 12}`,
    );
    await act(() => choose(`Email,First Name,Last Name,Department,Grade,Cost Center\n${people.join('\n')}\n`));
    await act(() => page.getByRole('button', { name: 'Make these 12 departments' }).click());
    await page.getByRole('button', { name: 'Make these 12 departments' }).waitFor({ state: 'detached' });
    await act(() => page.getByRole('button', { name: 'Make these 5 bands' }).click());
    await checked(60, 0, 0, 0);
    await act(() => run.click());
    await page.getByText('60 people added').waitFor();
    assert.equal(interactions, 4);
  }));

it('an administrator imports a workbook with hidden lines, and then one that lists everybody', () =>
  open('/people/import', OTHER_ADMIN, async (page) => {
    const { choose, checked, run } = importPage(page);
    const people = (...names: readonly string[]) => [
      ['STAFF LIST • Confidential'],
      ['PERSON', '', '', 'WORK'],
      ['Emp Code', 'Name', 'Official Email *', 'Role'],
      ...names.map((name, at) => [`E-${at}`, `${name} Sen`, `${name.toLowerCase()}@list.example`, 'manager']),
      ['Total', names.length],
    ];
    const file = workbookOf({
      sheets: { Staff: rowsOfCells(people('Asha', 'Ravi', 'Mina', 'Omar'), [5]), Notes: rowsOfCells([['Nothing']]) },
    });
    await choose(file);
    await assertBecomes(
      () => page.getByLabel('Names of the columns').locator('option:checked').innerText(),
      'Line 3: Emp Code · Name · Official Email * · Role',
    );
    await page.getByRole('button', { name: 'Import them too' }).click();
    await page.getByRole('button', { name: 'The job: leave it out' }).click();
    await page.getByRole('button', { name: 'Split into first and last name' }).click();
    await checked(4, 0, 0, 0);
    await run.click();
    await page.getByText('4 people added').waitFor();

    await choose(workbookOf({ sheets: { Staff: rowsOfCells(people('Asha')) } }));
    await checked(0, 0, 1, 0);
    await page.getByLabel('This file has everybody').check();
    await page.getByText(/missing from the file and would be deactivated/).waitFor();
    await assertBecomes(() => run.isDisabled(), true);
    const over = await page.getByText(/missing from the file and would/).innerText();
    const [, count = ''] = /^(\d+) active people/.exec(over) ?? [];
    await page.getByLabel('Deactivate at most').fill(count);
    await page.getByText(/missing from the file and would/).waitFor({ state: 'detached' });
    await run.click();
    await page.getByText(`${count} deactivated.`).waitFor();
  }));

it('an administrator says that people who come back under their address are the same, and they are activated', () =>
  open('/people/import', OTHER_ADMIN, async (page) => {
    const { choose, checked, run } = importPage(page);
    const file = (lastName: string, status: string) =>
      `Email,First Name,Last Name,Status\nback@again.example,Nina,${lastName},${status}\n`;
    await choose(file('Rao', 'active'));
    await checked(1, 0, 0, 0);
    await run.click();
    await page.getByText('1 person added').waitFor();
    await choose(file('Rao', 'inactive'));
    await checked(0, 1, 0, 0);
    await run.click();
    await page.getByText('0 people added, 1 updated').waitFor();
    await choose(file('Sen', 'active'));
    await checked(0, 0, 0, 1);
    await page.getByLabel('Lines with the address or number of somebody who has left').selectOption('false');
    await checked(0, 1, 0, 0);
    await run.click();
    await page.getByText('0 people added, 1 updated').waitFor();
  }));
