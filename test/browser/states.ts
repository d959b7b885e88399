import type { Page } from 'playwright-core';
import { heading, refuseToken } from './console.ts';

/** A state of a page that people may find it in. */
export interface PageState {
  name: string;
  path: string;
  who: string | undefined;
  /** Brings the opened page there. */
  enter: (page: Page) => Promise<unknown>;
}

const STAFF = 'super.admin@orgdesk.example';
const ADMIN = 'admin@acme.example';
const EMPLOYEE = 'employee@acme.example';

const tree = (page: Page) => page.getByRole('tree').waitFor();
const table = (page: Page) => page.getByRole('table').waitFor();
const search = (page: Page, text: string) => page.getByLabel('Search', { exact: true }).fill(text);

/** Loads the page anew, where the service says this of how to sign in. */
async function withConfig(page: Page, data: object): Promise<void> {
  const json = { success: true, message: '', data };
  await page.route('**/console/config', (route) => route.fulfill({ json }));
  await page.reload();
}

/** Lets requests wait for ever, or fail, and loads the page's list anew by another search. */
async function withList(page: Page, how: 'never comes' | 'fails'): Promise<void> {
  await page.route('**/api/*/list?*', (route) => (how === 'fails' ? route.abort() : undefined));
  await page.getByLabel('Search', { exact: true }).fill('anything');
}

const PROVIDER = {
  issuer: 'https://id.example',
  authorizationEndpoint: 'https://id.example/auth',
  tokenEndpoint: 'https://id.example/token',
  clientId: 'console',
  scope: 'openid',
  resource: null,
};

const SIGN_IN: readonly PageState[] = [
  { name: 'sign-in on the demo', path: '/', who: undefined, enter: (page) => page.getByText(EMPLOYEE).waitFor() },
  {
    name: 'sign-in that is refused',
    path: '/',
    who: undefined,
    enter: async (page) => {
      await page.getByRole('button', { name: 'inactive@acme.example' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'sign-in with an empty token',
    path: '/geography',
    who: undefined,
    enter: async (page) => {
      await withConfig(page, { signIn: 'token' });
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Paste a token first.').waitFor();
    },
  },
  {
    name: 'sign-in at a provider',
    path: '/geography',
    who: undefined,
    enter: async (page) => {
      await withConfig(page, { signIn: 'provider', provider: PROVIDER });
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.getByText(PROVIDER.issuer).waitFor();
    },
  },
  {
    name: 'a page that asks to sign in',
    path: '/departments',
    who: undefined,
    enter: (page) => heading(page, 'Sign in to see departments'),
  },
  {
    name: 'a page without access',
    path: '/companies',
    who: EMPLOYEE,
    enter: (page) => heading(page, 'You don’t have access to companies'),
  },
];

const PROFILE: readonly PageState[] = [
  ...[STAFF, ADMIN, EMPLOYEE].map((who) => ({
    name: `profile of ${who}`,
    path: '/profile',
    who,
    enter: (page: Page) => page.getByText(who).first().waitFor(),
  })),
  {
    name: 'profile with fields that are wrong',
    path: '/profile',
    who: ADMIN,
    enter: async (page) => {
      await page.getByLabel('Phone').fill('12');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Enter a phone number').waitFor();
    },
  },
  {
    name: 'profile that is saved',
    path: '/profile',
    who: EMPLOYEE,
    enter: async (page) => {
      await page.getByLabel('Gender').fill(`Saved ${Date.now()}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Profile saved.').waitFor();
    },
  },
  {
    name: 'profile that was changed elsewhere',
    path: '/profile',
    who: EMPLOYEE,
    enter: async (page) => {
      const json = { success: false, message: 'It no longer holds.', code: 'VERSION_MISMATCH', requestId: 'x' };
      await page.route('**/api/users/update-profile', (route) => route.fulfill({ status: 412, json }));
      await page.getByLabel('Gender').fill('Typed here');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(/ changed this while you were editing\./).waitFor();
    },
  },
  {
    name: 'a token that has run out',
    path: '/profile',
    who: EMPLOYEE,
    enter: async (page) => {
      await refuseToken(page);
      await page.getByLabel('Gender').fill('Typed here');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];

/** The lists of those who are responsible for something. */
export const LISTS: readonly PageState[] = [
  { name: 'companies', path: '/companies', who: STAFF, enter: table },
  {
    name: 'companies, none found',
    path: '/companies',
    who: STAFF,
    enter: async (page) => {
      await search(page, 'nothing has this name');
      await page.getByText('Nothing matches').waitFor();
    },
  },
  {
    name: 'companies that fail to load',
    path: '/companies',
    who: STAFF,
    enter: async (page) => {
      await table(page);
      await withList(page, 'fails');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'companies that are loading',
    path: '/companies',
    who: STAFF,
    enter: async (page) => {
      await table(page);
      await withList(page, 'never comes');
      await page.getByText('Loading. The old rows are still shown.').waitFor();
    },
  },
  { name: 'departments', path: '/departments', who: ADMIN, enter: table },
  { name: 'mails', path: '/people/mails', who: ADMIN, enter: (page) => heading(page, 'Mails') },
  { name: 'moves', path: '/people/moves', who: ADMIN, enter: (page) => heading(page, 'Moves between companies') },
  { name: 'bookings', path: '/departments/bookings', who: ADMIN, enter: table },
  { name: 'department tree', path: '/departments/tree', who: ADMIN, enter: tree },
  { name: 'organisation chart', path: '/people/chart', who: ADMIN, enter: tree },
  {
    name: 'departments of a company that is not one’s own',
    path: '/departments?companyId=x',
    who: ADMIN,
    enter: (page) => page.getByText('neither Corporate Admin nor Manager').waitFor(),
  },
  {
    name: 'overview',
    path: '/overview',
    who: ADMIN,
    enter: async (page) => {
      await page.getByRole('region', { name: 'People by band' }).getByRole('link').nth(1).waitFor();
      await page.getByRole('region', { name: 'Latest changes' }).locator('time').first().waitFor();
      await page.getByRole('region', { name: 'Policies to look at' }).getByText('Nobody can approve').first().waitFor();
    },
  },
  {
    name: 'approval policies',
    path: '/policies?amount=75000',
    who: ADMIN,
    enter: (page) => page.getByTestId('approval').first().waitFor(),
  },
  {
    name: 'approval policies with an amount that is none',
    path: '/policies?amount=x',
    who: ADMIN,
    enter: (page) => page.getByText('An amount is digits').waitFor(),
  },
];

const GEOGRAPHY: readonly PageState[] = [
  {
    name: 'geography',
    path: '/geography',
    who: undefined,
    enter: (page) => page.getByRole('link', { name: /^India/ }).waitFor(),
  },
  {
    name: 'geography down to the cities',
    path: '/geography?country=101&state=4026',
    who: EMPLOYEE,
    enter: (page) => page.getByText('Afzalpur').waitFor(),
  },
  {
    name: 'geography with cities found',
    path: '/geography?search=bogota',
    who: undefined,
    enter: (page) => page.getByTestId('found').waitFor(),
  },
  {
    name: 'geography with nothing found',
    path: '/geography?search=qqqqq',
    who: undefined,
    enter: (page) => page.getByText('Nothing matches').waitFor(),
  },
];

/** What everybody sees, in the states that it may be found in. */
export const COMMON: readonly PageState[] = [...SIGN_IN, ...PROFILE, ...GEOGRAPHY];
