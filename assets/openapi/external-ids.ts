import { entityAt, namesByExternalIds, TARGETS } from '../../src/api/external-ids.ts';
import type { Operation } from '../../src/api/operation.ts';
import { EXTERNAL_ID } from '../../src/entities/characters.ts';
import type { Schema } from './components.ts';

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const OR_EXTERNAL = `^(?:${UUID}|${EXTERNAL_ID}.+)$`;

/** Returns the schema of a request in which ids of rows with external ids say that these are taken, too. */
export function withExternalIds(operation: Operation<never>, whole: Schema): Schema {
  if (!namesByExternalIds(operation)) return whole;
  const own = entityAt(operation.path);
  const walk = (schema: Schema, name: string, isRow: boolean): Schema => {
    const { format, properties, items, ...others } = schema;
    const isNamed = format === 'uuid' && (name === 'id' ? isRow && own !== undefined : TARGETS.has(name));
    const fields = Object.entries(properties ?? {}).map(([key, each]) => {
      // A create takes the id of no row that is there.
      const isKnown = (name === '' || name === 'update') && schema.required?.includes('id') === true;
      return [key, walk(each, key, isKnown)] as const;
    });
    return {
      ...others,
      ...(isNamed ? { pattern: OR_EXTERNAL } : format && { format }),
      ...(items ? { items: walk(items, name, isRow) } : {}),
      ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    };
  };
  return walk(whole, '', true);
}
