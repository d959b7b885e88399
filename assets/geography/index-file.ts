import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPackage } from '../packages.ts';
import { sourceFile } from './sources.ts';

const OWN = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(OWN, '../..');
/** The index as it is checked in, with the licences of the packages that it is made of. */
const INDEX = join(OWN, 'index');
const FILE = join(INDEX, 'geography.br');
const PACKAGES = join(INDEX, 'packages.json');
const STAMP = join(INDEX, 'built-from.json');
/** What makes the index, next to the files of this folder. */
const MAKERS = [
  ...['geography-parts', 'json-list', 'location-details', 'ngram-index', 'number-lists', 'records'],
  ...[
    'alternate-names/build',
    'alternate-names/loose-form',
    'local-names',
    '../../lib/text-folding',
    '../../lib/packed-parts',
  ],
].map((name) => join(ROOT, 'src/features/geography', `${name}.ts`));

interface BuiltFrom {
  /** The hash of the sources. */
  sources: string;
  /** The hash of the index itself. */
  index: string;
}

/** Returns whether the index that is checked in is whole, and what today's sources make. */
export function isIndexFresh(): boolean {
  if (!existsSync(STAMP)) return false;
  const { sources, index } = JSON.parse(readFileSync(STAMP, 'utf8')) as BuiltFrom;
  return sources === hashOfSources() && index === hashOf([FILE]);
}

/** Writes the index to a file: a copy of the one that is checked in, or of today's sources where that is stale. */
export async function writeIndex(target: string): Promise<void> {
  if (isIndexFresh()) copyFileSync(FILE, target);
  else writeFileSync(target, await makeIndex());
}

/** Makes the index anew where it is stale, to be checked in: `npx tsx assets/geography/index-file.ts`. */
async function refreshIndex(): Promise<void> {
  if (isIndexFresh()) return;
  mkdirSync(INDEX, { recursive: true });
  writeFileSync(FILE, await makeIndex());
  const { dependencies } = JSON.parse(readFileSync(join(OWN, 'package.json'), 'utf8'));
  const packages = Object.keys(dependencies).map((name) => readPackage(sourceFile(name)));
  writeFileSync(PACKAGES, `${JSON.stringify(packages, null, 2)}\n`);
  const stamp: BuiltFrom = { sources: hashOfSources(), index: hashOf([FILE]) };
  writeFileSync(STAMP, `${JSON.stringify(stamp, null, 2)}\n`);
}

async function makeIndex(): Promise<Buffer> {
  const { buildGeographyParts } = await import('../../src/features/geography/geography-parts.ts');
  const { packParts } = await import('../../src/lib/packed-parts.ts');
  const { buildGeography } = await import('./geography.ts');
  return packParts(buildGeographyParts(buildGeography()));
}

/** Returns the hash of what the index is made from. */
export function hashOfSources(): string {
  const own = readdirSync(OWN).filter(
    (name) => /(?<!\.test)\.(?:ts|json)$/.test(name) && !['index-file.ts', 'refresh.ts', 'sources.ts'].includes(name),
  );
  return hashOf([...own.map((name) => join(OWN, name)), ...MAKERS]);
}

function hashOf(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await refreshIndex();
