import type { FastifyReply } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Page, PageRequest } from '../db/sql/select-page.ts';
import { AnyPaginationSchema, pageRequestOf, paginationOf } from './pagination.ts';

/** Format of an operation's successful responses (spec.: Common response envelope). */
export interface Output<Result> {
  /** Schema of the returned object, or of each item of a list. */
  readonly view: TSchema;
  /** Schema of the whole response. */
  readonly schema: TObject;
  /** Wraps the result of the handler in the whole response. */
  wrap(message: string, result: Result, input: object | undefined): unknown;
  /** The response is not serialised by the schema: the handler sends it, or it is bytes already. */
  readonly isRaw?: true;
}

/** Returns the response envelope of a message and its payload. */
export function envelope<Data>(message: string, data: Data) {
  return { success: true, message, data };
}

function envelopeSchema<More extends Record<string, TSchema>>(title: string, data: TSchema, more: More) {
  const message = Type.String({ description: 'Human-readable result' });
  return Type.Object({ success: Type.Literal(true), message, data, ...more }, { title });
}

/** Title of a view in the OpenAPI document. */
const titleOf = (view: TSchema) => String((view as { title?: unknown }).title);

/** Output of a single object. @param messageOf returns the message for an input; undefined: that of the operation */
export function one<View extends TSchema>(
  view: View,
  messageOf: (input: object) => string | undefined = () => undefined,
): Output<Static<View>> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}Answer`, view, {}),
    wrap: (message, data, input) => envelope(messageOf(input ?? {}) ?? message, data),
  };
}

/** What an answer has beside a list. */
type Beside = Readonly<Record<string, unknown>>;

/** Output of an always paginated list, with the pagination block. @param more what it has beside the list */
export function page<View extends TSchema>(
  view: View,
  more: Record<string, TSchema> = {},
): Output<Page<Static<View>> & { beside?: Beside }> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}List`, Type.Array(view), { ...more, pagination: AnyPaginationSchema }),
    wrap: (message, { items, beside, ...total }, input) => ({
      ...envelope(message, items),
      ...beside,
      pagination: paginationOf(total, pageRequestOf(input as Partial<PageRequest>)),
    }),
  };
}

/** Output of a list that is short enough to be sent as a whole. @param more what it has beside the list */
export function whole<View extends TObject>(
  view: View,
  more: Record<string, TSchema>,
): Output<{ items: Static<View>[]; beside: Beside }> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}List`, Type.Array(view), more),
    wrap: (message, { items, beside }) => ({ ...envelope(message, items), ...beside }),
  };
}

/** Output of what has changed, with the cursor `next` for what follows. */
export function changes<View extends TObject>(
  view: View,
  next: TSchema,
): Output<{ items: Static<View>[]; next: string }> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}Feed`, Type.Array(view), { next }),
    wrap: (message, { items, next: cursor }) => ({ ...envelope(message, items), next: cursor }),
  };
}

/** Output of a list that is paginated on request; the handler sends it. */
export function streamedList(view: TObject): Output<FastifyReply> {
  const pagination = Type.Optional(AnyPaginationSchema);
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}List`, Type.Array(view), { pagination }),
    wrap: (_message, reply) => reply,
    isRaw: true,
  };
}

/** Items of a feed as pieces of comma-separated JSON, and the cursor `next` for the following ones. */
export interface FeedItems {
  pieces: readonly Buffer[];
  next: string;
}

const COMMA = Buffer.from(',');

/** Output of a feed, concatenated from serialised pieces: serialising it at once would block the event loop. */
export function feed(view: TObject, next: TSchema): Output<FeedItems> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}Feed`, Type.Array(view), { next }),
    wrap(message, { pieces, next }) {
      const head = JSON.stringify(envelope(message, [])).slice(0, -']}'.length);
      return Buffer.concat([
        Buffer.from(head),
        ...pieces.flatMap((piece, index) => (index === 0 ? [piece] : [COMMA, piece])),
        Buffer.from(`],"next":${JSON.stringify(next)}}`),
      ]);
    },
    isRaw: true,
  };
}

/** Output in the format of another standard; the handler sends it. */
export const rawResponse: Output<FastifyReply> = {
  view: Type.Object({}),
  schema: Type.Object({}),
  wrap: (_message, reply) => reply,
  isRaw: true,
};
