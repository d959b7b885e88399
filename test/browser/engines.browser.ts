import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { apiOf } from './api.ts';
import { openConsole } from './console.ts';
import { ENGINES, type Engine } from './engines.ts';
import { bringCompany } from './own-company.ts';

const { address, service, tokenOf } = await openConsole();
const { ask } = apiOf(address);
const [ADMIN, STAFF] = [tokenOf('admin@acme.example'), tokenOf('super.admin@orgdesk.example')];
const { company, user, token: OWN } = bringCompany(service, 62, (field) => `The ${field}`);
const own = { companyId: company };
await ask('/api/api-keys/create', OWN, { ...own, name: 'Payroll', scopes: ['users.read'] });
const webhook = await ask<{ id: string }>('/api/webhooks/create', OWN, { ...own, url: 'https://8.8.8.8/engines' });
const [entry] = await ask<{ id: string }[]>(`/api/audit/list?companyId=${company}&group=request`, OWN);
/** The address of a page that opens a dialog of its own. */
const withDialog = (page: string, title: string) => `/${page}?${new URLSearchParams({ ...own, open: title })}`;

/** Every page of the console, with who opens it and its heading, or that of its dialog. */
const PAGES = [
  ['/overview', ADMIN, 'Overview'],
  ['/profile', ADMIN, 'Profile'],
  ['/people', ADMIN, 'People'],
  ['/people/chart', ADMIN, 'Organisation chart'],
  ['/people/import', ADMIN, 'Import people'],
  ['/people/mails', ADMIN, 'Mails'],
  ['/people/moves', ADMIN, 'Moves between companies'],
  ['/departments', ADMIN, 'Departments'],
  ['/departments/tree', ADMIN, 'Department tree'],
  ['/departments/bookings', ADMIN, 'Bookings'],
  ['/bands', ADMIN, 'Bands'],
  ['/policies', ADMIN, 'Approval policies'],
  ['/history', ADMIN, 'History'],
  ['/keys', ADMIN, 'API keys'],
  ['/keys/directories', ADMIN, 'Directories and groups'],
  ['/webhooks', ADMIN, 'Webhooks'],
  ['/geography', ADMIN, 'Geography'],
  ['/companies', STAFF, 'Companies'],
  ['/overview', STAFF, 'Overview'],
  ['/keys/connections', STAFF, 'Sign-in connections'],
  [`/people/${user}`, OWN, 'The first The last'],
  [`/companies/${company}`, STAFF, 'The company'],
  ['/policies/policy-62?amount=5', OWN, 'The policy'],
  [`/webhooks/${webhook.id}`, OWN, 'https://8.8.8.8/engines'],
  [`/history?requestId=${entry?.id}`, OWN, 'History'],
  ['/history?entity=apiKey', OWN, 'History'],
  [withDialog('departments', 'Edit: \u2068The department\u2069'), OWN, 'Edit: \u2068The department\u2069'],
  [withDialog('bands', 'Edit: \u2068The band\u2069'), OWN, 'Edit: \u2068The band\u2069'],
  [withDialog('keys', 'Create API key'), OWN, 'Create API key'],
] as const;

const HEADING = `(document.querySelector('[role=dialog] h2') ?? document.querySelector('h1'))?.textContent ?? ''`;
const STATE = `[document.querySelector('[aria-busy=true]') ? 'busy' : '', ${HEADING}].join('')`;
const SHOWN = `document.body.innerText`;

/** Opens a page anew with a token. */
async function opened(engine: Engine, [path, who, heading]: (typeof PAGES)[number]): Promise<void> {
  await engine.open('about:blank');
  await engine.open(`${address}${path}#token=${who}`);
  await waitUntil(`${path} to show its content`, async () => (await engine.evaluate(STATE)) === heading).catch(
    async (error) => assert.fail(`${error}\n${path} showed ${await engine.evaluate(SHOWN)}`),
  );
  const shown = await engine.evaluate(SHOWN);
  assert.doesNotMatch(shown, /could not be loaded|went wrong|internet connection/, `${path} showed ${shown}`);
}

/** Opens every page, and a page at which the browser hangs once more in another: only one that hangs both is to blame. */
async function openedAll(start: () => Promise<Engine>): Promise<void> {
  let engine = await start();
  try {
    for (const page of PAGES) {
      try {
        await opened(engine, page);
      } catch (error) {
        if ((error as Error).name !== 'TimeoutError') throw error;
        await engine[Symbol.asyncDispose]();
        engine = await start();
        await opened(engine, page).catch((again) => assert.fail(`${page[0]}: ${again}`));
      }
    }
  } finally {
    await engine[Symbol.asyncDispose]();
  }
}

describe('each page is opened', () => {
  for (const { name, packages, isInstalled, start } of ENGINES) {
    const missing = `There is no ${name}. On Debian, as root: apt-get install -y --no-install-recommends ${packages}.`;
    const isNeeded = process.env.CONSOLE_ENGINES === 'all';
    it(`${name} opens every page of the console`, { skip: !isInstalled() && !isNeeded && missing }, async () => {
      assert.ok(isInstalled(), missing);
      await openedAll(start);
    });
  }
});
