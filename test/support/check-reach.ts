import fs from 'node:fs';
import path from 'node:path';

// Part of `npm run check`: prints the reach of every file of operations or routes, and fails above its bound.
// The reach of a file is the number of files that it loads, itself included: its imports of values, transitively.

/** The most files that an entry may reach, by its path below src/features; `OTHERS` for every other one. */
const BOUNDS: Record<string, number> = {
  'people/import/import-operations.ts': 99,
  'scim/users/users-operations.ts': 85,
  'scim/groups/groups-operations.ts': 75,
  'people/users-operations.ts': 86,
  'approval-policies/approval-policies-operations.ts': 74,
  'webhooks/webhooks-operations.ts': 85,
  'sign-in-connections/sign-in-connections-operations.ts': 65,
  'audit-trail/audit-operations.ts': 69,
  'people/moves-operations.ts': 76,
  'directories/directories-operations.ts': 77,
  'group-mappings/group-mappings-operations.ts': 61,
  'roles/roles-operations.ts': 62,
  'companies/companies-operations.ts': 64,
  'departments/departments-operations.ts': 52,
  'bands/bands-operations.ts': 51,
  'fields/fields-operations.ts': 72,
  'profile/profile-operations.ts': 56,
  'travellers/travellers-operations.ts': 59,
  'groups/groups-operations.ts': 57,
  'geography/geography-operations.ts': 39,
};
const OTHERS = 56;

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
