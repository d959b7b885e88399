import { writeFileSync } from 'node:fs';
import { GENERATED_PAGES } from './generated-pages.ts';
import { schemaFile } from './schema-file.ts';
import { openTestDatabase } from './test-database.ts';

// `npm run docs`: writes the pages of the documentation anew that come from the code, and the schema that comes from the migrations.
for (const [path, text] of Object.entries(GENERATED_PAGES)) {
  writeFileSync(new URL(`../../${path}`, import.meta.url), text());
}

await using db = await openTestDatabase();
writeFileSync(new URL('../../docs/schema.sql', import.meta.url), await schemaFile(db));
