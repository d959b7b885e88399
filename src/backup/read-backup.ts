import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '../lib/errors.ts';
import { openRegularFile } from '../lib/regular-file.ts';
import { type BackupHeader, corrupt, FIRST_LINE, headerLineOf, LAST_LINE, parseHeader } from './backup-format.ts';

/** Rows of a table: lines in the text format of COPY. */
export interface Rows {
  text: string;
  count: number;
}

/** An open backup with a verified checksum. Disposing closes the file. */
export interface OpenBackup extends AsyncDisposable {
  header: BackupHeader;
  /** Returns a reader of the rows of all tables in turn, from the start. */
  read(): RowReader;
}

export interface RowReader {
  /** Yields the next `rows` rows. @throws UserError if there are fewer, or they are not UTF-8 */
  take(rows: number): AsyncGenerator<Rows>;
  /** @throws UserError if rows are left */
  assertEnd(): Promise<void>;
}

/** Maximum size of the first two lines, in bytes. */
const MAX_BEGINNING = 1024 * 1024;
/** Maximum size of a read and of a chunk of rows, in bytes. */
const CHUNK = 512 * 1024;
/** Maximum size of a row in bytes, far above any that orgdesk writes. */
const MAX_ROW = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** Opens a backup, and reads it once to verify its checksum. @throws UserError if it is damaged or cannot be read */
export async function openBackup(file: string): Promise<OpenBackup> {
  const handle = await withUserError(openRegularFile(file));
  try {
    const { size } = await withUserError(handle.stat());
    const headerLine = headerLineOf(file, await withUserError(readAt(handle, 0, MAX_BEGINNING)));
    const end = size - LAST_LINE;
    await withUserError(assertChecksum(file, handle, end));
    const header = parseHeader(file, headerLine);
    const start = FIRST_LINE.length + headerLine.length + 1;
    return {
      header,
      read: () => rowReader(file, unzipped(file, handle, start, end)),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function assertChecksum(file: string, handle: FileHandle, end: number): Promise<void> {
  if (end <= 0) throw corrupt(file);
  const hash = createHash('sha256');
  for await (const chunk of bytesOf(handle, 0, end)) hash.update(chunk);
  const lastLine = await readAt(handle, end, LAST_LINE);
  if (lastLine.toString('latin1') !== `${hash.digest('hex')}\n`) throw corrupt(file);
}

function bytesOf(handle: FileHandle, start: number, end: number) {
  return handle.createReadStream({ start, end: end - 1, autoClose: false, highWaterMark: CHUNK });
}

/** Decompresses the bytes from `start` to `end`. @throws UserError unless all of them are one gzip stream */
async function* unzipped(file: string, handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  if (start >= end) throw corrupt(file);
  // Errors of the file reach the consumer of the stream.
  const gunzip = pipeline(bytesOf(handle, start, end), createGunzip({ chunkSize: CHUNK }), () => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) throw corrupt(file, error);
    throw toUserError(error);
  }
  if (gunzip.bytesWritten !== end - start) throw corrupt(file);
}

function rowReader(file: string, chunks: AsyncGenerator<Buffer>): RowReader {
  let rest: Buffer = Buffer.alloc(0);

  async function readOn(): Promise<boolean> {
    const next = await chunks.next();
    if (next.done) return false;
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    if (rest.length > MAX_ROW + CHUNK) throw corrupt(file);
    return true;
  }

  return {
    async *take(rows) {
      for (let left = rows; left > 0; ) {
        const { count, end } = wholeLines(rest, left);
        if (count > 0) {
          const lines = rest.subarray(0, end);
          if (!isUtf8(lines)) throw corrupt(file);
          rest = rest.subarray(end);
          left -= count;
          yield { text: lines.toString(), count };
        } else if (!(await readOn())) throw corrupt(file);
      }
    },
    async assertEnd() {
      if (rest.length > 0 || (await readOn())) throw corrupt(file);
    },
  };
}

/** Returns how many whole lines the bytes start with, up to a maximum, and where they end. */
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

async function withUserError<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw toUserError(error);
  }
}

/** Turns an error of the file system into a UserError; returns any other as it is. */
function toUserError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new UserError(`Nothing was restored: ${error.message}.`, { cause: error });
}
