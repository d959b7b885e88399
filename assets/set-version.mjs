import { readFileSync, writeFileSync } from 'node:fs';

// Writes the version that `npm version` sets into the other files that name it, and over the newest section of the changelog.
const { npm_old_version: before = '', npm_new_version: next = '' } = process.env;
const FILES = [
  'Dockerfile',
  'packages/client/package.json',
  'compose.yaml',
  'deploy/kubernetes/orgdesk.yaml',
  'deploy/kubernetes/migrate.yaml',
  'deploy/helm/Chart.yaml',
  'docs/client.md',
  'docs/deployment.md',
];
for (const file of FILES) writeFileSync(file, readFileSync(file, 'utf8').replaceAll(before, next));
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const day = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', changelog.replace('## [Unreleased]', `## [${next}] - ${day}`));
