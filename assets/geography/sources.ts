import { join } from 'node:path';
import { installOwnPackages } from '../own-packages.ts';

/** Returns the place of a file of a package that the geography is made from. Installs these packages first: nothing else needs them. */
export function sourceFile(path: string): string {
  return join(installOwnPackages('assets/geography'), path);
}
