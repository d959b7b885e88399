import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { UserError } from '../lib/errors.ts';
import { connectTo, nobodyListens } from './local-socket.ts';

/*
 * A command asks the lock owner of the data folder to do something for it, by HTTP over the owner's unix socket: the body of the request is
 * a JSON array of words, the response has one JSON message a line: any number of `print` and `progress`, then `done` or `error`.
 */
type Message = { print: string } | { progress: ProgressReport } | { done: true } | { error: string; exitCode?: number };

const MESSAGES = 'application/x-ndjson';
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
  const unreadable = `${named} gave an answer that this version cannot read: is it another version of orgdesk?`;
  let connection: Socket;
  try {
    connection = await connectTo(owner.socket);
  } catch (error) {
    if (nobodyListens(error)) throw new UserError(stopped, { cause: error });
    throw new UserError(`${named} cannot be reached: ${String(error)}`, { cause: error });
  }
  try {
    const response = await send(connection, JSON.stringify(request), unreadable);
    if (response === undefined) throw new UserError(stopped);
    const messages = response.headers['content-type'] === MESSAGES ? messagesOf(response) : [undefined];
    for await (const message of messages) {
      if (message === undefined) throw new UserError(unreadable);
      if ('done' in message) return;
      if ('error' in message) throw new UserError(message.error, { exitCode: message.exitCode });
      if ('progress' in message) progress(message.progress);
      else print(message.print);
    }
  } finally {
    connection.destroy();
  }
  throw new UserError(stopped);
}

/**
 * Returns the response to a request over a connection; undefined if the connection ends before.
 *
 * @throws UserError `unreadable` if the response is no HTTP
 */
async function send(connection: Socket, body: string, unreadable: string): Promise<IncomingMessage | undefined> {
  const request = httpRequest({ method: 'POST', createConnection: () => connection });
  request.end(body);
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  } catch (error) {
    if (error instanceof Error && 'rawPacket' in error) throw new UserError(unreadable, { cause: error });
    return undefined;
  }
}

/** Yields messages until the response ends or breaks; undefined for one that is not JSON. */
async function* messagesOf(response: IncomingMessage): AsyncGenerator<Message | undefined> {
  let rest = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield parse(line) as Message | undefined;
    }
  } catch {
    // A broken connection looks like a closed one: both lack the final message.
  }
}

/**
 * Returns the handler of connections by {@link askLockOwner}.
 *
 * @param answer handles each request
 * @param failed is called with each error that is not a UserError
 */
export function controlServer(answer: Answer, failed: (error: unknown) => void): (connection: Socket) => void {
  const server = createServer((request, response) => void respond(request, response, answer, failed));
  return (connection) => server.emit('connection', connection);
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  failed: (error: unknown) => void,
): Promise<void> {
  const write = (message: Message) => {
    if (!response.destroyed) response.write(`${JSON.stringify(message)}\n`);
  };
  response.setHeader('content-type', MESSAGES);
  try {
    const words = parse(await bodyOf(request));
    if (!isWords(words)) {
      throw new UserError('The running orgdesk cannot read the request: is it another version?');
    }
    await answer(
      words,
      (print) => write({ print }),
      (progress) => write({ progress }),
      () => flushed(response),
    );
    write({ done: true });
  } catch (error) {
    const forPeople = error instanceof UserError;
    if (forPeople) write({ error: error.message, exitCode: error.exitCode });
    else write({ error: 'The running orgdesk failed: see its log.' });
    if (!forPeople) failed(error);
  } finally {
    response.end();
  }
}

/** @throws UserError for more than MAX_REQUEST_BYTES */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= MAX_REQUEST_BYTES) chunks.push(chunk);
  }
  if (bytes > MAX_REQUEST_BYTES) throw new UserError(`The request is longer than ${MAX_REQUEST_BYTES} bytes.`);
  return Buffer.concat(chunks).toString();
}

/** @throws UserError if the other process has disconnected */
async function flushed(response: ServerResponse): Promise<void> {
  if (!response.destroyed && response.writableNeedDrain) {
    const gone = new AbortController();
    const give = () => gone.abort();
    response.once('close', give);
    await once(response, 'drain', { signal: gone.signal }).catch(() => undefined);
    response.off('close', give);
  }
  if (response.destroyed) throw new UserError('The client has disconnected.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string');
}
