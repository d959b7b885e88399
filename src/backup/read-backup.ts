import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '../lib/errors.ts';
import { type BackupHeader, damaged, FIRST_LINE, headerLineOf, LAST_LINE, parseHeader } from './backup-format.ts';

/** Some rows of a table: lines in the text format of COPY. */
export interface Rows {
  text: string;
  count: number;
}

/** A backup that is whole. Disposing of it closes the file. */
export interface OpenBackup extends AsyncDisposable {
  header: BackupHeader;
  /** The rows of each table in turn, from the first one on. */
  read(): RowReader;
}

export interface RowReader {
  /** The next so many rows. @throws UserError where there are fewer */
  take(rows: number): AsyncGenerator<Rows>;
  /** @throws UserError where there is more */
  expectEnd(): Promise<void>;
}

const LONGEST_BEGINNING = 1024 * 1024;
/** What is read, and given on as rows, at once at the most. */
const CHUNK = 512 * 1024;
const LINE_FEED = 0x0a;

/**
 * Opens a backup and reads all of it once, to make sure that it is as it was written.
 *
 * @throws UserError where it is not, or cannot be read
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const handle = await open(file, 'r').catch((error: Error) => {
    throw new UserError(`Nothing was restored: ${error.message}`, { cause: error });
  });
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new UserError(`Nothing was restored: ${file} is no file.`);
    const beginning = await readBeginning(handle);
    const headerLine = headerLineOf(file, beginning);
    const end = stats.size - LAST_LINE;
    await expectChecksum(file, handle, end);
    const header = parseHeader(file, headerLine);
    const start = Buffer.byteLength(`${FIRST_LINE}${headerLine}\n`);
    return {
      header,
      read: () => rowReader(file, unzipped(handle, start, end)),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readBeginning(handle: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_BEGINNING), 0, LONGEST_BEGINNING, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function expectChecksum(file: string, handle: FileHandle, end: number): Promise<void> {
  if (end <= 0) throw damaged(file);
  const hash = createHash('sha256');
  for await (const chunk of bytesOf(handle, 0, end)) hash.update(chunk);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LAST_LINE), 0, LAST_LINE, end);
  if (buffer.toString('latin1', 0, bytesRead) !== `${hash.digest('hex')}\n`) throw damaged(file);
}

function bytesOf(handle: FileHandle, start: number, end: number) {
  return handle.createReadStream({ start, end: end - 1, autoClose: false, highWaterMark: CHUNK });
}

function unzipped(handle: FileHandle, start: number, end: number): AsyncIterable<Buffer> {
  // What goes wrong with the file is thrown to whoever reads on.
  return pipeline(bytesOf(handle, start, end), createGunzip({ chunkSize: CHUNK }), () => undefined);
}

function rowReader(file: string, bytes: AsyncIterable<Buffer>): RowReader {
  const chunks = bytes[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function readOn(): Promise<boolean> {
    const next = await chunks.next();
    if (next.done) return false;
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return true;
  }

  return {
    async *take(rows) {
      for (let left = rows; left > 0; ) {
        const { count, end } = wholeLines(rest, left);
        if (count > 0) {
          const text = rest.toString('utf8', 0, end);
          rest = rest.subarray(end);
          left -= count;
          yield { text, count };
        } else if (!(await readOn())) throw damaged(file);
      }
    },
    async expectEnd() {
      if (rest.length > 0 || (await readOn())) throw damaged(file);
    },
  };
}

/** How many of the lines at the beginning are whole, up to so many, and where they end. */
function wholeLines(bytes: Buffer, most: number): { count: number; end: number } {
  let [count, end] = [0, 0];
  while (count < most) {
    const next = bytes.indexOf(LINE_FEED, end);
    if (next < 0) break;
    end = next + 1;
    count++;
  }
  return { count, end };
}
