import type { Session } from '../../db/database.ts';
import type { ProblemList } from '../check/import-error.ts';
import type { CsvSource } from '../read/csv-reader.ts';
import type { FileFormat } from '../read/import-format.ts';
import { openRows, type RowPiece } from '../read/record-reader.ts';
import { type StagedFile, stagingTarget } from './staging.ts';

/**
 * Copies the rows of a file to its staging table.
 *
 * @param isWanted called with each piece; returns whether to copy its rows
 * @returns undefined where the header is invalid, or the file has more rows than the format allows
 */
export async function stageRows(
  session: Session,
  source: CsvSource,
  format: FileFormat,
  problems: ProblemList,
  isWanted: (piece: RowPiece) => boolean = () => true,
): Promise<StagedFile | undefined> {
  const { entity, maxRows = Number.POSITIVE_INFINITY } = format;
  await using file = await openRows(source, format, problems);
  if (file === undefined) return undefined;
  const { columns, pieces } = file;
  let rows = 0;
  async function* copyRows(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      rows += piece.rows;
      if (rows > maxRows) return;
      if (isWanted(piece) && piece.rows > 0) yield piece.copyRows;
    }
  }
  await session.copyInto(stagingTarget(entity, columns), copyRows());
  if (rows <= maxRows) return { entity, format, columns, rows };
  const reason = `there are more than ${maxRows} rows: split the file`;
  problems.add({ file: entity.file, line: undefined, column: undefined, value: undefined, reason });
  return undefined;
}
