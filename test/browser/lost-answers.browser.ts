import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { apiOf } from './api.ts';
import { assertBecomes, intercept } from './browser.ts';
import { openConsole } from './console.ts';
import { bringCompany } from './own-company.ts';

const { address, service, open } = await openConsole();
const { answerTo } = apiOf(address);
const { company, token } = bringCompany(service, 61, (field) => `Lost ${field}`);

type Form = ReturnType<Page['getByRole']>;

/** What is added: where, by which button, and with which fields. */
const FORMS: readonly (readonly [page: string, api: string, button: string, fill: (form: Form) => Promise<void>])[] = [
  [
    'policies',
    'approval-policies',
    'Add an approval policy',
    async (form) => {
      await form.getByLabel('Name').fill('Once');
      await form.getByLabel('Priority').fill('7');
    },
  ],
  [
    'departments',
    'departments',
    'Add a department',
    async (form) => {
      await form.getByLabel('Department').fill('Once');
      await form.getByLabel('Cost code').fill('ONCE');
    },
  ],
  [
    'bands',
    'bands',
    'Add a band',
    async (form) => {
      await form.getByLabel('Band').fill('Once');
      await form.getByLabel('Code').fill('ONCE');
    },
  ],
  [
    'people',
    'users',
    'Add a person',
    async (form) => {
      await form.getByLabel('First name').fill('Once');
      await form.getByLabel('E-mail').fill('once@own-61.example');
    },
  ],
  [
    'keys',
    'api-keys',
    'Create API key',
    async (form) => {
      await form.getByLabel('Name').fill('Once');
      await form.getByRole('checkbox', { name: 'Read people' }).press('Space');
    },
  ],
  ['webhooks', 'webhooks', 'Add a webhook', (form) => form.getByLabel('URL').fill('https://8.8.8.8/once')],
];

describe('what is added by an attempt whose answer is lost, and by another one, is there once', () => {
  for (const [path, api, button, fill] of FORMS) {
    it(`repeating an addition on the page ${path} after a lost answer adds nothing`, () =>
      open(`/${path}?companyId=${company}`, token, async (page) => {
        const total = async () =>
          (await answerTo(`/api/${api}/list?companyId=${company}`, token)).pagination?.totalItems ?? assert.fail(api);
        const before = await total();
        await intercept(
          page,
          `**/api/${api}/create`,
          async (route) => {
            await route.fetch();
            await route.abort();
          },
          1,
        );
        await page.getByRole('button', { name: button }).click();
        const form = page.getByRole('dialog');
        await fill(form);
        await form.getByRole('button', { name: button }).click();
        await form.getByText('Can’t reach the service.').waitFor();
        assert.equal(await total(), before + 1);
        await form.getByRole('button', { name: button }).click();
        await assertBecomes(() => page.getByText('Can’t reach the service.').count(), 0);
        // A secret that is shown once is shown after the second attempt, too.
        if (['keys', 'webhooks'].includes(path)) await form.getByRole('button', { name: 'Done' }).click();
        await form.waitFor({ state: 'detached' });
        assert.equal(await total(), before + 1);
      }));
  }
});
