import assert from 'node:assert/strict';
import { it } from 'node:test';
import { apiOf } from './api.ts';
import { accessibilityFaults, assertBecomes } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, open, service } = await openConsole();
const { ask } = apiOf(address);
const { token, company } = bringCompany(service, 93, (field) => `Legal ${field}`);

it('an administrator adds, changes and removes tax registrations of a legal entity, each error is at its field, and the history names them', async () => {
  type Entity = { id: string; taxRegistrations: { type: string; number: string; default: boolean }[] };
  const stored = async () => {
    const [entity] = await ask<Entity[]>(`/api/legal-entities/list?companyId=${company}`, token);
    return entity?.taxRegistrations.map(({ type, number, default: isDefault }) => [type, number, isDefault]);
  };
  const before = await stored();
  assert.equal(before?.length, 1);
  const [kind, number] = before[0] ?? [];
  await open('/resources/legal-entities', token, async (page) => {
    const row = page.getByRole('row').filter({ hasText: String(number) });
    const form = page.getByRole('dialog');
    const rowOf = (at: number) => form.getByRole('group', { name: `Tax registration ${at}` });
    await row.getByRole('button', { name: /^Edit/ }).click();
    assert.equal(await rowOf(1).getByLabel('Number').inputValue(), number);
    await form.getByRole('button', { name: 'Add: Tax registration' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await rowOf(2).getByText('Number is required.').waitFor();
    await rowOf(2).getByLabel('Kind').selectOption('VAT');
    await rowOf(2).getByLabel('Country').fill('DE');
    await rowOf(2).getByLabel('Number').fill('DE 136 695 970');
    await form.getByRole('button', { name: 'Save' }).click();
    await rowOf(2).getByText('Number must be a VAT number of DE, with its check digits').waitFor();
    await rowOf(2).getByLabel('State').locator('option', { hasText: 'Bavaria' }).waitFor({ state: 'attached' });
    await rowOf(2).getByLabel('State').selectOption('Bavaria');
    await rowOf(2).getByLabel('By default').check();
    await assertBecomes(() => rowOf(1).getByLabel('By default').isChecked(), false);
    await rowOf(2).getByLabel('Number').fill('DE 136 695 976');
    assert.deepEqual(await accessibilityFaults(page), []);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText(/^Tax registrations .*Super Admin/).waitFor();
    await rowOf(1).getByLabel('By default').check();
    await assertBecomes(() => rowOf(2).getByLabel('By default').isChecked(), false);
    await form.getByRole('button', { name: 'Save' }).click();
    await row.getByText('VAT DE136695976').waitFor();
    await row.getByText(`${kind} ${number} Default`).waitFor();
    assert.deepEqual(await stored(), [
      [kind, number, true],
      ['VAT', 'DE136695976', false],
    ]);
    await row.getByRole('button', { name: /^Edit/ }).click();
    await form.getByRole('button', { name: 'Remove: Tax registration 2' }).click();
    await assertBecomes(
      () =>
        rowOf(1)
          .getByLabel('Kind')
          .evaluate((box) => box === document.activeElement),
      true,
    );
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    assert.deepEqual(await stored(), [[kind, number, true]]);
    await row.getByRole('button', { name: /^Edit/ }).click();
    await form.getByRole('link', { name: /^History/ }).click();
    await page.getByText('deleted the tax registration DE136695976').waitFor();
    await page.getByText('added the tax registration DE136695976').waitFor();
  });
});
