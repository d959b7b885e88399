import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';

/*
 * Writes the types of the client, from the document: part of `npm run openapi`. With `--check`, ends with 1 where they are others.
 * Of an enum that may grow they have the values that are known now.
 */
const DOCUMENT = new URL('../openapi.json', import.meta.url);

const known = readFileSync(DOCUMENT, 'utf8').replaceAll('"x-extensible-enum"', '"enum"');
// The client writes parameters that are JSON.
const withSchema = (_: string, value: { in?: string; content?: Record<string, object> } | null) =>
  value?.in === 'query' && value.content
    ? { ...value, ...value.content['application/json'], content: undefined }
    : value;
const document = JSON.parse(known, withSchema);
const written = {
  'schema.ts': COMMENT_HEADER + astToString(await openapiTS(document, { defaultNonNullable: false })),
  'version.ts': `/** The version of the service and of its client. */\nexport const VERSION = '${document.info.version}';\n`,
};
for (const [name, text] of Object.entries(written)) {
  const file = new URL(`../src/client/${name}`, import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`src/client/${name} is not what openapi.json describes: npm run openapi\n`);
    process.exitCode = 1;
  }
}
