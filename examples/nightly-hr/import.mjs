// import.mjs FILE [--plan]: the people of the HR system's file, every night. The file has everybody: who came by an earlier file and
// is missing in this one is deactivated. Shows the plan first, and writes nothing if it is unusual. A key with users.write.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { createClient } from 'orgdesk-client';

const [, , file, option] = process.argv;
const { ORGDESK_URL: baseUrl, ORGDESK_KEY: token, COMPANY_ID: companyId, MAX_LEAVERS = '2' } = process.env;
const orgdesk = createClient({ baseUrl, token });
const csv = await readFile(file, 'utf8');
// The name of the file has its date: an older one than the last is refused.
const asOf = /\d{4}-\d\d-\d\d/.test(file) ? { asOf: basename(file) } : {};
const query = { companyId, feed: 'hr', mode: 'all', scope: 'file', maxLeavers: Number(MAX_LEAVERS), ...asOf };

const { data: plan } = await orgdesk.postCsv('/api/users/import', { ...query, dryRun: true, changes: true }, csv);
for (const { line, action, email, fields } of plan.changes) {
  const details = fields.map(({ field, before, after }) => `${field} ${before ?? '–'} → ${after ?? '–'}`);
  console.log(`line ${line}: ${email} ${action}: ${details.join(', ')}`);
}
for (const { email } of plan.leaving ?? []) console.log(`${email} leaves`);
for (const { line, column, message } of plan.problems) console.error(`line ${line}, ${column}: ${message}`);
for (const { message } of plan.over ?? []) console.error(message);

if (plan.problemsTotal > 0 || plan.over?.length > 0) {
  console.error('Nothing was written.');
  process.exitCode = 1;
} else if (option !== '--plan') {
  const { data } = await orgdesk.postCsv('/api/users/import', query, csv);
  console.log(`${data.added} added, ${data.changed} changed, ${data.leavers ?? 0} left`);
}
