import { heading, openConsole } from './console.ts';
import { confirm, type Day, dialogOf, go, itLivesTheDays, press, send, table } from './days.ts';
import { bringCompany } from './own-company.ts';

const ADMIN: Day['day'] = async (page, { look, name }) => {
  const email = `${name.replaceAll(' ', '.').toLowerCase()}@own-4.example`;
  const form = dialogOf(page);
  await table(page);
  await look('people');
  await press(page, 'Add a person');
  await look('a person that is added');
  await form.getByLabel('First name').fill('Nila');
  await form.getByLabel('Last name').fill(name);
  await form.getByLabel('E-mail').fill(email);
  await form.getByRole('button', { name: 'Add a person' }).click();
  await heading(page, `Nila ${name}`);
  await look('a person');
  await page.getByRole('switch', { name: 'Manager' }).press('Space');
  await page.getByText('Manager role added.').waitFor();
  await press(page, /^Edit/);
  await look('a person that is changed');
  await form.getByLabel('Approval limit').fill('1.5 lakh');
  await send(page, 'Save');
  await confirm(page, 'Deactivate');
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  await look('somebody who is deactivated');
  await page.getByRole('navigation', { name: 'Pages above this one' }).getByRole('link', { name: 'People' }).click();
  await page.getByRole('link', { name: 'Import people' }).click();
  await page.getByLabel(/^Or paste/).fill(`E-mail\tFirst name\tLast name\nnone\tA\tB\n${email}\tNila\tRenamed`);
  await page.getByText('0 new, 1 to update, 0 unchanged, 1 to fix.').waitFor();
  await look('people that are imported');
  await go(page, 'Departments');
  await press(page, 'Add a department');
  await form.getByLabel('Department').fill(name);
  await form.getByLabel('Cost code').fill(name);
  await form.getByLabel('Budget').fill('2 crore');
  await look('a department that is added');
  await send(page, 'Add a department');
  await look('departments');
  await confirm(page, 'Delete', name);
  await go(page, 'Bands');
  await press(page, /^Edit/);
  await look('a band that is changed');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await go(page, 'Approval policies');
  await press(page, 'Add an approval policy');
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Add a level' }).click();
  await form.getByLabel('Level 1: from').fill('50k');
  await look('a policy that is added');
  await form.getByRole('button', { name: 'Add an approval policy' }).click();
  await heading(page, name);
  await look('a policy');
  await confirm(page, 'Delete');
  await go(page, 'API keys');
  await press(page, 'Create API key');
  await form.getByLabel('Name').fill(name);
  await form.getByLabel('Read people').check({ force: true });
  await form.getByRole('button', { name: 'Create API key' }).click();
  await form.locator('code').waitFor();
  await look('a key that is made');
  await send(page, 'Done');
  await confirm(page, 'Revoke', name);
  await look('keys');
  await go(page, 'Webhooks');
  await press(page, 'Add a webhook');
  await form.getByLabel('URL').fill('https://8.8.8.8/days');
  await look('a webhook that is added');
  await form.getByRole('button', { name: 'Add a webhook' }).click();
  await form.getByRole('button', { name: 'Done' }).click();
  await heading(page, 'https://8.8.8.8/days');
  await look('a webhook');
  await confirm(page, 'Delete');
  await go(page, 'Company');
  await press(page, /^Edit/);
  await look('a company that is changed');
  await form.getByLabel('E-mail of the company').fill(email);
  await send(page, 'Save');
  await page.getByText(email).waitFor();
  await look('company');
};

const SUPER_ADMIN: Day['day'] = async (page, { look, name }) => {
  const form = dialogOf(page);
  const short = name.replaceAll(' ', '-').toUpperCase();
  await table(page);
  await press(page, 'Add a company');
  await form.getByRole('textbox', { name: 'Company', exact: true }).fill(name);
  await form.getByLabel('Legal name').fill(`${name} Limited`);
  await form.getByLabel('GSTIN').fill(short);
  await form.getByLabel('E-mail of the company').fill(`office@${short.toLowerCase()}.example`);
  await form
    .getByRole('group', { name: 'First admin' })
    .getByLabel('E-mail')
    .fill(`first@${short.toLowerCase()}.example`);
  await form.getByLabel('First name').fill('Meera');
  await form.getByLabel('Last name').fill('Joshi');
  await look('a company that is added');
  await form.getByRole('button', { name: 'Add a company' }).click();
  await heading(page, name);
  await look('a company');
  await page
    .getByRole('main')
    .getByRole('link', { name: /^People: / })
    .click();
  await page.getByRole('link', { name: 'Meera Joshi' }).click();
  await heading(page, 'Meera Joshi');
  await look('its first admin');
  await page.goBack();
  await page.goBack();
  await confirm(page, 'Close the company');
  await page.getByRole('button', { name: 'Reopen' }).waitFor();
  await look('a company that is closed');
  for (const list of ['API keys', 'Webhooks']) {
    await go(page, list);
    await heading(page, list);
    await page.getByText(/of all companies, and those/).waitFor();
    await look(list);
  }
  await go(page, 'History');
  await table(page);
  await look('history');
};

const console = await openConsole();
const { token } = bringCompany(console.service, 4, (field) => `The ${field}`);
itLivesTheDays(console, [
  { role: 'a Corporate Admin', path: '/people', who: token, day: ADMIN },
  { role: 'a Super Admin', path: '/companies', who: 'super.admin@orgdesk.example', day: SUPER_ADMIN },
]);
