import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { guideFiles } from '../guides.ts';
import { installOwnPackages } from '../own-packages.ts';

/*
 * Builds the guides of this version as a site of files, with its own search: `npm run docs:site [FOLDER] [PATH]`. FOLDER (`site`) keeps
 * a folder for each version that was built into it, and a page that lists them; PATH (`/`) is where it is served. The first time it installs
 * VitePress; then it needs no network. Ends with 1 if a link leads nowhere.
 */
const [, , output = 'site', path = '/'] = process.argv;
const own = import.meta.dirname;
const pages = join(own, 'pages');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const target = join(process.cwd(), output, version);

installOwnPackages('assets/site');
layOutPages();
rmSync(target, { recursive: true, force: true });
const env = { ...process.env, SITE_BASE: `${path}${version}/`, SITE_VERSION: version, SITE_OUTPUT: target };
execFileSync(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build'], {
  cwd: own,
  env,
  stdio: 'inherit',
});
const links = checkLinks();
writeVersions();
process.stdout.write(`${output}/${version}: ${links} links lead to pages and headings that exist\n`);

/** The pages that the service shows, and the README as the first one. */
function layOutPages(): void {
  rmSync(pages, { recursive: true, force: true });
  for (const file of guideFiles('docs')) {
    mkdirSync(dirname(join(pages, file)), { recursive: true });
    if (file.endsWith('.md')) writeFileSync(join(pages, file), withPlaces(readFileSync(join('docs', file), 'utf8')));
    else cpSync(join('docs', file), join(pages, file));
  }
  writeFileSync(join(pages, 'index.md'), withPlaces(readFileSync('README.md', 'utf8')));
  mkdirSync(join(pages, 'public'));
  cpSync('openapi.json', join(pages, 'public/openapi.json'));
}

/** The text of a page, with links as they are on the site. */
function withPlaces(text: string): string {
  return text.replaceAll('](docs/', '](').replaceAll('](../openapi.json)', '](/openapi.json)');
}

/** Each link of each built page leads to a file, and to an anchor on it. */
function checkLinks(): number {
  const files = readdirSync(target, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const html = new Map(
    files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(target, file), 'utf8')]),
  );
  let count = 0;
  for (const [page, text] of html) {
    for (const [, href = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      if (/^(?:[a-z]+:|$)/i.test(href) || href === path) continue;
      const [place = '', anchor] = href.split('#');
      const to = place.startsWith('/') ? place.slice(env.SITE_BASE.length) : posix.join(posix.dirname(page), place);
      const file = [to, `${to}.html`, posix.join(to, 'index.html')].find(
        (each) => files.includes(each) && each !== '.',
      );
      const led = place === '' ? page : file;
      assert.ok(led, `${page}: ${href}`);
      if (anchor) assert.ok(html.get(led)?.includes(` id="${decodeURIComponent(anchor)}"`), `${page}: ${href}`);
      count++;
    }
  }
  assert.ok(html.size > 30 && count > 1000);
  return count;
}

/** Lists the versions of the folder, the newest first. */
function writeVersions(): void {
  const versions = readdirSync(output, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  const items = versions.map((each) => `<li><a href="${path}${each}/">${each}</a></li>`);
  writeFileSync(
    join(output, 'index.html'),
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>orgdesk</title>\n<h1>orgdesk</h1>\n<ul>\n${items.join('\n')}\n</ul>\n</html>\n`,
  );
}
