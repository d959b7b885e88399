import { existsSync } from 'node:fs';

/** Returns the folder with package.json, which is above the sources as well as above the built program. */
function folderOfProgram(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return folder;
}

const FOLDER = folderOfProgram();

/** Returns the URL of a file shipped with the program, by its path relative to the folder with package.json. */
export function programFile(path: string): URL {
  return new URL(path, FOLDER);
}
