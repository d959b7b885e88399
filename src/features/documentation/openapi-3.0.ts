import type { Document } from './document-part.ts';

type Json = Readonly<Record<string, unknown>>;

/** Keys whose values are data, not parts of the document. */
const DATA = new Set(['example', 'default', 'enum', 'x-extensible-enum']);

/**
 * Returns an OpenAPI 3.1 document as 3.0.3, for tools that do not know JSON Schema 2020-12. Webhooks, which 3.0 does not have, become
 * `x-webhooks`; the scopes of API keys are in the descriptions alone.
 */
export function toOpenApi30(document: Document): Document {
  const { openapi: _, webhooks, ...others } = document;
  return { openapi: '3.0.3', ...(convert(others) as Document), 'x-webhooks': convert(webhooks) };
}

function convert(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(convert);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).flatMap(([key, value]): [string, unknown][] => {
    if (DATA.has(key)) return [[key, value]];
    if (key === 'properties') {
      return [[key, Object.fromEntries(Object.entries(value as Json).map(([name, each]) => [name, convert(each)]))]];
    }
    // Named examples of a media type stay.
    if (key === 'examples') return Array.isArray(value) ? [['example', value[0]]] : [[key, value]];
    if (key === 'security') return [[key, (value as Json[]).map(withoutScopes)]];
    if (key === 'const') return [['enum', [value]]];
    return [[key, convert(value)]];
  });
  return asSchema30(Object.fromEntries(entries));
}

/** The scopes of a scheme that is not OAuth. */
function withoutScopes(schemes: Json): Json {
  return Object.fromEntries(Object.keys(schemes).map((name) => [name, []]));
}

/** Null is no type in 3.0, and a reference has nothing next to it. Generators know neither a choice of one nor an enum of booleans. */
function asSchema30({ type, anyOf, $ref, ...others }: Json): Json {
  if ($ref !== undefined) return Object.keys(others).length === 0 ? { $ref } : { allOf: [{ $ref }], ...others };
  const types = [type].flat().filter((each) => each !== undefined);
  const choices = (anyOf ?? []) as Json[];
  const isNull = (choice: Json) => choice.nullable === true && Object.keys(choice).length === 1;
  const kept = choices.filter((choice) => !isNull(choice));
  const nullable = types.includes('null') || kept.length < choices.length;
  const [only] = types.filter((each) => each !== 'null');
  const [arm] = kept;
  const chosen =
    kept.length === 1 && arm !== undefined ? (arm.$ref === undefined ? arm : { allOf: [arm] }) : { anyOf: kept };
  const schema: Json = {
    ...(only === undefined ? {} : { type: only }),
    ...(kept.length > 0 ? chosen : {}),
    ...others,
    ...(nullable ? { nullable: true } : {}),
  };
  const { enum: _, ...plain } = schema;
  return only === 'boolean' ? plain : schema;
}
