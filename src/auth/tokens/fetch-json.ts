import { decodeJwt } from 'jose';
import { type TraceContext, traceHeaders } from '../../lib/trace-context.ts';

/** Milliseconds for a question to another party, whatever it takes to answer it. */
export const TIME_LIMIT = 5_000;
/** Bytes. */
const MAX_ANSWER = 256 * 1024;

/**
 * Fetches a JSON object, or the claims of a JWT, as userinfo may be (OpenID Connect Core 1.0, section 5.3.2): TLS stands for its signature.
 * Redirects are not followed: what is asked is the address that is configured, or that the configured party names.
 *
 * @param signal ends it, and has to in time
 * @param trace what the request is sent for
 * @throws where the answer is not a 200 with a JSON object of at most 256 KiB
 */
export async function fetchJsonObject(
  url: URL,
  options: { signal: AbortSignal; headers?: Readonly<Record<string, string>>; trace?: TraceContext | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  const { signal, headers = {}, trace } = options;
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/jwt;q=0.9', ...headers, ...traceHeaders(trace) },
    redirect: 'error',
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${nameOf(url)} answered with the status ${response.status}`);
  }
  const text = await readBounded(response, url);
  const isJwt = /^application\/jwt\b/i.test(response.headers.get('content-type') ?? '');
  const value: unknown = isJwt ? decodeJwt(text) : JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${nameOf(url)} answered with something else than a JSON object`);
  }
  return value as Readonly<Record<string, unknown>>;
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // To leave the loop cancels the rest of the answer.
    if (length > MAX_ANSWER) throw new Error(`${nameOf(url)} answered with more than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** Without the query, which may hold what is nobody's business. */
function nameOf({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
