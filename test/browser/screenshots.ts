import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { startBrowser, visit } from './browser.ts';
import { type DemoPerson, openPolicy } from './console.ts';
import { importPage } from './import-page.ts';
import { startService } from './service.ts';

/**
 * Draws the pictures of README.md and docs/console.md: `npm run long -- screenshots [FOLDER]`. With `--all` each page at three widths, in
 * light and dark colours, to be looked at. On Debian it needs `apt-get install -y --no-install-recommends fonts-noto-core fonts-noto-cjk webp`:
 * the names of the demo are in many scripts, and `img2webp` joins the recording.
 */
const LANGUAGES = ['hi', 'ta', 'ar', 'he', 'el', 'ru', 'ja', 'zh-cn', 'ko'];

interface Shot {
  name: string;
  path: string;
  /** As in the demo; absent: nobody is signed in. */
  who?: string;
  width?: number;
  isDark?: boolean;
  ready: (page: Page) => Promise<unknown>;
  /** What is drawn, with a margin; absent: the screen. */
  of?: (page: Page) => Locator;
  /** The first thing on the picture, above which it is cut, and the last one. */
  from?: (page: Page) => Locator;
  until?: (page: Page) => Locator;
}

const [ADMIN, EMPLOYEE, STAFF] = ['admin@acme.example', 'employee@acme.example', 'super.admin@orgdesk.example'];
const [WIDTH, PHONE, HEIGHT] = [1280, 390, 800];
const table = (page: Page) => page.getByRole('table').waitFor();
const tree = (page: Page) => page.getByRole('tree').waitFor();
/** What is between the menu and the edge. */
const content = (page: Page) => page.locator('main > *');
const dialog = (page: Page) => page.getByRole('dialog');
const row = (number: number) => (page: Page) => page.getByRole('row').nth(number);
const openFirst = (page: Page) => page.getByRole('rowheader').getByRole('link').first().click();

/** Opens the page of the person who books, and waits for the answer about an amount. */
async function whoApproves(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Amount of the booking').fill(amount);
  // It is asked once typing has stopped.
  await page.waitForTimeout(1500);
  await page.waitForLoadState('networkidle');
  await page.getByTestId('evaluation').waitFor();
}

const person = {
  path: '/people?search=employee@acme',
  who: ADMIN,
  of: content,
  until: (page: Page) => page.getByTestId('evaluation'),
};

const SHOTS: readonly Shot[] = [
  {
    ...person,
    name: 'person',
    ready: async (page) => {
      await openFirst(page);
      await whoApproves(page, '60k');
      await page.getByRole('heading', { level: 1 }).click();
    },
  },
  {
    name: 'history',
    path: '/people?search=employee@acme',
    who: ADMIN,
    ready: async (page) => {
      await openFirst(page);
      const change = async (label: string, text: string) => {
        await page.getByRole('button', { name: /^Edit/ }).click();
        await dialog(page).getByLabel(label, { exact: true }).fill(text);
        await page.getByRole('button', { name: 'Save' }).click();
        await dialog(page).waitFor({ state: 'detached' });
      };
      await change('Approval limit', '1.5 lakh');
      await change('Job title', 'Travel lead');
      await change('Phone', '+91 98450 12345');
      await page.getByRole('button', { name: 'Close' }).first().click();
      await page.getByRole('main').getByRole('link', { name: 'History' }).click();
      await table(page);
    },
    of: content,
    until: (page) => page.getByRole('table'),
  },
  {
    name: 'import',
    path: '/people/import',
    who: ADMIN,
    ready: async (page) => {
      const { paste, correct } = importPage(page);
      const lines = [
        ['E-mail', 'First name', 'Last name', 'Department'],
        ['nila.verma@acme.example', 'Nila', 'Verma', 'Legal'],
        ['arjun nair', 'Arjun', 'Nair', 'Legal'],
        ['meera.iyer@acme.example', 'Meera', 'Iyer', 'Finance'],
        ['employee@acme.example', 'Ishaan', 'Bhalerao', 'Legal'],
      ];
      await paste(lines.map((cells) => cells.join('\t')).join('\n'));
      await page.locator('[data-testid=summary][aria-busy=false]').waitFor();
      await correct('E-mail', 3, 'arjun.nair@acme.example');
      await page.locator('[data-testid=summary][aria-busy=false]').getByText(' 0 to fix.').waitFor();
      await page.getByRole('heading', { level: 1 }).click();
    },
    of: content,
    from: (page) => page.getByTestId('summary'),
    until: (page) => page.getByRole('table').last(),
  },
  { name: 'overview', path: '/overview', who: ADMIN, ready: (page) => page.getByText(/^Total: /).waitFor() },
  { name: 'people', path: '/people', who: ADMIN, ready: table, of: content, until: row(9) },
  { name: 'organisation-chart', path: '/people/chart', who: ADMIN, ready: tree },
  { name: 'department-tree', path: '/departments/tree', who: ADMIN, ready: tree },
  {
    name: 'policies',
    path: '/policies',
    who: ADMIN,
    ready: async (page) => {
      await page.getByLabel('Try an amount').fill('75,000');
      await page.getByTestId('approval').first().waitFor();
    },
    of: content,
    until: (page) => page.getByRole('article').nth(5),
  },
  {
    name: 'ladder-dark',
    path: '/policies',
    who: ADMIN,
    isDark: true,
    ready: async (page) => {
      await openPolicy(page, 'Domestic travel');
      await page.getByRole('button', { name: /^Edit/ }).click();
      await page.getByLabel('Level 1: from').evaluate((box) => box.scrollIntoView({ block: 'center' }));
    },
    of: dialog,
  },
  {
    name: 'company',
    path: '/companies?search=acme',
    who: STAFF,
    ready: async (page) => {
      await page.getByRole('link', { name: 'Acme', exact: true }).click();
      await page.getByRole('heading', { name: 'Figures' }).waitFor();
    },
  },
  {
    name: 'key',
    path: '/keys',
    who: ADMIN,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).click();
      await page.getByLabel('Name').fill('Payroll');
      await page.getByLabel('Read people').check({ force: true });
    },
    of: dialog,
  },
  {
    name: 'departments-dark',
    path: '/departments',
    who: ADMIN,
    isDark: true,
    ready: table,
    of: content,
    until: row(9),
  },
  {
    name: 'profile',
    path: '/profile',
    who: ADMIN,
    ready: async (page) => {
      await page.getByLabel('Phone').fill('12');
      await page.getByLabel('Gender').focus();
      await page.getByText('Enter a phone number').waitFor();
    },
  },
  {
    name: 'geography',
    path: '/geography?country=101&state=4026',
    ready: (page) => page.getByText('Afzalpur').waitFor(),
  },
  { name: 'sign-in', path: '/', ready: (page) => page.getByRole('button', { name: EMPLOYEE }).waitFor() },
  { name: 'people-phone', path: '/people', who: ADMIN, width: PHONE, ready: table },
  {
    name: 'profile-phone',
    path: '/profile',
    who: EMPLOYEE,
    width: PHONE,
    ready: (page) => page.getByLabel('Phone').fill('+91 98765 43210'),
  },
];

/** The amounts of the recording: what they approve automatically, one level, two levels, and more than anybody may. */
const AMOUNTS = ['8k', '25k', '60k', '3 lakh'];
const [FRAME_MS, MARGIN] = [2200, 16];

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const folder = positionals[0] ?? 'docs/console';
const missing = LANGUAGES.filter((language) => execFileSync('fc-list', [`:lang=${language}`]).length === 0);
if (missing.length > 0) throw new Error(`There is no font for ${missing.join(', ')}: see test/browser/screenshots.ts`);
mkdirSync(folder, { recursive: true });
await using service = await startService();
const browser = await startBrowser();
const { people } = await apiOf(service.address).ask<{ people: DemoPerson[] }>('/console/config', undefined);

async function opened({ path, who, width = WIDTH }: Pick<Shot, 'path' | 'who' | 'width'>): Promise<Page> {
  const { page } = await visit(browser, service.address, { width });
  await page.setViewportSize({ width, height: HEIGHT });
  const token = people.find(({ email }) => email === who)?.token;
  await page.goto(`${service.address}${path}${token === undefined ? '' : `#token=${token}`}`);
  return page;
}

/** Returns the part of a page that is drawn. */
async function clipOf(page: Page, { of, from, until }: Pick<Shot, 'of' | 'from' | 'until'>) {
  await page.evaluate(() => scrollTo(0, 0));
  const [box, first, last] = await Promise.all([of, from, until].map((part) => part?.(page).first().boundingBox()));
  if (!box) return {};
  if (first) Object.assign(box, { y: first.y - MARGIN });
  const margin = box.height < HEIGHT && !last ? MARGIN : 0;
  const height = last ? last.y + last.height + 2 - box.y : box.height + 2 * margin;
  return { clip: { x: box.x - margin, y: box.y - margin, width: box.width + 2 * margin, height }, fullPage: true };
}

for (const shot of SHOTS) {
  const page = await opened(shot);
  await shot.ready(page);
  await page.waitForLoadState('networkidle');
  const one = [[shot.width ?? WIDTH, shot.isDark ? 'dark' : 'light']] as const;
  const views = values.all
    ? [390, 834, 1440].flatMap((each) => (['light', 'dark'] as const).map((scheme) => [each, scheme] as const))
    : one;
  for (const [width, colorScheme] of views) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(300);
    const name = values.all ? `${shot.name}-${width}-${colorScheme}` : shot.name;
    const part = values.all ? { fullPage: true } : await clipOf(page, shot);
    await page.screenshot({ path: join(folder, `${name}.png`), ...part });
  }
  await page.context().close();
}
if (!values.all) await record();
await browser.close();

/** Draws the answer about one amount after the other, as an animation. */
async function record(): Promise<void> {
  const page = await opened(person);
  await openFirst(page);
  // The point is the answer of the policy that applies.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':has(+ [data-testid=other-policies]), [data-testid=other-policies] { display: none }');
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  });
  const frames = mkdtempSync(join(tmpdir(), 'orgdesk-frames-'));
  const files: string[] = [];
  let clip: Awaited<ReturnType<typeof clipOf>> = {};
  // The largest answer first: all frames have its size.
  await whoApproves(page, '60k');
  clip = await clipOf(page, person);
  for (const amount of AMOUNTS) {
    await whoApproves(page, amount);
    await page.waitForTimeout(300);
    const file = join(frames, `${amount}.png`);
    await page.screenshot({ path: file, ...clip });
    files.push(file);
  }
  const output = join(folder, 'evaluate.webp');
  execFileSync('img2webp', [
    '-loop',
    '0',
    '-lossy',
    '-q',
    '70',
    '-m',
    '6',
    '-d',
    String(FRAME_MS),
    ...files,
    '-o',
    output,
  ]);
  rmSync(frames, { recursive: true });
  await page.context().close();
}
