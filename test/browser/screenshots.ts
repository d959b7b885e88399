import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { startBrowser, visit } from './browser.ts';
import { startService } from './service.ts';

/** Draws the pictures of docs/console.md into a folder: `npm run web:screenshots`. */
const FOLDER = process.argv[2] ?? 'docs/console';

type Shot = readonly [
  name: string,
  path: string,
  email: string | undefined,
  width: number,
  ready: (page: Page) => Promise<void>,
];
const table = (page: Page) => page.getByRole('table').waitFor();
const SHOTS: readonly Shot[] = [
  ['sign-in', '/', undefined, 1024, (page) => page.getByRole('button', { name: 'employee@acme.example' }).waitFor()],
  [
    'profile',
    '/profile',
    'admin@acme.example',
    1600,
    async (page) => {
      await page.getByLabel('Phone').fill('12');
      await page.getByLabel('Gender').focus();
      await page.getByText('phone must be').waitFor();
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
  ['geography', '/geography?country=101&state=4026', undefined, 1600, (page) => page.getByText('Afzalpur').waitFor()],
];

mkdirSync(FOLDER, { recursive: true });
await using service = await startService();
const browser = await startBrowser();
const answer = (await (await fetch(`${service.address}/console/config`)).json()) as {
  data: { people: { email: string; token: string }[] };
};
for (const [name, path, email, width, ready] of SHOTS) {
  const colorScheme = name.endsWith('dark') ? 'dark' : 'light';
  const { page } = await visit(browser, service.address, { width, colorScheme });
  const token = answer.data.people.find((person) => person.email === email)?.token;
  await page.goto(`${service.address}${path}${token === undefined ? '' : `#token=${token}`}`);
  await ready(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
  await page.context().close();
}
await browser.close();
