import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { startBrowser, visit } from './browser.ts';
import { type DemoPerson, openPolicy } from './console.ts';
import { startService } from './service.ts';

/**
 * Draws the pictures of docs/console.md: `npm run long -- screenshots [FOLDER]`. With `--all` each page at three widths, in light and dark
 * colours, to be looked at.
 */

type Shot = readonly [
  name: string,
  path: string,
  email: string | undefined,
  width: number,
  ready: (page: Page) => Promise<void>,
];
const table = (page: Page) => page.getByRole('table').waitFor();
const tree = (page: Page) => page.getByRole('tree').waitFor();
const SHOTS: readonly Shot[] = [
  ['sign-in', '/', undefined, 1024, (page) => page.getByRole('button', { name: 'employee@acme.example' }).waitFor()],
  ['overview', '/overview', 'admin@acme.example', 1440, (page) => page.getByText(/^Total: /).waitFor()],
  [
    'profile',
    '/profile',
    'admin@acme.example',
    1600,
    async (page) => {
      await page.getByLabel('Phone').fill('12');
      await page.getByLabel('Gender').focus();
      await page.getByText('Enter a phone number').waitFor();
    },
  ],
  [
    'profile-phone',
    '/profile',
    'employee@acme.example',
    390,
    (page) => page.getByLabel('Phone').fill('+91 98765 43210'),
  ],
  ['companies', '/companies', 'super.admin@orgdesk.example', 1024, table],
  ['companies-phone', '/companies', 'super.admin@orgdesk.example', 390, table],
  ['departments-dark', '/departments', 'admin@acme.example', 1024, table],
  [
    'policies',
    '/policies',
    'admin@acme.example',
    1600,
    async (page) => {
      await page.getByLabel('Try an amount').fill('75,000');
      await page.getByTestId('approval').first().waitFor();
    },
  ],
  ['people', '/people', 'admin@acme.example', 1440, table],
  ['organisation-chart', '/people/chart', 'admin@acme.example', 1024, tree],
  ['department-tree', '/departments/tree', 'admin@acme.example', 1024, tree],
  ['people-phone', '/people', 'admin@acme.example', 390, table],
  [
    'person',
    '/people?search=employee@acme',
    'admin@acme.example',
    1440,
    async (page) => {
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByLabel('Amount of the booking').fill('60k');
      await page.getByTestId('other-policies').getByText('…').waitFor({ state: 'detached' });
    },
  ],
  [
    'company',
    '/companies?search=acme',
    'super.admin@orgdesk.example',
    1024,
    async (page) => {
      await page.getByRole('link', { name: 'Acme', exact: true }).click();
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
    },
  ],
  [
    'who-approves',
    '/policies',
    'admin@acme.example',
    1024,
    async (page) => {
      await openPolicy(page, 'Domestic travel');
      await page.getByLabel('Amount of the booking').fill('60k');
      await page.getByTestId('evaluation').waitFor();
    },
  ],
  [
    'ladder-dark',
    '/policies',
    'admin@acme.example',
    1024,
    async (page) => {
      await openPolicy(page, 'Domestic travel');
      await page.getByRole('button', { name: /^Edit/ }).click();
      await page.getByLabel('Level 1: from').waitFor();
    },
  ],
  [
    'history',
    '/people?search=employee@acme',
    'admin@acme.example',
    1024,
    async (page) => {
      await page.getByRole('rowheader').getByRole('link').first().click();
      await page.getByRole('button', { name: /^Edit/ }).click();
      await page.getByLabel('Approval limit').fill('1.5 lakh');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('main').getByRole('link', { name: 'History' }).click();
      await page.getByRole('table').waitFor();
    },
  ],
  [
    'key',
    '/keys',
    'admin@acme.example',
    1024,
    async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Name').fill('Payroll');
    },
  ],
  ['bands', '/bands', 'admin@acme.example', 1024, table],
  [
    'import',
    '/people/import',
    'admin@acme.example',
    1440,
    async (page) => {
      const lines = [
        ['E-mail', 'First name', 'Last name', 'Department', 'Approval limit'],
        ['nila.verma@acme.example', 'Nila', 'Verma', 'Legal', '60k'],
        ['no address', 'Arjun', 'Nair', 'Legal', '1.5 lakh'],
        ['employee@acme.example', 'Ishaan', 'Bhalerao', 'Unheard of', ''],
      ];
      await page.getByLabel(/^Or paste/).fill(lines.map((cells) => cells.join('\t')).join('\n'));
      const summary = page.locator('[data-testid=summary][aria-busy=false]');
      await summary.waitFor();
      await summary.evaluate((text) => text.scrollIntoView());
    },
  ],
  [
    'webhook',
    '/webhooks',
    'admin@acme.example',
    1024,
    async (page) => {
      await page.getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByLabel('URL').fill('https://1.1.1.1/orgdesk');
      await page.getByLabel('Description').fill('HR mirror');
      await page.getByLabel('Person', { exact: true }).check({ force: true });
      await page.getByRole('dialog').getByRole('button', { name: 'Add a webhook' }).click();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    },
  ],
  ['search', '/geography?search=san jose', undefined, 1024, (page) => page.getByTestId('found').waitFor()],
  ['geography', '/geography?country=101&state=4026', undefined, 1600, (page) => page.getByText('Afzalpur').waitFor()],
];

const WIDTHS = [390, 834, 1440];
const SCHEMES = ['light', 'dark'] as const;

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = positionals[0] ?? 'docs/console';
mkdirSync(folder, { recursive: true });
await using service = await startService();
const browser = await startBrowser();
const { people } = await apiOf(service.address).ask<{ people: DemoPerson[] }>('/console/config', undefined);
for (const [name, path, email, width, ready] of SHOTS) {
  const { page } = await visit(browser, service.address, { width });
  const token = people.find((person) => person.email === email)?.token;
  await page.goto(`${service.address}${path}${token === undefined ? '' : `#token=${token}`}`);
  await ready(page);
  await page.waitForLoadState('networkidle');
  const one = [[width, name.endsWith('dark') ? 'dark' : 'light']] as const;
  const views = values.all ? WIDTHS.flatMap((each) => SCHEMES.map((scheme) => [each, scheme] as const)) : one;
  for (const [each, colorScheme] of views) {
    await page.setViewportSize({ width: each, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    const file = values.all ? `${name}-${each}-${colorScheme}` : name;
    await page.screenshot({ path: `${folder}/${file}.png`, fullPage: values.all });
  }
  await page.context().close();
}
await browser.close();
