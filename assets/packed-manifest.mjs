import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/*
 * Around `npm pack`: what is installed has nothing to run at an install, and no packages for development. npm would ask for leave to run
 * `prepare`, and publishes nothing that is private. REPOSITORY_URL, which the release workflow sets, is the one place with an address:
 * https://HOST/OWNER/NAME of the repository that publishes. Without it the manifest has none.
 */
const KEPT = '.package.json.kept';
if (process.argv[2] === 'restore') {
  if (existsSync(KEPT)) renameSync(KEPT, 'package.json');
} else {
  const text = readFileSync(existsSync(KEPT) ? KEPT : 'package.json', 'utf8');
  writeFileSync(KEPT, text);
  const {
    scripts: _,
    private: __,
    devDependencies,
    overrides,
    workspaces,
    allowScripts,
    scarfSettings,
    ...installed
  } = JSON.parse(text);
  const { REPOSITORY_URL: url } = process.env;
  const addresses = url && {
    repository: { type: 'git', url: `git+${url}.git` },
    homepage: `${url}#readme`,
    bugs: `${url}/issues`,
  };
  writeFileSync('package.json', `${JSON.stringify({ ...installed, ...addresses }, null, 2)}\n`);
}
