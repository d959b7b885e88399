import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

/*
 * Writes the types of the client, from the document: part of `npm run openapi`. With `--check`, ends with 1 where they are others.
 * Of an enum that may grow they have the values that are known now.
 */
const DOCUMENT = new URL('../openapi.json', import.meta.url);
const TYPES = new URL('../src/client/schema.ts', import.meta.url);

const known = readFileSync(DOCUMENT, 'utf8').replaceAll('"x-extensible-enum"', '"enum"');
// The client writes parameters that are JSON.
const withSchema = (_: string, value: { in?: string; content?: Record<string, object> } | null) =>
  value?.in === 'query' && value.content ? { ...value, ...value.content['application/json'], content: undefined } : value;
const document = JSON.parse(known, withSchema);
const types = COMMENT_HEADER + astToString(await openapiTS(document, { defaultNonNullable: false }));
if (!process.argv.includes('--check')) writeFileSync(TYPES, types);
else if (readFileSync(TYPES, 'utf8') !== types) {
  process.stderr.write('src/client/schema.ts is not what openapi.json describes: npm run openapi\n');
  process.exitCode = 1;
}
