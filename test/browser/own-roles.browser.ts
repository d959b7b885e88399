import { it } from 'node:test';
import { heading, openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { open, service } = await openConsole();
const { token: ADMIN, user } = bringCompany(service, 91, (field) => `Roles ${field}`);

it('an administrator makes a role of the company’s own, and grants and takes it on the page of a person', async () => {
  await open('/resources/roles', ADMIN, async (page) => {
    await page.getByRole('button', { name: /^Add: / }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Key').fill('TRAVEL_DESK');
    await form.getByLabel(/^Name(?: \*)?$/).fill('Travel desk');
    await form.getByRole('button', { name: /^Add: / }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByText('TRAVEL_DESK').first().waitFor();
  });
  await open(`/people/${user}`, ADMIN, async (page) => {
    await heading(page, 'Roles first Roles last');
    const held = page.getByRole('region', { name: 'Own roles of the company' });
    const box = held.getByLabel('Travel desk');
    await box.click({ force: true });
    await page.getByText('Travel desk role added.').waitFor();
    await held.getByRole('switch', { name: 'Travel desk', checked: true }).waitFor();
    await box.click({ force: true });
    await page.getByText('Travel desk role removed.').waitFor();
    await held.getByRole('switch', { name: 'Travel desk', checked: false }).waitFor();
  });
});
