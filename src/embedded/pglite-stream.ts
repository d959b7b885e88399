import { Duplex } from 'node:stream';

/** Types of messages of PostgreSQL's protocol, their first bytes. */
const code = (letter: string) => letter.charCodeAt(0);
const [QUERY, COPY_IN_RESPONSE, TERMINATE] = [code('Q'), code('G'), code('X')];
/** Sync, CopyDone, CopyFail: behind these, and behind a query, an answer is waited for. */
const ENDS_GROUP = new Set([...'Scf'].map(code));
const IS_COPY = /^copy\s.*\sfrom stdin$/is;
/** That rows may come, in text format; it says nothing of columns. */
const WELCOME = Buffer.from([COPY_IN_RESPONSE, 0, 0, 0, 7, 0, 0, 0]);
/** Bytes before the text of a query, and behind it. */
const [BEFORE_TEXT, BEHIND_TEXT] = [5, 1];

/**
 * What a driver takes for its socket to a server, with PGlite behind it. PGlite reads no further than it is given: messages are kept
 * together up to the one behind which an answer is waited for. Those of a COPY are kept until the last row is there; the driver
 * is told at once that rows may come.
 */
export class PGliteStream extends Duplex {
  readonly #send: (messages: Uint8Array<ArrayBuffer>) => void;
  /** The beginning of a message that is not there as a whole. */
  #rest = Buffer.alloc(0);
  #group: Buffer[] = [];
  #isStarted = false;

  /** @param send hands messages to PGlite, whose answer to them is passed to {@link answer} */
  constructor(send: (messages: Uint8Array<ArrayBuffer>) => void) {
    super();
    this.#send = send;
  }

  /** @param pieces of one answer, the first of which holds its first message */
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
      // The first message has no type.
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

  // What a driver does with a socket besides.

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
