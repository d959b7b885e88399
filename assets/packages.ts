import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What is shipped of these is no module of a bundle: the database, the page at `/docs`. */
const SHIPPED_AS_FILES = ['@electric-sql/pglite', 'swagger-ui-dist'];
/** Those of the geography, whose index is checked in. */
const OF_GEOGRAPHY = new URL('geography/index/packages.json', import.meta.url);

/** A package of npm as it is installed here. */
export interface Package {
  name: string;
  version: string;
  /** An SPDX expression; absent where the package says none. */
  license?: string;
  /** The texts of its licence and notices. */
  terms: string;
}

/** Returns the folders below the root, such as `node_modules/pg`, of the packages that modules of a bundle belong to. */
export function foldersOf(modules: readonly string[]): string[] {
  const folders = modules.flatMap(
    (id) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [],
  );
  return [...new Set(folders)].sort();
}

/** Reads the packages that ship: those in the bundles' folders, and those of which files are copied. */
export function readPackages(folders: readonly string[]): Package[] {
  const shipped = SHIPPED_AS_FILES.map((name) => `node_modules/${name}`);
  const ofGeography = JSON.parse(readFileSync(OF_GEOGRAPHY, 'utf8')) as Package[];
  const all = [...[...folders, ...shipped].map((folder) => readPackage(join(ROOT, folder))), ...ofGeography];
  // One version may lie in two folders.
  return [...new Map(all.map((each) => [`${each.name} ${each.version}`, each])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

export function readPackage(folder: string): Package {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter(
    (file) => /^(?:licen[cs]e|notice|copying)/i.test(file) && !/\.js$/.test(file),
  );
  const terms = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return { name, version, terms, ...(typeof license === 'string' ? { license } : {}) };
}

/** Writes out the licences of packages. */
export function licences(packages: readonly Package[]): string {
  const each = packages.map(({ name, version, license, terms }) => `${name} ${version} (${license})\n\n${terms}\n`);
  return each.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Lists packages as a bill of materials in the form of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
export function billOfMaterials(packages: readonly Package[]): object {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component({ name, version, license }), type: 'application' } },
    components: packages.map(component),
  };
}

function component({ name, version, license }: Pick<Package, 'name' | 'version' | 'license'>) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = license === undefined ? {} : { licenses: [{ expression: license }] };
  return { type: 'library', 'bom-ref': purl, name, version, ...licenses, purl };
}
