import { type DestinationStream, pino } from 'pino';

/** Characters of a block, and the milliseconds after which an incomplete one is written too. */
const BLOCK_LENGTH = 32 * 1024;
const FLUSH_INTERVAL_MS = 1_000;

/**
 * Writes lines to a file descriptor in blocks: when one is full, each second, on flush and at the end of the process.
 * The buffer of pino's own destination (`minLength`) measures all of its content again with each line.
 */
export function linesInBlocks(fd: number): DestinationStream & { flush(done: (error?: Error) => void): void } {
  let gathered = '';
  const writeGathered = () => {
    const block = gathered;
    gathered = '';
    if (block !== '') file.write(block);
  };
  // Registered before pino's destination, which writes its own buffer on the same events.
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
