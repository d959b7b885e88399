import { raw } from 'sql-template-tag';
import type { Database, Session } from '../../src/db/database.ts';
import type { ProgressReport } from '../../src/embedded/control-channel.ts';
import { ENTITIES } from '../../src/entities/entities.ts';
import { fieldOf } from '../../src/entities/entity.ts';
import { type PeopleFile, type PeopleSizes, peopleFiles } from './people.ts';

/** Rows of one COPY: PostgreSQL keeps a note of each until its references have been checked. */
const ROW_BATCH = 1_000_000;
/** Rows that are handed over at once. */
const BATCH = 2000;

/** Copies {@link peopleFiles} into the tables of a migrated database without companies. */
export async function loadPeople(
  db: Database,
  sizes: PeopleSizes,
  onProgress: (report: ProgressReport) => void = () => undefined,
): Promise<void> {
  await db.session(async (session) => {
    for (const file of peopleFiles(sizes)) {
      for (let first = 0; first < file.rows; first += ROW_BATCH) {
        await copyPart(session, file, first, Math.min(first + ROW_BATCH, file.rows), onProgress);
      }
    }
  });
}

async function copyPart(
  session: Session,
  file: PeopleFile,
  first: number,
  end: number,
  onProgress: (report: ProgressReport) => void,
): Promise<void> {
  async function* pieces(): AsyncGenerator<string> {
    for (let index = first; index < end; index += BATCH) {
      yield copyRows(file, index, Math.min(index + BATCH, end));
      onProgress({ step: file.file, done: Math.min(index + BATCH, end), total: file.rows, unit: 'rows' });
    }
  }
  await session.copyInto(raw(`${columnsToCopy(file)}`), pieces());
}

/** A table with those of its columns that the file has, in the file's order. */
export function columnsToCopy({ file, columns }: Pick<PeopleFile, 'file' | 'columns'>): string {
  const entity = ENTITIES.find((known) => known.file === file);
  if (entity === undefined) throw new TypeError(`${file} is no file of the import format`);
  const names = columns.split(',').map((name) => fieldOf(entity, name).column);
  return `${entity.table} (${names.join(', ')})`;
}

/** Rows in the text format of COPY. The generator's cells hold nothing that would have to be escaped. */
export function copyRows({ row }: Pick<PeopleFile, 'row'>, first: number, end: number): string {
  let text = '';
  for (let index = first; index < end; index++) {
    text += `${row(index)
      .map((cell) => cell || '\\N')
      .join('\t')}\n`;
  }
  return text;
}
