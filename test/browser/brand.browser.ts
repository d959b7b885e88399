import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { lookAt, startBrowser, visit } from './browser.ts';
import { heading } from './console.ts';
import { startService } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'orgdesk-brand-'));
const logo = join(folder, 'logo.svg');
writeFileSync(
  logo,
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
);
const service = await startService({
  BRAND_NAME: 'Acme Travel',
  BRAND_LOGO: logo,
  BRAND_COLOR: '#7a1f4e',
  BRAND_SUPPORT: 'help@acme.example',
  BRAND_TEXT: 'Welcome to the trips of Acme.',
});
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

it('a product with a name, a logo and a colour shows them on its pages, and the name of the software only in its About', async () => {
  await lookAt(await visit(browser, service.address), async (page) => {
    await page.goto(service.address);
    await heading(page, 'Sign in');
    assert.equal(await page.title(), 'Sign in · Acme Travel');
    await page.getByText('Welcome to the trips of Acme.').waitFor();
    await page.getByRole('button', { name: 'employee@acme.example' }).click();
    await heading(page, 'Profile');
    assert.equal(await page.title(), 'Profile · Acme Travel');
    assert.match((await page.locator('link[rel="icon"]').getAttribute('href')) ?? '', /\/brand\/logo\.svg$/);
    const image = page.locator('header img');
    assert.equal(await image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), 9);
    const name = page.getByRole('link', { name: 'Acme Travel' });
    assert.equal(await name.evaluate((link) => getComputedStyle(link).color), 'rgb(92, 23, 59)');
    assert.equal(await page.getByRole('link', { name: 'Help' }).getAttribute('href'), 'mailto:help@acme.example');
    // The addresses of the demo are its own.
    assert.doesNotMatch(await page.locator('body').innerText(), /orgdesk(?!\.example)/);
    await page.getByText('About', { exact: true }).click();
    await page.getByText(/^Runs on orgdesk .* Apache License 2\.0\.$/).waitFor();
  });
});

it('an administrator gives their company a name and a logo, which its people see once they have signed in', async () => {
  await lookAt(await visit(browser, service.address), async (page) => {
    await page.goto(service.address);
    await page.getByRole('button', { name: 'admin@acme.example' }).click();
    await heading(page, 'Overview');
    await page.getByRole('link', { name: 'Company', exact: true }).click();
    await page.getByRole('button', { name: /^Edit/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the product').fill('Acme Trips');
    await dialog.locator('input[type="file"]').setInputFiles(logo);
    await dialog.getByLabel('Text below the pages').fill('Ask the travel desk first.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await heading(page, 'Acme');
    await page.getByRole('link', { name: 'Acme Trips' }).waitFor();
    await page.getByText('Ask the travel desk first.').waitFor();
    assert.match((await page.locator('header img').getAttribute('src')) ?? '', /^data:image\/svg\+xml;base64,/);
    assert.match(await page.title(), / · Acme Trips$/);
  });
});
