import { readFileSync } from 'node:fs';

// Prints the section of CHANGELOG.md about a tag such as v1.2.3: the notes of the release. Ends with 1 unless the tag is the version of package.json, and has a section.
const [, , tag = ''] = process.argv;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m);
const section = sections.find((each) => each.startsWith(`[${version}]`));
if (tag !== `v${version}` || section === undefined) {
  process.stderr.write(`The tag ${tag} needs version ${version} to be the same, and its section in CHANGELOG.md.\n`);
  process.exitCode = 1;
} else process.stdout.write(section.slice(section.indexOf('\n')).trim());
