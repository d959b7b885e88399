import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { PROFILE_ROW } from '../../test/support/profile-row.ts';
import { makeToken, secretMaker } from '../../test/support/token-makers.ts';
import { startServer } from '../support/child-server.ts';
import { requestBytes } from '../support/load.ts';
import { measureInTurn, mediansOf } from '../support/measure.ts';
import { machineInWords } from '../support/medians.ts';

/*
 * What metrics and traces cost a request: the service without a database and with a few places, three times, each on one processor under the
 * same load in turn. `npm run bench -- observability`
 */
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, milliseconds: { type: 'string', default: '400' } },
});
const load = { rounds: Number(values.rounds), milliseconds: Number(values.milliseconds) };

const maker = secretMaker();
const token = makeToken(maker, maker.header, { ...maker.claims, sub: PROFILE_ROW.userId });
const CASES = {
  'a page that is ready': requestBytes('GET', '/api/countries/list?isPaginationNeeded=true'),
  'the same by POST': requestBytes('POST', '/api/countries/list', { body: '{"isPaginationNeeded":true}' }),
  'a profile': requestBytes('GET', '/api/users/profile', { headers: { authorization: `Bearer ${token}` } }),
};

const script = fileURLToPath(new URL('server.ts', import.meta.url));
/** A collector that throws all spans away. */
const collector = createServer((request, response) => {
  request.resume().on('end', () => response.end('{}'));
}).listen(0, '127.0.0.1');
await once(collector, 'listening');
const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
const start = (what: string) => startServer(what, ['--import', 'tsx', script, what, url]);
await using plain = await start('nothing');
await using measured = await start('metrics');
await using traced = await start('traces');
process.stdout.write(
  `${machineInWords()}\nmicroseconds of processor time a request: without, with metrics, with traces\n`,
);
for (const [name, request] of Object.entries(CASES)) {
  const results = await measureInTurn(() => request, [plain, measured, traced], load);
  const spent = results.map((rounds) => mediansOf(rounds).processorMicroseconds.toFixed(1));
  process.stdout.write(`${name}: ${spent.join(', ')}\n`);
}
collector.close();
collector.closeAllConnections();
