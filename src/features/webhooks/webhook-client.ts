import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { firstOfBody } from './first-of-body.ts';
import { checkedLookup, type HostRules, hostOf, permittedAddresses } from './public-addresses.ts';
import { secondsToWait } from './retry-after.ts';
import { signedHeaders } from './signature.ts';

/** One attempt to deliver a message: what the receiver answered, or why there was no answer. */
export interface DeliveryAttempt {
  at: Date;
  /** Null: there was no answer. */
  status: number | null;
  error: string | null;
  /** Until the headers of the answer had come. */
  milliseconds: number;
  /** The first 4 KiB of the body of the answer; null: there was no answer. */
  response: string | null;
  /** Seconds that the receiver asks to wait; undefined: it does not ask. */
  retryAfter: number | undefined;
}

export interface Message {
  id: string;
  url: string;
  body: string;
  secrets: readonly string[];
}

/** Milliseconds to answer in, and for which an idle connection is kept. */
const [DEADLINE_MS, IDLE_MS] = [15_000, 20_000];
/** Idle connections to one receiver that are kept: several webhooks may go to it. */
const MAX_IDLE = 8;

/** Sends messages to receivers. Disposing of it closes its connections. */
export interface WebhookClient extends Disposable {
  /**
   * Sends a message once, following no redirect. Never rejects.
   *
   * @param stop gives it up
   */
  send(message: Message, stop?: AbortSignal): Promise<DeliveryAttempt>;
}

export interface WebhookClientOptions extends HostRules {
  /** Milliseconds to answer in. */
  deadline?: number;
  now?: () => Date;
}

/** Opens a client that keeps connections for the next message. The address of each was checked when it was made. */
export function openWebhookClient({
  deadline = DEADLINE_MS,
  now = () => new Date(),
  ...rules
}: WebhookClientOptions): WebhookClient {
  const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, lookup: checkedLookup(rules) };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  async function request(message: Message, at: Date, stop: AbortSignal | undefined): Promise<IncomingMessage> {
    const url = new URL(message.url);
    if (url.protocol !== 'https:' && !rules.permitsPrivate) throw new TypeError('Nothing is sent without TLS.');
    // An address in the place of a name is looked up by nobody.
    if (isIP(hostOf(url)) !== 0) await permittedAddresses(url.hostname, rules);
    const headers = signedHeaders(message.id, Math.floor(at.getTime() / 1000), message.body, message.secrets);
    const agent = url.protocol === 'https:' ? agents.https : agents.http;
    for (;;) {
      try {
        return await post({ url, body: message.body, headers, agent, deadline, stop });
      } catch (error) {
        // The receiver has closed the connection before it could know of this message.
        if (!(error instanceof StaleConnectionError)) throw error;
      }
    }
  }

  return {
    async send(message, stop) {
      const at = now();
      const began = performance.now();
      const elapsed = () => Math.round(performance.now() - began);
      try {
        const answer = await request(message, at, stop);
        const { statusCode: status = null, headers } = answer;
        const milliseconds = elapsed();
        const response = await firstOfBody(answer);
        return { at, status, error: null, milliseconds, response, retryAfter: secondsToWait(headers, now()) };
      } catch (error) {
        const reason = (error as Error).message.slice(0, 500);
        return { at, status: null, error: reason, milliseconds: elapsed(), response: null, retryAfter: undefined };
      }
    },
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Returns whether an attempt was a delivery: nothing but a 2xx is. */
export function isDelivered({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A connection that was kept has turned out to be closed. */
class StaleConnectionError extends Error {}

interface PostRequest {
  url: URL;
  body: string;
  headers: Record<string, string>;
  agent: HttpAgent;
  deadline: number;
  stop: AbortSignal | undefined;
}

function post({ url, body, headers, agent, deadline, stop }: PostRequest): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const posting = request(url, {
      agent,
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'orgdesk-webhooks',
      },
    });
    const giveUp = () => void posting.destroy(new Error('It was given up.'));
    const late = () => void posting.destroy(new Error(`No answer within ${deadline / 1000} s.`));
    const timer = setTimeout(late, deadline);
    stop?.addEventListener('abort', giveUp);
    posting.on('close', () => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', giveUp);
    });
    posting.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = posting.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isStale ? new StaleConnectionError() : error);
    });
    posting.on('response', resolve);
    if (stop?.aborted) giveUp();
    else posting.end(body);
  });
}
