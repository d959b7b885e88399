import type { Schemas } from './contract.ts';

/** An error that the service answered. Where no answer came at all, it is what `fetch` rejects with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Undefined where it was not the service that answered, such as a proxy before it. */
  readonly code: Schemas['ErrorCode'] | undefined;
  /** What is wrong with which field; empty where no field is to blame. */
  readonly errors: readonly Schemas['FieldError'][];
  /** By which the service's log knows the request. */
  readonly requestId: string | undefined;
  /** With `PRECONDITION_FAILED`: what is there now. */
  readonly data: unknown;
  /** With `PRECONDITION_FAILED`: the version of what is there now. */
  readonly etag: string | undefined;
  /** Seconds after which it may be asked again, where the answer says so. */
  readonly retryAfter: number | undefined;

  /** @param body of the answer: the service's own is an object */
  constructor({ status, statusText, headers }: Pick<Response, 'status' | 'statusText' | 'headers'>, body: unknown) {
    const told = (typeof body === 'object' && body !== null ? body : {}) as Partial<
      Schemas['ApiError'] & { data: unknown }
    >;
    super(told.message ?? `The answer is ${status} ${statusText}, and none of the service`);
    this.status = status;
    this.code = told.code;
    this.errors = told.errors ?? [];
    this.requestId = told.requestId ?? headers.get('x-request-id') ?? undefined;
    this.data = told.data;
    this.etag = headers.get('etag') ?? undefined;
    const seconds = headers.get('retry-after') ?? '';
    this.retryAfter = /^\d{1,9}$/.test(seconds) ? Number(seconds) : undefined;
  }
}
