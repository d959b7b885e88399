import type { Schemas } from './contract.ts';

/** An error response. Without any response, calls reject with the error of `fetch`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
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
  constructor({ status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>, body: unknown) {
    const fields = (typeof body === 'object' && body !== null ? body : {}) as Partial<
      Schemas['ApiError'] & { data: unknown }
    >;
    super(fields.message ?? `The answer is ${status} ${statusText}, and none of the service`);
    this.status = status;
    this.code = fields.code;
    this.errors = fields.errors ?? [];
    this.requestId = fields.requestId ?? headers.get('x-request-id') ?? undefined;
    this.data = fields.data;
    this.etag = headers.get('etag') ?? undefined;
    const seconds = headers.get('retry-after') ?? '';
    this.retryAfter = /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
  }
}
