import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UserError } from '../lib/errors.ts';
import { openRegularFile } from '../lib/regular-file.ts';
import { type BackupHeader, corrupt, FIRST_LINE, headerLineOf, LAST_LINE, parseHeader } from './backup-format.ts';

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
  /** The next so many rows. @throws UserError where there are fewer, or they are no text */
  take(rows: number): AsyncGenerator<Rows>;
  /** @throws UserError where there is more */
  expectEnd(): Promise<void>;
}

/** Bytes. */
const MAX_BEGINNING = 1024 * 1024;
/** What is read, and given on as rows, at once at the most, in bytes. */
const CHUNK = 512 * 1024;
/** Bytes of a row. None that orgdesk writes comes near it. */
const MAX_ROW = 16 * 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Opens a backup and reads all of it once, to make sure that it is as it was written.
 *
 * @throws UserError where it is not, or cannot be read
 */
export async function openBackup(file: string): Promise<OpenBackup> {
  const handle = await withUserError(openRegularFile(file));
  try {
    const { size } = await withUserError(handle.stat());
    const headerLine = headerLineOf(file, await withUserError(readAt(handle, 0, MAX_BEGINNING)));
    const end = size - LAST_LINE;
    await withUserError(expectChecksum(file, handle, end));
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

async function expectChecksum(file: string, handle: FileHandle, end: number): Promise<void> {
  if (end <= 0) throw corrupt(file);
  const hash = createHash('sha256');
  for await (const chunk of bytesOf(handle, 0, end)) hash.update(chunk);
  const lastLine = await readAt(handle, end, LAST_LINE);
  if (lastLine.toString('latin1') !== `${hash.digest('hex')}\n`) throw corrupt(file);
}

function bytesOf(handle: FileHandle, start: number, end: number) {
  return handle.createReadStream({ start, end: end - 1, autoClose: false, highWaterMark: CHUNK });
}

/** @throws UserError where the bytes between `start` and `end` are not gzip, all of them */
async function* unzipped(file: string, handle: FileHandle, start: number, end: number): AsyncGenerator<Buffer> {
  if (start >= end) throw corrupt(file);
  // What goes wrong with the file is thrown to whoever reads on.
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
    async expectEnd() {
      if (rest.length > 0 || (await readOn())) throw corrupt(file);
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

async function withUserError<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw toUserError(error);
  }
}

/** For people, where it is an error of the file system; any other as it is. */
function toUserError(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new UserError(`Nothing was restored: ${error.message}.`, { cause: error });
}
