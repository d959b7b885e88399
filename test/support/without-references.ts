/** An OpenAPI document with what its `$ref`s refer to in their places. Nothing in it may refer to itself. */
export function withoutReferences<Document extends object>(document: Document): Document {
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    const { $ref, ...others } = part as Record<string, unknown>;
    const found = typeof $ref === 'string' ? resolve(at(document, $ref)) : {};
    return { ...(found as object), ...Object.fromEntries(Object.entries(others).map(([k, v]) => [k, resolve(v)])) };
  };
  return resolve(document) as Document;
}

function at(document: object, reference: string): unknown {
  const names = reference.replace(/^#\//, '').split('/');
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document);
}
