import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../browser/service.ts';
import { npm } from '../node/installed-program.ts';
import { freePort } from '../support/free-port.ts';
import { tryBot } from './approval-bot.ts';
import { tryExpress } from './express.ts';
import { tryFastapi } from './fastapi.ts';
import { tryNightly } from './nightly-hr.ts';
import { clientsOf, EXAMPLES } from './programs.ts';
import { tryWarehouse } from './warehouse.ts';

/*
 * Runs each program of examples/ on the built service with its embedded database, and looks whether it does what it is for. Compose files
 * and the chart are checked by `npm run long -- deploy`. Ends with 1 if one does not hold.
 */
if (!existsSync(join(EXAMPLES, 'node_modules/express'))) {
  await npm(process.execPath, ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], EXAMPLES);
}
{
  await using service = await startService();
  const clients = await clientsOf(service.address);
  await tryNightly(clients);
  await tryBot(clients);
  await tryWarehouse(clients);
  await tryFastapi(clients);
}
const port = await freePort();
const keys = { JWKS_URL: `http://127.0.0.1:${port}/keys.json`, TOKEN_ALGORITHM: 'ES256' };
await using service = await startService({ ...keys, TOKEN_ISSUER: 'product', TOKEN_AUDIENCE: 'orgdesk' });
await tryExpress(service.address, port);
