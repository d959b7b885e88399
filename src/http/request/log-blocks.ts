import { type DestinationStream, pino } from 'pino';

/** Characters that are written at once, and milliseconds after which fewer are too. */
const BLOCK_LENGTH = 32 * 1024;
const FLUSH_INTERVAL_MS = 1_000;

/**
 * Writes lines to a file in blocks, each second, at the end of the process and when they are flushed. The gathering of pino's own
 * destination (`minLength`) measures with each line all that it has gathered so far.
 */
export function linesInBlocks(fd: number): DestinationStream & { flush(done: (error?: Error) => void): void } {
  let gathered = '';
  const writeGathered = () => {
    const block = gathered;
    gathered = '';
    if (block !== '') file.write(block);
  };
  // Before pino's own destination listens for the same, to write what it has.
  process.on('beforeExit', writeGathered).on('exit', writeGathered);
  const file = pino.destination({ fd, sync: false, minLength: 1 });
  setInterval(writeGathered, FLUSH_INTERVAL_MS).unref();
  return {
    write(line) {
      gathered += line;
      if (gathered.length >= BLOCK_LENGTH) writeGathered();
    },
    flush(done) {
      writeGathered();
      file.flush(done);
    },
  };
}
