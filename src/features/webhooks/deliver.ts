import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { alwaysAt, permittedAddresses } from './public-addresses.ts';
import { signedHeaders } from './signature.ts';

/** One try of a delivery: what the receiver answered, or why there was no answer. */
export interface Try {
  at: Date;
  status: number | null;
  error: string | null;
  milliseconds: number;
  /** Seconds that the receiver asks to wait. */
  retryAfter: number | undefined;
}

export interface Message {
  id: string;
  url: string;
  body: string;
  secrets: readonly string[];
}

/** Time to answer in, in milliseconds, and bytes of an answer that are read. */
const DEADLINE_MS = 15_000;
const MOST_BYTES = 64 * 1024;

/**
 * Sends a message once: to an address that is looked at now, following no redirect. Never rejects.
 *
 * @param stop gives it up
 */
export async function deliver(message: Message, permitsPrivate: boolean, stop: AbortSignal): Promise<Try> {
  const at = new Date();
  const began = performance.now();
  const outcome = (status: number | null, error: string | null, retryAfter?: number): Try => ({
    ...{ at, status, error, retryAfter },
    milliseconds: Math.round(performance.now() - began),
  });
  try {
    const url = new URL(message.url);
    if (url.protocol !== 'https:' && !permitsPrivate) throw new TypeError('Nothing is sent without TLS.');
    const addresses = await permittedAddresses(url.hostname, permitsPrivate);
    const seconds = Math.floor(at.getTime() / 1000);
    const headers = signedHeaders(message.id, seconds, message.body, message.secrets);
    const signal = AbortSignal.any([stop, AbortSignal.timeout(DEADLINE_MS)]);
    const response = await send(url, message.body, headers, { lookup: alwaysAt(addresses), signal });
    const wait = Number(response.headers['retry-after']);
    return outcome(response.statusCode ?? null, null, Number.isFinite(wait) && wait > 0 ? wait : undefined);
  } catch (error) {
    const { name, message: text } = error as Error;
    return outcome(null, name === 'TimeoutError' ? `No answer within ${DEADLINE_MS / 1000} s.` : text.slice(0, 500));
  }
}

/** Whether a try was a delivery: nothing but a 2xx is. */
export function isDelivered({ status }: Try): boolean {
  return status !== null && status >= 200 && status < 300;
}

function send(
  url: URL,
  body: string,
  headers: Record<string, string>,
  options: { lookup: ReturnType<typeof alwaysAt>; signal: AbortSignal },
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      ...options,
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'orgdesk-webhooks',
      },
    });
    sending.on('error', (error) => reject(options.signal.aborted ? options.signal.reason : error));
    sending.on('response', (response) => {
      readSome(response);
      resolve(response);
    });
    sending.end(body);
  });
}

/** Reads so much of an answer that its sender is not reset, and no more. */
function readSome(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MOST_BYTES) response.destroy();
  });
}
