import { Duplex } from 'node:stream';

/** Message types of PostgreSQL's protocol are the first byte of a message. */
const code = (letter: string) => letter.charCodeAt(0);
const [QUERY, COPY_IN_RESPONSE, TERMINATE] = [code('Q'), code('G'), code('X')];
/** Sync, CopyDone, CopyFail: after these, and after a query, the driver waits for an answer. */
const ENDS_GROUP = new Set([...'Scf'].map(code));
const IS_COPY = /^copy\s.*\sfrom stdin$/is;
/** CopyInResponse: the server accepts rows in text format; it describes no columns. */
const WELCOME = Buffer.from([COPY_IN_RESPONSE, 0, 0, 0, 7, 0, 0, 0]);
/** Bytes before and after the text of a query. */
const [BEFORE_TEXT, BEHIND_TEXT] = [5, 1];

/**
 * The driver's socket to a server, with PGlite behind it. PGlite processes no more than it is passed, so messages are grouped up to the one
 * that needs an answer. Those of a COPY are buffered until the last row; the driver is told at once that rows may come.
 */
export class PGliteStream extends Duplex {
  readonly #send: (messages: Uint8Array<ArrayBuffer>) => void;
  /** The start of an incomplete message. */
  #rest = Buffer.alloc(0);
  #group: Buffer[] = [];
  #isStarted = false;

  /** @param send passes messages to PGlite, whose answer must be passed to {@link answer} */
  constructor(send: (messages: Uint8Array<ArrayBuffer>) => void) {
    super();
    this.#send = send;
  }

  /** @param pieces of one answer; the first piece holds the whole first message */
  answer(pieces: readonly Uint8Array[]): void {
    for (const [index, { buffer, byteOffset, byteLength }] of pieces.entries()) {
      const piece = Buffer.from(buffer, byteOffset, byteLength);
      const wasTold = index === 0 && piece[0] === COPY_IN_RESPONSE;
      this.push(wasTold ? piece.subarray(1 + piece.readUInt32BE(1)) : piece);
    }
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (;;) {
      // The first message (startup) has no type byte.
      const length = start + (this.#isStarted ? 1 : 0);
      if (bytes.length < length + 4) break;
      const end = length + bytes.readUInt32BE(length);
      if (bytes.length < end) break;
      this.#take(bytes.subarray(start, end));
      start = end;
    }
    this.#rest = Buffer.from(bytes.subarray(start));
    done();
  }

  #take(message: Buffer): void {
    const type = this.#isStarted ? (message[0] ?? 0) : undefined;
    this.#isStarted = true;
    if (type === TERMINATE) {
      this.push(null);
      return;
    }
    this.#group.push(message);
    if (type === QUERY && IS_COPY.test(message.toString('utf8', BEFORE_TEXT, message.length - BEHIND_TEXT))) {
      this.push(WELCOME);
    } else if (type === undefined || type === QUERY || ENDS_GROUP.has(type)) {
      this.#send(new Uint8Array(Buffer.concat(this.#group)));
      this.#group = [];
    }
  }

  // The other methods of a socket that a driver calls.

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}
