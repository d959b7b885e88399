import type { Page } from 'playwright-core';
import { heading, openPolicy } from './console.ts';
import { importPage, MESSY } from './import-page.ts';
import type { PageState } from './states.ts';

const STAFF = 'super.admin@orgdesk.example';
const ADMIN = 'admin@acme.example';
/** The import page of a company into which no other file imports: one import of a company runs at a time. */
const IMPORT_PATH = '/people/import?companyId=a2a0c17e-eaf3-46e1-91db-0a76c1e7dd6d';

const table = (page: Page) => page.getByRole('table').waitFor();
const opened = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').getByRole('button').last().waitFor();
};

/** The pages about people and companies, in the states that they may be found in. */
export const PEOPLE: readonly PageState[] = [
  { name: 'people', path: '/people', who: ADMIN, enter: table },
  {
    name: 'a person that is added, with fields that are wrong',
    path: '/people',
    who: ADMIN,
    enter: async (page) => {
      await opened('Add a person')(page);
      await page.getByLabel('Last name').fill('A');
      await page.getByRole('dialog').getByRole('button', { name: 'Add a person' }).click();
      await page.getByText('First name is required.').waitFor();
    },
  },
  {
    name: 'a person',
    path: '/people?search=manager@acme',
    who: ADMIN,
    enter: async (page) => {
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByRole('heading', { name: 'What they may approve' }).waitFor();
    },
  },
  {
    name: 'an unknown person',
    path: '/people/3fad956a-6f93-489b-8eb1-38af0acb7299',
    who: ADMIN,
    enter: (page) => heading(page, 'Page not found'),
  },
  {
    name: 'people to import, with lines that need fixing',
    path: IMPORT_PATH,
    who: STAFF,
    enter: async (page) => {
      const { choose, row } = importPage(page);
      await choose(MESSY);
      await page.locator('[data-testid=summary][aria-busy=false]').waitFor();
      await page.getByRole('table', { name: 'Lines' }).scrollIntoViewIfNeeded();
      await row(6).getByText('Needs fixing').waitFor();
    },
  },
  {
    name: 'people to import, with too few columns',
    path: IMPORT_PATH,
    who: STAFF,
    enter: async (page) => {
      await importPage(page).choose(
        Buffer.from('Name;Phone;phone;DOB\r\nJ\u00fcrgen M;1;2;03/04/1990\r\nx\r\n', 'latin1'),
      );
      await page.getByLabel('Encoding of the file').waitFor();
    },
  },
  {
    name: 'a company',
    path: '/companies?search=acme',
    who: STAFF,
    enter: async (page) => {
      await page.getByRole('link', { name: 'Acme', exact: true }).click();
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
    },
  },
  { name: 'a company that is added', path: '/companies', who: STAFF, enter: opened('Add a company') },
];

/** The pages about what a company has, likewise. */
export const ORGANISATION: readonly PageState[] = [
  { name: 'departments that are changed', path: '/departments', who: ADMIN, enter: opened(/^Edit/) },
  { name: 'a question before something is deleted', path: '/bands', who: ADMIN, enter: opened(/^Delete/) },
  { name: 'bands', path: '/bands', who: ADMIN, enter: table },
  {
    name: 'a policy that is added',
    path: '/policies',
    who: ADMIN,
    enter: async (page) => {
      await opened('Add an approval policy')(page);
      await page.getByRole('button', { name: 'Add a level' }).click();
      await page.getByLabel('Level 1: from').fill('x');
      await page.getByText('An amount is digits').waitFor();
    },
  },
  {
    name: 'who approves',
    path: '/policies',
    who: ADMIN,
    enter: async (page) => {
      await openPolicy(page, 'Domestic travel');
      await page.getByLabel('Amount of the booking').fill('999 crore');
      await page.getByTestId('evaluation').waitFor();
    },
  },
  { name: 'history', path: '/history', who: STAFF, enter: (page) => page.getByTestId('count').waitFor() },
  {
    name: 'a key that is made',
    path: '/keys',
    who: ADMIN,
    enter: async (page) => {
      await opened('Create API key')(page);
      await page.getByLabel('Name').fill('Of a state');
      await page.getByLabel('Read people').check({ force: true });
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
      await page.getByText('Copy this now.').waitFor();
    },
  },
  { name: 'a webhook that is added', path: '/webhooks', who: ADMIN, enter: opened('Add a webhook') },
  {
    name: 'the search of pages and people',
    path: '/people',
    who: ADMIN,
    enter: async (page) => {
      await table(page);
      await page.keyboard.press('Control+k');
      await page.getByLabel('A page, a person, a department or a policy').fill('manager');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
    },
  },
  {
    name: 'an address without a page',
    path: '/other',
    who: ADMIN,
    enter: (page) => heading(page, 'Page not found'),
  },
];
