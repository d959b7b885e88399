import fs from 'node:fs';
import path from 'node:path';

// Part of `npm run check`: prints the reach of every file of operations or routes, and fails above its bound.
// The reach of a file is the number of files that it loads, itself included: its imports of values, transitively.

/** The most files that an entry may reach, by its path below src/features; `OTHERS` for every other one. */
const BOUNDS: Record<string, number> = {
  'people/import/import-operations.ts': 89,
  'scim/users/users-operations.ts': 78,
  'scim/groups/groups-operations.ts': 68,
  'people/users-operations.ts': 82,
  'approval-policies/approval-policies-operations.ts': 71,
  'webhooks/webhooks-operations.ts': 83,
  'sign-in-connections/sign-in-connections-operations.ts': 62,
  'audit-trail/audit-operations.ts': 66,
  'people/moves-operations.ts': 73,
  'directories/directories-operations.ts': 75,
  'companies/companies-operations.ts': 50,
  'legal-entities/legal-entities-operations.ts': 51,
  'roles/roles-operations.ts': 58,
  'fields/fields-operations.ts': 69,
  'travellers/travellers-operations.ts': 54,
  'groups/groups-operations.ts': 54,
  'geography/geography-operations.ts': 38,
};
const OTHERS = 49;

const IMPORT = /^(?:import|export)\s+(type\s+)?([^;]*?)from '(\.[^']+)'/gm;
const ONLY_TYPES = /^\{\s*(type [^,}]+,?\s*)+\}\s*$/;

const importsOf = new Map<string, string[]>();

/** Lists the files whose values a file imports. */
function valueImports(file: string): string[] {
  let found = importsOf.get(file);
  if (!found) {
    const imports = fs.readFileSync(file, 'utf8').matchAll(IMPORT);
    found = [...imports]
      .filter(([, isType, names = '']) => !isType && !ONLY_TYPES.test(names))
      .map(([, , , from = '']) => path.join(path.dirname(file), from))
      .filter((target) => target.endsWith('.ts') && target.startsWith('src'));
    importsOf.set(file, found);
  }
  return found;
}

/** Lists the files that an entry loads, itself included. */
function reach(entry: string): Set<string> {
  const reached = new Set([entry]);
  for (const file of reached) for (const next of valueImports(file)) reached.add(next);
  return reached;
}

const features = path.join('src', 'features');
const rows = fs
  .readdirSync(features, { recursive: true, encoding: 'utf8' })
  .filter((file) => /-(operations|routes)\.ts$/.test(file))
  .map((file) => ({
    name: file,
    count: reach(path.join(features, file)).size,
    bound: BOUNDS[file.replaceAll('\\', '/')] ?? OTHERS,
  }))
  .sort((a, b) => b.count - a.count);
for (const { name, count, bound } of rows) {
  const excess = count > bound ? `  more than ${bound}` : '';
  process.stdout.write(`${String(count).padStart(4)} files  ${name}${excess}\n`);
}
if (rows.some(({ count, bound }) => count > bound)) process.exitCode = 1;
