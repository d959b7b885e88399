import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readGeographyFile } from '../../src/features/geography/geography-file.ts';
import { buildGeography } from './geography.ts';
import { applyKeptIds, compareGeographies, findFormer, findKeptIds, KEPT_FILE, readKeptIds } from './kept-ids.ts';
import { readPackage } from './read-package.ts';

/*
 * Shows what today's editions of the sources would change: `npm run geography`. With `--write` it takes them. Every id is kept: a renumbered
 * place has its earlier one, and that of a dropped city finds the one of its name, or the nearest. `NAME@VERSION` tries an edition.
 */
const { values, positionals } = parseArgs({ options: { write: { type: 'boolean' } }, allowPositionals: true });
const OWN = fileURLToPath(new URL('.', import.meta.url));
const SAMPLES = 8;
const say = (line: string) => process.stdout.write(`${line}\n`);

const pinned: Record<string, string> = JSON.parse(readFileSync(join(OWN, 'package.json'), 'utf8')).dependencies;
const wanted = positionals.length > 0 ? positionals : Object.keys(pinned).map((name) => `${name}@latest`);
const folder = mkdtempSync(join(tmpdir(), 'orgdesk-geography-'));
try {
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(OWN, name), join(folder, name));
  const words = ['install', '--save-exact', '--no-audit', '--no-fund', ...wanted];
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const today: typeof pinned = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies;
  for (const name of Object.keys(today)) say(`${name}: ${pinned[name]}, now ${today[name]}`);
  if (Object.keys(today).every((name) => today[name] === pinned[name])) say('Nothing is newer.');
  else await compare();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(): Promise<void> {
  process.env.GEOGRAPHY_SOURCES = join(folder, 'node_modules');
  const before = await readGeographyFile();
  const known = readKeptIds();
  const content = readPackage();
  applyKeptIds(content, known);
  const found = findKeptIds(before, content);
  const kept = {
    states: { ...known.states, ...byOwnId(found.states, known.states) },
    cities: { ...known.cities, ...byOwnId(found.cities, known.cities) },
    former: known.former,
  };
  const after = buildGeography(kept);
  const former = { ...known.former, ...findFormer(before, after) };
  for (const [what, changes] of Object.entries(compareGeographies(before, after))) {
    say(`${what}: ${changes.length}`);
    for (const change of changes.slice(0, SAMPLES)) say(`  ${change}`);
  }
  const renumbered = Object.keys(found.states).length + Object.keys(found.cities).length;
  say(`renumbered, with their earlier ids: ${renumbered}; ids that find another city: ${Object.keys(former).length}`);
  say(`GeoNames: ${before.sources.geoNames}, now ${after.sources.geoNames}`);
  const states = new Set(after.states.map(({ id }) => id));
  const isWhole = before.states.every(({ id }) => states.has(id));
  if (!isWhole) say('A state would be dropped, which no other can stand for: these editions cannot be taken.');
  if (!values.write || !isWhole) return;
  writeFileSync(KEPT_FILE, `${JSON.stringify({ ...kept, former }, null, 2)}\n`);
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(folder, name), join(OWN, name));
  cpSync(join(folder, 'node_modules'), join(OWN, 'node_modules'), { recursive: true });
  say('Taken. Make the index (npx tsx assets/geography/index-file.ts), and run: npm test -- --all geography');
}

/** Returns what ids keep by the ids that the package itself has. */
function byOwnId(found: Readonly<Record<number, number>>, known: Readonly<Record<number, number>>) {
  const own = new Map(Object.entries(known).map(([id, kept]) => [kept, id]));
  return Object.fromEntries(Object.entries(found).map(([id, kept]) => [own.get(Number(id)) ?? id, kept]));
}
