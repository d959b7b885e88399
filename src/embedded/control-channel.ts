import { once } from 'node:events';
import type { Socket } from 'node:net';
import { UserError } from '../lib/errors.ts';
import { connectTo, nobodyListens } from './local-socket.ts';

/*
 * Protocol by which a command asks the lock owner of the data folder to do something for it. Each message is one line of JSON. The client
 * sends one Request per connection; the owner sends any number of `print` and `progress`, then `done` or `error`.
 */
interface Request {
  request: readonly string[];
}
type Message = { print: string } | { progress: ProgressReport } | { done: true } | { error: string };

const MAX_REQUEST_BYTES = 1024 * 1024;

/** Progress of a long step. */
export interface ProgressReport {
  step: string;
  done: number;
  total: number;
  /** Unit of `done` and `total`. */
  unit: 'bytes' | 'rows';
}

/** The process that holds the lock of a data folder. */
export interface LockOwner {
  readonly pid: number;
  /** The command line shown to people: `orgdesk serve`. */
  readonly command: string;
  /** Time of acquisition, ISO 8601 in UTC. */
  readonly since: string;
  readonly host: string;
  /** Absolute path of the unix socket it listens on. */
  readonly socket: string;
}

/**
 * Handles the request of another process. `print` sends text for it to print, `progress` a report for it to show; `flushed` fulfils once
 * these have been sent. Of errors, only the message of a UserError reaches the other process.
 */
export type Answer = (
  request: readonly string[],
  print: (text: string) => void,
  progress: (report: ProgressReport) => void,
  flushed: () => Promise<void>,
) => Promise<void>;

/**
 * Sends a request to the lock owner and waits until it is done, without a time limit.
 *
 * @param print is called with each text of the answer, in order
 * @param progress is called with each report of a long step
 * @throws UserError with the owner's message, or if the owner has stopped
 */
export async function askLockOwner(
  owner: LockOwner,
  request: readonly string[],
  print: (text: string) => void,
  progress: (report: ProgressReport) => void = () => undefined,
): Promise<void> {
  const named = `"${owner.command}" (pid ${owner.pid})`;
  const stopped = `${named} stopped before it had answered. Try again.`;
  let connection: Socket;
  try {
    connection = await connectTo(owner.socket);
  } catch (error) {
    if (nobodyListens(error)) throw new UserError(stopped, { cause: error });
    throw new UserError(`${named} cannot be reached: ${String(error)}`, { cause: error });
  }
  try {
    connection.write(line({ request }));
    for await (const text of linesOf(connection)) {
      const message = parse(isMessage, text);
      if (message === undefined) {
        throw new UserError(`${named} gave an answer that this version cannot read: is it another version of orgdesk?`);
      }
      if ('done' in message) return;
      if ('error' in message) throw new UserError(message.error);
      if ('progress' in message) progress(message.progress);
      else print(message.print);
    }
  } finally {
    connection.destroy();
  }
  throw new UserError(stopped);
}

/**
 * Serves one connection of {@link askLockOwner}, then ends it. A connection that sends no request ends by itself.
 *
 * @param failed is called with each error that is not a UserError
 */
export async function answerConnection(
  connection: Socket,
  answer: Answer,
  failed: (error: unknown) => void,
): Promise<void> {
  const send = (message: Message) => {
    if (connection.writable) connection.write(line(message));
  };
  try {
    const text = await firstLine(connection);
    if (text === undefined) return;
    const asked = parse(isRequest, text);
    if (asked === undefined) throw new UserError('The running orgdesk cannot read the request: is it another version?');
    await answer(
      asked.request,
      (print) => send({ print }),
      (progress) => send({ progress }),
      () => drained(connection),
    );
    send({ done: true });
  } catch (error) {
    const forPeople = error instanceof UserError;
    send({ error: forPeople ? error.message : 'The running orgdesk failed: see its log.' });
    if (!forPeople) failed(error);
  } finally {
    connection.end(() => connection.destroy());
  }
}

/** @throws UserError if the other process has disconnected */
async function drained(connection: Socket): Promise<void> {
  if (connection.writable && !connection.writableNeedDrain) return;
  if (connection.writable) {
    const gone = new AbortController();
    const give = () => gone.abort();
    connection.once('close', give);
    await once(connection, 'drain', { signal: gone.signal }).catch(() => undefined);
    connection.off('close', give);
  }
  if (!connection.writable) throw new UserError('The client has disconnected.');
}

function line(message: Request | Message): string {
  return `${JSON.stringify(message)}\n`;
}

function parse<Value>(isValue: (value: unknown) => value is Value, text: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isValue(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRequest(value: unknown): value is Request {
  if (typeof value !== 'object' || value === null || !('request' in value)) return false;
  return Array.isArray(value.request) && value.request.every((word) => typeof word === 'string');
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== 'object' || value === null) return false;
  if ('print' in value) return typeof value.print === 'string';
  if ('progress' in value) return isProgressReport(value.progress);
  if ('error' in value) return typeof value.error === 'string';
  return 'done' in value;
}

function isProgressReport(value: unknown): value is ProgressReport {
  if (typeof value !== 'object' || value === null) return false;
  const { step, done, total, unit } = value as Partial<ProgressReport>;
  return typeof step === 'string' && typeof done === 'number' && typeof total === 'number' && typeof unit === 'string';
}

/** Returns the first line received, or undefined if the connection ends before; later data is discarded. */
function firstLine(connection: Socket): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let received = '';
    function read(chunk: string): void {
      received += chunk;
      const end = received.indexOf('\n');
      const tooLong = Buffer.byteLength(end < 0 ? received : received.slice(0, end)) > MAX_REQUEST_BYTES;
      if (end < 0 && !tooLong) return;
      connection.off('data', read).resume();
      if (tooLong) reject(new UserError(`The request is longer than ${MAX_REQUEST_BYTES} bytes.`));
      else resolve(received.slice(0, end));
    }
    connection.setEncoding('utf8').on('data', read);
    connection.on('close', () => resolve(undefined));
  });
}

/** Yields lines until the connection ends or breaks. Not node:readline, which also splits at U+2028, legal in JSON. */
async function* linesOf(connection: Socket): AsyncGenerator<string> {
  connection.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of connection) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {
    // A broken connection looks like a closed one: both lack the final message.
  }
}
