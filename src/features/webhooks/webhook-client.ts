import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { checkedLookup, type HostRules, hostOf, permittedAddresses } from '../../lib/public-addresses.ts';
import { signedHeaders } from './messages.ts';

/** An attempt to deliver a message: the response of the receiver, or why there was none. */
export interface DeliveryAttempt {
  at: Date;
  /** Null: there was no response. */
  status: number | null;
  error: string | null;
  /** Time until the headers of the response, or until the failure. */
  milliseconds: number;
  /** The first 4 KiB of the response body; null: there was no response. */
  response: string | null;
  /** Seconds to wait by `Retry-After`; undefined without one. */
  retryAfter: number | undefined;
}

export interface Message {
  id: string;
  url: string;
  body: string;
  secrets: readonly string[];
  /** The webhook's own. */
  headers?: Readonly<Record<string, string>>;
}

/** Response timeout and keep-alive time of idle connections, in milliseconds. */
const [DEADLINE_MS, IDLE_MS] = [15_000, 20_000];
/** Idle connections kept per receiver, which may serve several webhooks. */
const MAX_IDLE = 8;

/** Sends messages to receivers. Disposal closes its connections. */
export interface WebhookClient extends Disposable {
  /**
   * Sends a message once, without following redirects. Never rejects.
   *
   * @param stop aborts the attempt
   */
  send(message: Message, stop?: AbortSignal): Promise<DeliveryAttempt>;
}

export interface WebhookClientOptions extends HostRules {
  /** Response timeout in milliseconds. */
  deadline?: number;
  now?: () => Date;
}

/** Returns a client with keep-alive connections. Addresses are checked when a connection is opened. */
export function openWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { deadline = DEADLINE_MS, now = () => new Date(), ...rules } = options;
  const kept = { keepAlive: true, maxFreeSockets: MAX_IDLE, timeout: IDLE_MS, lookup: checkedLookup(rules) };
  const agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };

  async function request(message: Message, at: Date, stop: AbortSignal | undefined): Promise<IncomingMessage> {
    const url = new URL(message.url);
    if (url.protocol !== 'https:' && !rules.permitsPrivate) throw new TypeError('Nothing is sent without TLS.');
    // For an IP address the agent does not call `lookup`: check it here.
    if (isIP(hostOf(url)) !== 0) await permittedAddresses(url.hostname, rules);
    const signed = signedHeaders(message.id, Math.floor(at.getTime() / 1000), message.body, message.secrets);
    const headers = { ...message.headers, ...signed };
    const agent = url.protocol === 'https:' ? agents.https : agents.http;
    for (;;) {
      try {
        return await post({ url, body: message.body, headers, agent, deadline, stop });
      } catch (error) {
        // The receiver closed the idle connection before this message reached it: safe to send again.
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

/** Returns whether an attempt succeeded: only a 2xx counts. */
export function isDelivered({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A keep-alive connection turned out to be closed. */
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

/** Bytes of a response that are read, so that its sender sees no connection reset, and bytes that are kept. */
const [MAX_READ, MAX_KEPT] = [64 * 1024, 4 * 1024];
/** Milliseconds that the next message waits for the kept part. */
const MAX_WAIT_MS = 250;

/**
 * Returns the first 4 KiB of a response body as text, or what arrives of them within 250 ms. Reading continues in the background, up to
 * 64 KiB. Never rejects.
 */
function firstOfBody(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const kept: Buffer[] = [];
    let bytes = 0;
    const done = () => {
      clearTimeout(timer);
      resolve(textOf(Buffer.concat(kept)));
    };
    const timer = setTimeout(done, MAX_WAIT_MS);
    answer.on('error', done).on('close', done);
    answer.on('data', (piece: Buffer) => {
      if (bytes < MAX_KEPT) kept.push(piece.subarray(0, MAX_KEPT - bytes));
      bytes += piece.length;
      if (bytes >= MAX_KEPT) done();
      if (bytes > MAX_READ) answer.destroy();
    });
  });
}

/** Decodes UTF-8 without a character truncated at the limit. NUL is replaced, as PostgreSQL cannot store it. */
function textOf(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: bytes.length === MAX_KEPT }).replaceAll('\0', '\ufffd');
}

/** The three formats of an HTTP date (RFC 9110, section 5.6.7); the last one omits that it is GMT. */
const HTTP_DATE =
  /^(?:\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT|\w{6,9}, \d\d-\w{3}-\d\d [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/;

/** Returns the seconds to wait from now by `Retry-After`; undefined where it is absent, invalid or past. */
export function secondsToWait(headers: IncomingHttpHeaders, now: Date): number | undefined {
  const given = headers['retry-after']?.trim() ?? '';
  const seconds = /^\d+$/.test(given) ? Number(given) : (dateOf(given) - now.getTime()) / 1000;
  return seconds > 0 ? seconds : undefined;
}

function dateOf(given: string): number {
  if (!HTTP_DATE.test(given)) return Number.NaN;
  return Date.parse(given.endsWith(' GMT') ? given : `${given} GMT`);
}
