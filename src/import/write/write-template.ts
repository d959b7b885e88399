import { ENTITIES } from '../../entities/entities.ts';
import { csvLine } from '../../lib/csv.ts';
import { writeCsvFolder } from './csv-folder.ts';

/**
 * Writes all files of the import format into a folder, each with its header and one row of example values. Creates the folder if necessary.
 *
 * @returns the names of the files
 * @throws UserError where the folder cannot be written to, or already contains CSV files
 */
export async function writeTemplate(folder: string): Promise<string[]> {
  return writeCsvFolder(folder, 'written', async (begin) => {
    const files: string[] = [];
    for (const { file, fields, deleteFlag } of ENTITIES) {
      const cells = Object.entries(fields).map(([name, { example }]) => [name, String(example ?? '')] as const);
      if (deleteFlag !== undefined) cells.push([deleteFlag, 'true']);
      const draft = await begin(file);
      await draft.append(csvLine(cells.map(([name]) => name)) + csvLine(cells.map(([, cell]) => cell)));
      files.push(file);
    }
    return files;
  });
}
