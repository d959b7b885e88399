import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { checkedLookup, hostOf, permittedAddresses } from './public-addresses.ts';
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

/** Milliseconds to answer in, and for which a connection is kept that nothing goes over; bytes of an answer that are read. */
export const DEADLINE_MS = 15_000;
const IDLE_MS = 20_000;
/** Connections to one receiver that are kept: several webhooks may go to it. */
const MAX_KEPT = 8;
const MAX_BYTES = 64 * 1024;

/** Brings messages to receivers. Disposing of it closes its connections. */
export interface Courier extends Disposable {
  /**
   * Sends a message once, following no redirect. Never rejects.
   *
   * @param stop gives it up
   */
  deliver(message: Message, stop: AbortSignal): Promise<Try>;
}

/**
 * A courier keeps connections open for the next message. The address of each was looked at when it was made.
 *
 * @param deadline milliseconds to answer in
 */
export function openCourier(permitsPrivate: boolean, deadline = DEADLINE_MS): Courier {
  const kept = { keepAlive: true, maxFreeSockets: MAX_KEPT, timeout: IDLE_MS, lookup: checkedLookup(permitsPrivate) };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  async function sendOnce(message: Message, at: Date, stop: AbortSignal): Promise<IncomingMessage> {
    const url = new URL(message.url);
    if (url.protocol !== 'https:' && !permitsPrivate) throw new TypeError('Nothing is sent without TLS.');
    // An address in the place of a name is looked up by nobody.
    if (isIP(hostOf(url)) !== 0) await permittedAddresses(url.hostname, permitsPrivate);
    const headers = signedHeaders(message.id, Math.floor(at.getTime() / 1000), message.body, message.secrets);
    const agent = url.protocol === 'https:' ? agents.https : agents.http;
    for (;;) {
      try {
        return await send({ url, body: message.body, headers, agent, deadline, stop });
      } catch (error) {
        // The receiver has closed the connection before it could know of this message.
        if (!(error instanceof StaleConnectionError)) throw error;
      }
    }
  }

  return {
    async deliver(message, stop) {
      const at = new Date();
      const began = performance.now();
      const outcome = (status: number | null, error: string | null, retryAfter?: number): Try => ({
        ...{ at, status, error, retryAfter },
        milliseconds: Math.round(performance.now() - began),
      });
      try {
        const { statusCode = null, headers } = await sendOnce(message, at, stop);
        const wait = Number(headers['retry-after']);
        return outcome(statusCode, null, Number.isFinite(wait) && wait > 0 ? wait : undefined);
      } catch (error) {
        return outcome(null, (error as Error).message.slice(0, 500));
      }
    },
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Whether a try was a delivery: nothing but a 2xx is. */
export function isDelivered({ status }: Try): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A connection that was kept has turned out to be closed. */
class StaleConnectionError extends Error {}

interface Sending {
  url: URL;
  body: string;
  headers: Record<string, string>;
  agent: HttpAgent;
  deadline: number;
  stop: AbortSignal;
}

function send({ url, body, headers, agent, deadline, stop }: Sending): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sending = request(url, {
      agent,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'orgdesk-webhooks',
      },
    });
    const giveUp = () => void sending.destroy(new Error('It was given up.'));
    const late = () => void sending.destroy(new Error(`No answer within ${deadline / 1000} s.`));
    const timer = setTimeout(late, deadline);
    stop.addEventListener('abort', giveUp);
    sending.on('close', () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', giveUp);
    });
    sending.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sending.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnectionError() : error);
    });
    sending.on('response', (response) => {
      readSome(response);
      resolve(response);
    });
    if (stop.aborted) giveUp();
    else sending.end(body);
  });
}

/** Reads so much of an answer that its sender is not reset, and no more. */
function readSome(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => undefined);
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_BYTES) response.destroy();
  });
}
