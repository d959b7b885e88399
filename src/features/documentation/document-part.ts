import { apiErrors, problemOf } from '../../entities/api-error.ts';

type Json = Readonly<Record<string, unknown>>;
type Operations = Readonly<Record<string, { tags?: readonly string[] }>>;

/** An OpenAPI document. */
export interface Document extends Json {
  paths: Readonly<Record<string, Operations>>;
  tags?: readonly { name: string }[];
  components?: Readonly<Record<string, Json>>;
}

/**
 * Returns the operations with some tags, and of the components those that they use: what fits into the tools of an agent.
 *
 * @param given names separated by commas; empty: the whole document
 * @throws ApiError `INVALID_INPUT` for a name that is no tag
 */
export function part(document: Document, given: unknown): Document {
  if (given === '') return document;
  const known = document.tags?.map(({ name }) => name) ?? [];
  const wanted = String(given)
    .split(',')
    .map((each) => known.find((name) => name.toLowerCase() === each.trim().toLowerCase()));
  const isKnown = (name: string | undefined) => name !== undefined;
  if (typeof given !== 'string' || !wanted.every(isKnown)) {
    throw apiErrors.invalidInput([problemOf('tags', 'INVALID_VALUE', `must be some of ${known.join(', ')}`)]);
  }
  const paths = Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, operations]) => {
      const kept = Object.entries(operations).filter(([, { tags = [] }]) => tags.some((tag) => wanted.includes(tag)));
      return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)]];
    }),
  );
  const { webhooks: _, 'x-webhooks': __, components = {}, ...others } = document;
  const used = usedComponents(components, paths);
  const keptComponents = Object.entries(components).map(([kind, all]) => [
    kind,
    kind === 'securitySchemes'
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
  ]);
  return {
    ...others,
    paths,
    tags: document.tags?.filter(({ name }) => wanted.includes(name)) ?? [],
    components: Object.fromEntries(keptComponents),
  };
}

const REFERENCE = /"\$ref":"(#\/components\/([^"/]+)\/([^"/]+))"/g;

/** Returns the references to components that some content uses, also through others. */
function usedComponents(components: NonNullable<Document['components']>, content: unknown): Set<string> {
  const used = new Set<string>();
  const waiting: unknown[] = [content];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, reference = '', kind = '', name = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      if (used.has(reference)) continue;
      used.add(reference);
      waiting.push(components[kind]?.[name]);
    }
  }
  return used;
}
