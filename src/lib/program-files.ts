import { existsSync } from 'node:fs';

/** The folder with package.json: above the sources, and above the program that is built of them. */
function folderOfProgram(): URL {
  let folder = new URL('.', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('..', folder);
  return folder;
}

const FOLDER = folderOfProgram();

/** A file that comes with the program, by its path from the folder with package.json. */
export function programFile(path: string): URL {
  return new URL(path, FOLDER);
}
