import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import sql, { raw } from 'sql-template-tag';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrator.ts';
import { openPostgresDatabase } from '../../src/db/postgres/postgres-database.ts';
import { SERVER_SETTINGS, startPostgresServer } from '../../test/support/postgres-server.ts';
import { databaseUrl } from '../../test/support/templates.ts';
import { loadPeople } from '../data/load-people.ts';
import { machineInWords, markdownTable, median } from '../support/medians.ts';
import { headingOf, recordSection } from '../support/record-section.ts';
import { type Design, ROWS_ADDED, SLOTTED, WITHOUT } from './designs.ts';
import { bookingsToCopy, checkCounts, copyBookings, readPages, writeSingly } from './workloads.ts';

/*
 * What it costs that the database keeps the counts of the companies list, and what the list costs then: the design in use
 * next to another one, and next to no counts.
 */
const { values } = parseArgs({
  options: {
    copied: { type: 'string', default: '1000000' },
    listed: { type: 'string', default: '2000000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
const [copied, listed, rounds] = [Number(values.copied), Number(values.listed), Number(values.rounds)];
const [FEW, COMPANIES, USERS] = [10_000, 10_000, 20_000];
const [WRITERS, MILLISECONDS, PAGES] = [8, 2000, 200];
const DESIGNS = [WITHOUT, ROWS_ADDED, SLOTTED];
const GOALS = { single: 0.7, copy: 1.5, page: 1.3 };

await using server = await startPostgresServer(SERVER_SETTINGS);
await using administration = openPostgresDatabase({ url: server.url, maxConnections: 1 });
let rows: string[][] = [];
/** What is measured, and the rows of bookings that it needs. */
const PARTS: Readonly<Record<string, { databases: Readonly<Record<string, number>>; compare: () => Promise<void> }>> = {
  writers: { databases: { empty: 0 }, compare: compareAllWriters },
  copies: { databases: { empty: 0 }, compare: compareCopies },
  pages: { databases: { few: FEW, many: listed }, compare: comparePages },
};
const RESULTS = {
  path: fileURLToPath(new URL('../results/counts.md', import.meta.url)),
  head: headOfReport(),
  parts: Object.keys(PARTS),
};
const made = new Set<string>();
for (const [part, { databases, compare }] of Object.entries(PARTS)) {
  if (!part.includes(values.only)) continue;
  for (const [name, bookings] of Object.entries(databases)) if (!made.has(name)) await newDatabase(name, bookings);
  rows = [];
  await compare();
  report(part);
}

async function newDatabase(name: string, bookings: number): Promise<void> {
  made.add(name);
  say(`${name}: ${bookings} bookings …`);
  await administration.query(sql`create database ${raw(name)}`);
  await using db = openPostgresDatabase({ url: databaseUrl(server.url, name), maxConnections: 1 });
  await migrate(db);
  await loadPeople(db, { companies: COMPANIES, users: USERS, roles: 0, bookings });
  await db.query(sql`vacuum analyze`);
}

/** A copy of a database that keeps its counts in this way. */
async function cloneFor(design: Design, template: string, use: string): Promise<string> {
  const name = `${template}_${use}_${DESIGNS.indexOf(design)}`;
  await administration.query(sql`create database ${raw(name)} template ${raw(template)} strategy file_copy`);
  const url = databaseUrl(server.url, name);
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  await db.transaction((transaction) => transaction.run(design.script));
  await db.query(sql`vacuum analyze`);
  return url;
}

/** Each design in each round, in an order that turns; the first round is not counted. */
async function alternately(urls: readonly string[], measure: (url: string) => Promise<number>): Promise<number[][]> {
  const measured = urls.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (let place = 0; place < urls.length; place++) {
      const which = (place + round) % urls.length;
      const figure = await measure(urls[which] ?? '');
      if (round > 0) measured[which]?.push(figure);
    }
    say(`  round ${round}: ${measured.map((figures) => figures.at(-1)?.toFixed(2) ?? '–').join(', ')}`);
  }
  return measured;
}

async function compareAllWriters(): Promise<void> {
  await compareWriters('safe at each commit', 'on');
  await compareWriters('commits that nobody waits for', 'off');
}

async function compareWriters(how: string, synchronousCommit: 'on' | 'off'): Promise<void> {
  say(`single bookings, ${how} …`);
  const urls = await Promise.all(DESIGNS.map((design) => cloneFor(design, 'empty', `commit_${synchronousCommit}`)));
  for (const url of urls) {
    const name = raw(new URL(url).pathname.slice(1));
    await administration.query(sql`alter database ${name} set synchronous_commit = ${raw(synchronousCommit)}`);
  }
  const before = await Promise.all(urls.slice(1).map((url) => withDatabase(url, (db) => readPages(db, PAGES))));
  const [without = [], ...others] = await alternately(urls, (url) => writeSingly(url, WRITERS, MILLISECONDS));
  const what = `single bookings of one company by ${WRITERS} writers, ${how}`;
  rows.push([what, WITHOUT.name, `${median(without).toFixed(0)}/s`, '', '', '']);
  for (const [index, figures] of others.entries()) {
    const design = DESIGNS[index + 1] ?? WITHOUT;
    const ratio = ratioOf(figures, without);
    const cells = [what, design.name, `${median(figures).toFixed(0)}/s`];
    // The goal is for a server as it comes.
    const judged = synchronousCommit === 'on' ? design : undefined;
    rows.push(row(cells, ratio, judged, ratio >= GOALS.single, '≥ 0.7'));
    await withDatabase(urls[index + 1] ?? '', async (db) => {
      await checkCounts(db);
      const after = await readPages(db, PAGES);
      rows.push(row(['the page with that company, after them', design.name, ms(after)], after / (before[index] ?? 0)));
    });
  }
}

async function compareCopies(): Promise<void> {
  say(`${copied} bookings by COPY …`);
  const data = bookingsToCopy({ companies: COMPANIES, users: USERS, bookings: copied });
  const urls = await Promise.all(DESIGNS.map((design) => cloneFor(design, 'empty', 'copies')));
  const [without = [], ...others] = await alternately(urls, (url) => withDatabase(url, (db) => copyBookings(db, data)));
  const what = `${copied} bookings by COPY`;
  rows.push([what, WITHOUT.name, ms(median(without)), '', '', '']);
  for (const [index, figures] of others.entries()) {
    const design = DESIGNS[index + 1] ?? WITHOUT;
    const ratio = ratioOf(figures, without);
    rows.push(row([what, design.name, ms(median(figures))], ratio, design, ratio <= GOALS.copy, '≤ 1.5'));
    await withDatabase(urls[index + 1] ?? '', checkCounts);
  }
}

async function comparePages(): Promise<void> {
  for (const design of DESIGNS.slice(1)) {
    say(`pages, ${design.name} …`);
    const urls = [await cloneFor(design, 'few', 'pages'), await cloneFor(design, 'many', 'pages')];
    const [few = [], many = []] = await alternately(urls, (url) => withDatabase(url, (db) => readPages(db, PAGES)));
    const ratio = ratioOf(many, few);
    rows.push([`page of 10, p50, at ${FEW} bookings`, design.name, ms(median(few)), '', '', '']);
    const what = `page of 10, p50, at ${listed} bookings`;
    rows.push(row([what, design.name, ms(median(many))], ratio, design, ratio <= GOALS.page, '≤ 1.3'));
  }
}

/** The goals are those of the design in use. */
function row(cells: string[], ratio: number, design?: Design, met = false, goal = ''): string[] {
  const judged = design === ROWS_ADDED ? [goal, met ? 'yes' : 'no'] : ['', ''];
  return [...cells, ratio.toFixed(2), ...judged];
}

/** The median of the ratios within one round. */
function ratioOf(figures: readonly number[], base: readonly number[]): number {
  return median(figures.map((figure, round) => figure / (base[round] ?? Number.NaN)));
}

async function withDatabase<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  await using db = openPostgresDatabase({ url, maxConnections: 1 });
  return await work(db);
}

function headOfReport(): string {
  return [
    '# The counts of the companies list, kept by the database',
    '',
    `A PostgreSQL server as it comes, ${COMPANIES} companies of different sizes, ${USERS} users. The writers write for ${MILLISECONDS} ms a`,
    'round, each on a connection of its own, each booking in a transaction of its own; COPY goes into an empty table with its keys and',
    'indexes. A ratio is that to the same without counts, of a page that to the page before; the median of the ratios within',
    'one round. Figures are medians of the rounds, in which the designs take turns at going first.',
  ].join('\n');
}

/** Judges a part, and writes it down where that is wanted. */
function report(part: string): void {
  if (rows.some((row) => row.at(-1) === 'no')) process.exitCode = 1;
  const sizes = `--copied ${copied} --listed ${listed} --rounds ${rounds}`;
  const text = [
    headingOf(part),
    '',
    `Command: \`npm run bench -- counts --only ${part} ${sizes} --record\`. Machine: ${machineInWords()}.`,
    '',
    markdownTable(['what', 'counts', 'figure', 'ratio', 'goal', 'met'], rows),
  ].join('\n');
  process.stdout.write(`${text}\n\n`);
  if (values.record) recordSection(RESULTS, text);
}

function ms(milliseconds: number): string {
  return `${milliseconds >= 100 ? milliseconds.toFixed(0) : milliseconds.toFixed(2)} ms`;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
