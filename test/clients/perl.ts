import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openService } from './live.ts';
import { ensure } from './tools.ts';

/** Prints what JSON::Validator, by which OpenAPI::Client and Mojolicious read a document, finds wrong, and its routes and version. */
const SCRIPT = `
  use JSON::Validator;
  my $schema = JSON::Validator->new->schema($ARGV[0])->schema;
  print "$_\\n" for @{$schema->errors};
  print $schema->routes->size, " routes, ", JSON::Validator->VERSION;`;

/** Has Perl validate the document for tools that know only OpenAPI 3.0, as the service serves it. */
export async function tryPerl(own: string): Promise<void> {
  await ensure(['perl', '-MJSON::Validator', '-e', '1'], ['libjson-validator-perl']);
  const { api } = await openService();
  await using _ = api;
  const served = JSON.parse((await api.app.inject({ url: '/openapi-3.0.json' })).body) as { paths: object };
  const file = join(own, 'openapi-3.0.json');
  writeFileSync(file, JSON.stringify(served));
  const { stdout } = await promisify(execFile)('perl', ['-e', SCRIPT, file]);
  const routes = Object.values(served.paths).flatMap(Object.keys).length;
  const [, version] = new RegExp(`^${routes} routes, ([\\d.]+)$`).exec(stdout) ?? assert.fail(stdout);
  process.stdout.write(`JSON::Validator ${version}: finds nothing wrong in ${routes} routes\n`);
}
