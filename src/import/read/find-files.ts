import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ENTITIES } from '../../entities/entities.ts';
import type { Entity } from '../../entities/entity.ts';
import { ImportError, ProblemList } from '../check/import-error.ts';
import { isUnfinishedExport } from '../write/csv-folder.ts';
import { FILE_NAMES } from './import-format.ts';
import { whyUnreadable } from './record-reader.ts';

/** Returns the entities whose files are in the folder. @throws ImportError for a missing or invalid folder, or inaccessible files */
export async function findFiles(folder: string): Promise<Entity[]> {
  const names = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? 'there is no such folder' : `it cannot be read (${cause.message})`;
    throw new ImportError(`Nothing was imported from ${folder}: ${reason}.`, [], 1, cause);
  });
  if (names.some(isUnfinishedExport)) {
    const reason =
      'an export into it was not finished. Export again, into another folder, or remove its unfinished files.';
    throw new ImportError(`Nothing was imported from ${folder}: ${reason}`);
  }
  const allowed = `The files of the import format are ${FILE_NAMES.join(', ')}.`;
  const csvFiles = names.filter((name) => /^[^.].*\.csv$/i.test(name)).toSorted();
  if (csvFiles.length === 0)
    throw new ImportError(`Nothing was imported from ${folder}: it has no CSV file. ${allowed}`);
  const problems = new ProblemList();
  for (const file of csvFiles) {
    const reason = FILE_NAMES.includes(file)
      ? await whyUnreadable(join(folder, file))
      : `not a file of the import format: rename or remove it. ${allowed}`;
    if (reason !== undefined) problems.add({ file, line: undefined, column: undefined, value: undefined, reason });
  }
  if (problems.count > 0) throw problems.toError(folder, FILE_NAMES);
  return ENTITIES.filter(({ file }) => csvFiles.includes(file));
}
