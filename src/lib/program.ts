import { existsSync, readFileSync } from 'node:fs';

/** Commit of the sources, substituted by the build; absent where the sources run unbuilt. */
declare const BUILD_COMMIT: string | undefined;

const FOLDER = folderOfProgram();

const { version } = JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as { version: string };

/** Version of the program, and the commit it was built from (`unknown` outside a clone). */
export const PROGRAM = { version, commit: typeof BUILD_COMMIT === 'undefined' ? 'unknown' : BUILD_COMMIT };

/** Returns the URL of a file shipped with the program, by its path relative to the folder with package.json. */
export function programFile(path: string): URL {
  return new URL(path, FOLDER);
}

/** Returns the folder with package.json, which is above the sources as well as above the built program. */
function folderOfProgram(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return folder;
}
