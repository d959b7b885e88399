import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommandLine, type Service, type Settings } from '../support/command-line.ts';
import { makeDataFolder } from '../support/data-folders.ts';
import { killAmidUpdates, makeWriters } from '../support/killed-service.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { databaseUrl, makePostgresTemplates } from '../support/templates.ts';
import { waitUntil } from '../support/wait-until.ts';
import { rounded, tryOften } from './try-often.ts';

/** Milliseconds from the start of the process. */
const READY_LIMIT = 5_000;

/** `kill -9` in the middle of updates by four people, on the embedded database and on a server. */
export async function tryKillFaults(rounds: number): Promise<string[]> {
  await using commandLine = buildCommandLine();
  const settings = { DATA_DIR: await makeDataFolder(join(commandLine.folder, 'data'), 'demo'), LOG_LEVEL: 'warn' };
  await using server = await startPostgresServer();
  await using templates = await makePostgresTemplates(server.url);
  const url = databaseUrl(server.url, `${templates.prefix}_demo`);

  async function tryKills(name: string, own: Settings): Promise<string> {
    let service: Service = await commandLine.serve(own);
    await compressedLists(own.DATA_DIR ?? '');
    const writers = await makeWriters(commandLine, own);
    const times: number[] = [];
    const row = await tryOften(name, rounds, async () => {
      const round = await killAmidUpdates(commandLine, own, service, writers);
      service = round.service;
      times.push(round.readyAfter);
      assert.ok(round.readyAfter < READY_LIMIT, `It was ready after ${rounded(round.readyAfter)}.`);
      const answered = writers.reduce((sum, writer) => sum + writer.answered, 0);
      return `${answered} updates answered in all, none lost; ready after ${rounded(Math.max(...times))} at the most`;
    });
    await service.kill('SIGTERM');
    return row;
  }
  return [
    await tryKills('kill -9 amid updates, embedded database', settings),
    await tryKills('kill -9 amid updates, server', { ...settings, DATABASE_URL: url }),
  ];
}

/** Waits until the compressed lists are there, which the first start makes in the background. */
export async function compressedLists(dataDir: string): Promise<void> {
  const folder = join(dataDir, 'geography');
  const areThere = () =>
    existsSync(folder) && readdirSync(folder).filter((name) => /\.(br|gzip)$/.test(name)).length === 6;
  await waitUntil('the lists', areThere);
}
