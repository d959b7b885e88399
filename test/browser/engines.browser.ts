import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../support/wait-until.ts';
import { openConsole } from './console.ts';
import { ENGINES, type Engine } from './engines.ts';

const { address, tokenOf } = await openConsole();
const ADMIN = 'admin@acme.example';
const STAFF = 'super.admin@orgdesk.example';

/** Every page of the console, with who opens it and its heading. */
const PAGES = [
  ['/overview', ADMIN, 'Overview'],
  ['/profile', ADMIN, 'Profile'],
  ['/people', ADMIN, 'People'],
  ['/people/chart', ADMIN, 'Organisation chart'],
  ['/people/import', ADMIN, 'Import people'],
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
] as const;

const HEADING = `document.querySelector('h1')?.textContent ?? ''`;
const STATE = `[document.querySelector('[aria-busy=true]') ? 'busy' : '', ${HEADING}].join('')`;
const SHOWN = `document.body.innerText`;

/** Opens a page anew with a token. */
async function opened(engine: Engine, path: string, who: string, heading: string): Promise<void> {
  await engine.open('about:blank');
  await engine.open(`${address}${path}#token=${tokenOf(who)}`);
  const fail = async () => `${path} showed ${await engine.evaluate(SHOWN)}`;
  await waitUntil(`${path} to show its content`, async () => (await engine.evaluate(STATE)) === heading).catch(
    async (error) => assert.fail(`${error}\n${await fail()}`),
  );
  assert.doesNotMatch(await engine.evaluate(SHOWN), /could not be loaded|went wrong|internet connection/, await fail());
}

describe('each page is opened', () => {
  for (const { name, packages, isInstalled, start } of ENGINES) {
    const missing = `There is no ${name}. On Debian, as root: apt-get install -y --no-install-recommends ${packages}.`;
    const isNeeded = process.env.CONSOLE_ENGINES === 'all';
    it(`by ${name}`, { skip: !isInstalled() && !isNeeded && missing }, async () => {
      assert.ok(isInstalled(), missing);
      await using engine = await start();
      for (const [path, who, heading] of PAGES) await opened(engine, path, who, heading);
    });
  }
});
