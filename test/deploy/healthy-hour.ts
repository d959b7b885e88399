import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildCommandLine, type Settings } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { parseScrape } from '../support/scrape.ts';

/** Scrapes, each of which stands for one that comes a minute after the one before. */
const SCRAPES = 61;
const REQUESTS_A_SCRAPE = 10;
const LABELS = 'job="orgdesk",instance="a"';

/**
 * Runs the service on the embedded database and on a server, sends it what its users send, and has promtool walk an hour of its metrics.
 *
 * @param alarms the names of all alarms
 * @throws where one fires, or promtool finds fault with a metric
 */
export async function checkHealthyHour(promtool: string, rules: string, alarms: readonly string[], folder: string) {
  await using server = await startPostgresServer();
  await using commandLine = buildCommandLine();
  const databases: Record<string, Settings> = {
    embedded: { DATA_DIR: join(commandLine.folder, 'data') },
    server: { DATA_DIR: join(commandLine.folder, 'keys'), DATABASE_URL: server.url, DEMO_DATA: 'true' },
  };
  for (const [name, database] of Object.entries(databases)) {
    const settings = { ...database, METRICS_PORT: String(await freePort()), LOG_LEVEL: 'warn' };
    await using service = await commandLine.serve(settings);
    const token = await commandLine.run(['token', 'employee@acme.example'], settings);
    assert.equal(token.code, 0, token.stderr);
    const series = await recordMetrics(service.address, Number(settings.METRICS_PORT), token.stdout.trim());
    assert.ok(series.size > 100);
    const scraped = await fetch(`http://127.0.0.1:${settings.METRICS_PORT}/metrics`);
    execFileSync(promtool, ['check', 'metrics'], { input: await scraped.text() });
    const file = join(folder, `healthy-${name}.json`);
    writeFileSync(file, JSON.stringify(alarmTest(rules, alarms, series)));
    execFileSync(promtool, ['test', 'rules', file]);
  }
}

/** Returns the values of each series that is there at every scrape. */
async function recordMetrics(address: string, metricsPort: number, token: string): Promise<Map<string, number[]>> {
  const series = new Map<string, number[]>();
  for (let scrape = 0; scrape < SCRAPES; scrape++) {
    for (let request = 0; request < REQUESTS_A_SCRAPE; request++) {
      const search = String.fromCharCode(97 + ((scrape + request) % 26));
      await send(`${address}/api/cities/list?search=${search}&isPaginationNeeded=true`, 200);
      await send(`${address}/api/users/profile`, 200, { authorization: `Bearer ${token}` });
    }
    await send(`${address}/api/users/profile`, 401);
    await send(`${address}/api/nothing`, 404);
    await send(`${address}/readyz`, 200);
    const scraped = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    for (const [name, value] of parseScrape(await scraped.text()).figures) {
      series.set(name, [...(series.get(name) ?? []), value]);
    }
  }
  return new Map([...series].filter(([, values]) => values.length === SCRAPES && values.every(Number.isFinite)));
}

async function send(url: string, status: number, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  assert.equal(response.status, status, url);
}

/** Returns a test for promtool, in JSON, which is YAML too: no alarm fires at any minute. */
function alarmTest(rules: string, alarms: readonly string[], series: ReadonlyMap<string, readonly number[]>): object {
  const labelled = (name: string) => (name.endsWith('}') ? `${name.slice(0, -1)},${LABELS}}` : `${name}{${LABELS}}`);
  const minutes = Array.from({ length: SCRAPES }, (_, minute) => `${minute}m`);
  return {
    rule_files: [resolve(rules)],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: [
          { series: `up{${LABELS}}`, values: `1x${SCRAPES - 1}` },
          ...[...series].map(([name, values]) => ({ series: labelled(name), values: values.join(' ') })),
        ],
        alert_rule_test: alarms.flatMap((alertname) =>
          minutes.map((eval_time) => ({ eval_time, alertname, exp_alerts: [] })),
        ),
      },
    ],
  };
}
