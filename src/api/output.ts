import type { FastifyReply } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Page, PageRequest } from '../db/sql/select-page.ts';
import { PaginationSchema, pageRequestOf, paginationOf } from './pagination.ts';

/** The form of an operation's successful answers (spec.: Common response envelope). */
export interface Output<Result> {
  /** The schema of what is answered, or of each item of it. */
  readonly view: TSchema;
  /** The schema of the whole answer. */
  readonly schema: TObject;
  /** The whole answer with what the handler gave. */
  wrap(message: string, result: Result, input: object | undefined): unknown;
  /** The answer is bytes already: nothing is to be written by the schema. */
  readonly isRaw?: true;
}

/** The text of an answer and its payload. */
export function envelope<Data>(message: string, data: Data) {
  return { success: true, message, data };
}

function envelopeSchema<More extends Record<string, TSchema>>(title: string, data: TSchema, more: More) {
  const message = Type.String({ description: 'What was done, for people' });
  return Type.Object({ success: Type.Literal(true), message, data, ...more }, { title });
}

/** What a view is called in the OpenAPI document. */
const titleOf = (view: TSchema) => String((view as { title?: unknown }).title);

/** One object. */
export function one<View extends TSchema>(view: View): Output<Static<View>> {
  return { view, schema: envelopeSchema(`${titleOf(view)}Answer`, view, {}), wrap: envelope };
}

/** One page of a list that is always paginated, with the pagination block. */
export function page<View extends TObject>(view: View): Output<Page<Static<View>>> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}List`, Type.Array(view), { pagination: PaginationSchema }),
    wrap: (message, { items, totalItems }, input) => ({
      ...envelope(message, items),
      pagination: paginationOf(totalItems, pageRequestOf(input as Partial<PageRequest>)),
    }),
  };
}

/** A list that is paginated on request, which the handler sends by itself. */
export function streamedList(view: TObject): Output<FastifyReply> {
  const pagination = Type.Optional(PaginationSchema);
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}List`, Type.Array(view), { pagination }),
    wrap: (_message, reply) => reply,
    isRaw: true,
  };
}

/** Some items of a feed as JSON text, in pieces with commas between the items of each, and `next`, which asks for those after them. */
export interface FeedItems {
  pieces: readonly Buffer[];
  next: string;
}

const COMMA = Buffer.from(',');

/** A long list, put together from pieces: to write it as a whole would keep everybody else waiting. */
export function feed(view: TObject, next: TSchema): Output<FeedItems> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}Feed`, Type.Array(view), { next }),
    wrap(message, { pieces, next }) {
      const head = JSON.stringify(envelope(message, [])).slice(0, -']}'.length);
      return Buffer.concat([
        Buffer.from(head),
        ...withCommas(pieces),
        Buffer.from(`],"next":${JSON.stringify(next)}}`),
      ]);
    },
    isRaw: true,
  };
}

/**
 * An answer whose last field is a long list, which is there as pieces of JSON with commas between the items of each.
 *
 * @param messageOf the text of the answer to some input; undefined: that of the operation
 */
export function oneWithList<View extends TObject, Name extends keyof Static<View> & string>(
  view: View,
  list: Name,
  messageOf: (input: object) => string | undefined = () => undefined,
): Output<Omit<Static<View>, Name> & { [List in Name]: readonly Buffer[] }> {
  return {
    view,
    schema: envelopeSchema(`${titleOf(view)}Answer`, view, {}),
    wrap(message, { [list]: pieces, ...others }, input) {
      const text = messageOf(input ?? {}) ?? message;
      const head = JSON.stringify(envelope(text, { ...others, [list]: [] })).slice(0, -']}}'.length);
      return Buffer.concat([Buffer.from(head), ...withCommas(pieces as readonly Buffer[]), Buffer.from(']}}')]);
    },
    isRaw: true,
  };
}

function withCommas(pieces: readonly Buffer[]): Buffer[] {
  return pieces.flatMap((piece, place) => (place === 0 ? [piece] : [COMMA, piece]));
}

/** An answer in the form of another standard, which the handler sends by itself. */
export const rawResponse: Output<FastifyReply> = {
  view: Type.Object({}),
  schema: Type.Object({}),
  wrap: (_message, reply) => reply,
  isRaw: true,
};
