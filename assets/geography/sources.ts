import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOwnPackages } from '../own-packages.ts';

/**
 * Returns the place of a file of a package that the geography is made from. Installs these packages first: nothing else needs them.
 * `GEOGRAPHY_SOURCES` is a folder with other editions.
 */
export function sourceFile(path: string): string {
  return join(process.env.GEOGRAPHY_SOURCES ?? installOwnPackages('assets/geography'), path);
}

/** Returns the edition of a package that the geography is made from. */
export function editionOf(name: string): string {
  return JSON.parse(readFileSync(sourceFile(`${name}/package.json`), 'utf8')).version;
}
