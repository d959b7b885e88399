import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';

/*
 * Adds two entities to a copy of the sources: their files, a migration, operations, and a line in each of the two lists of what there is. The
 * tests of the copy demand that everything else takes them.
 */

const ADDED = 'test/entities/added';
const copy = mkdtempSync(join(tmpdir(), 'orgdesk-added-'));

for (const path of ['src', 'test', 'assets', 'migrations', 'demo', 'package.json', 'tsconfig.json', 'openapi.json'])
  cpSync(path, join(copy, path), { recursive: true });
for (const path of ['node_modules', 'resources', 'dist']) symlinkSync(join(process.cwd(), path), join(copy, path));

/** Inserts a line before the first one that begins with a text, and after it in the import lines. */
function edit(file: string, importLine: string, [list, entry]: readonly [list: string, entry: string]): void {
  const text = readFileSync(join(copy, file), 'utf8');
  if (!text.includes(list)) throw new Error(`${file} has no ${list}`);
  writeFileSync(join(copy, file), `${importLine}\n${text.replace(list, `${list}\n  ${entry},`)}`);
}

edit('src/entities/entities.ts', `import { project, travelDocument } from '../../${ADDED}/project.ts';`, [
  'const DESCRIBED = [',
  'project, travelDocument',
]);
edit('src/app/all-operations.ts', `import { projectsOperations } from '../../${ADDED}/projects-operations.ts';`, [
  'export const OPERATIONS: readonly Operation<Services>[] = [',
  '...projectsOperations',
]);
writeFileSync(join(copy, 'migrations', '9000.do.projects.sql'), readFileSync(join(ADDED, 'projects.sql'), 'utf8'));
mkdirSync(join(copy, 'web'));

/** Imports a file of the copy. */
function ofCopy<Module>(path: string): Promise<Module> {
  return import(pathToFileURL(join(copy, path)).href);
}

// The templates of the run have the schema without the migration.
delete process.env.TEST_PGLITE_TEMPLATES;
let remaining: AsyncDisposable | undefined;
const { TEST_POSTGRES_URL: server } = process.env;
if (process.env.TEST_DATABASE === 'postgres' && server !== undefined) {
  const { makePostgresTemplates } = await ofCopy<typeof import('../support/templates.ts')>('test/support/templates.ts');
  const templates = await makePostgresTemplates(server);
  remaining = templates;
  process.env.TEST_POSTGRES_TEMPLATES = templates.prefix;
}

await ofCopy(`${ADDED}/projects.try.ts`);
await ofCopy('test/db/entities.test.ts');

// After the hooks of these files, which use both.
after(async () => {
  await remaining?.[Symbol.asyncDispose]();
  rmSync(copy, { recursive: true, force: true });
});
