import type { Schemas } from './contract.ts';

/** An error response, or one that is not of the service. Without any response, calls reject with the error of `fetch`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** In the range of 200 if a proxy or a portal answered in the place of the service, or the answer was cut. */
  readonly status: number;
  /** Address of the request, or where redirects led. */
  readonly url: string;
  /** Undefined if the response is not from the service, but from a proxy, for example. */
  readonly code: Schemas['ErrorCode'] | undefined;
  /** Problems by field; empty if no field is at fault. */
  readonly errors: readonly Schemas['FieldError'][];
  /** Id of the request in the log of the service. */
  readonly requestId: string | undefined;
  /** With `PRECONDITION_FAILED`: the present state. */
  readonly data: unknown;
  /** With `PRECONDITION_FAILED`: the ETag of the present state. */
  readonly etag: string | undefined;
  /** Value of `Retry-After` in seconds, if the response has one. */
  readonly retryAfter: number | undefined;

  /** @param body of the response, parsed; that of the service is an object */
  constructor({ status, statusText, headers, url }: Told, body: unknown) {
    const fields = (typeof body === 'object' && body !== null ? body : {}) as Partial<
      Schemas['ApiError'] & { data: unknown }
    >;
    super(
      (status >= 400 && fields.message) || `The answer of ${url} is ${status} ${statusText}, and none of the service`,
    );
    this.status = status;
    this.url = url;
    this.code = fields.code;
    this.errors = fields.errors ?? [];
    this.requestId = fields.requestId ?? headers.get('x-request-id') ?? undefined;
    this.data = fields.data;
    this.etag = headers.get('etag') ?? undefined;
    this.retryAfter = secondsUntil(headers.get('retry-after') ?? '', headers.get('date'));
  }
}

type Told = Pick<Response, 'status' | 'statusText' | 'headers' | 'url'>;

/** Reads a `Retry-After`, which is a number of seconds or a date by the clock of who sent it. */
function secondsUntil(given: string, sent: string | null): number | undefined {
  if (/^\d{1,9}$/.test(given)) return Number(given);
  const until = Date.parse(given);
  const now = Date.parse(sent ?? '') || Date.now();
  return Number.isNaN(until) ? undefined : Math.max(0, (until - now) / 1000);
}
