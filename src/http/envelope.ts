import { type TSchema, Type } from 'typebox';
import { type Page, type PageRequest, paginationOf } from './pagination.ts';

/** Wraps the payload of a successful answer (spec.: Common response envelope). */
export function envelope<Data>(message: string, data: Data) {
  return { success: true, message, data };
}

/** Wraps one page of a list. */
export function pageEnvelope<Item>(message: string, page: Page<Item>, request: PageRequest) {
  return { ...envelope(message, page.items), pagination: paginationOf(page.totalItems, request) };
}

/** The schema of a successful answer with this message and payload. */
export function envelopeSchema<Data extends TSchema>(message: string, data: Data) {
  return Type.Object({ success: Type.Literal(true), message: Type.String({ examples: [message] }), data });
}

/** The schema of a list's answer; `pagination` says whether the page block is always there or only on request. */
export function listEnvelopeSchema<Item extends TSchema>(
  message: string,
  item: Item,
  pagination: 'always' | 'on request',
) {
  const block = Type.Ref('Pagination#');
  return Type.Object({
    success: Type.Literal(true),
    message: Type.String({ examples: [message] }),
    data: Type.Array(item),
    ...(pagination === 'always' ? { pagination: block } : { pagination: Type.Optional(block) }),
  });
}
