import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

// Around `npm pack`: what is installed has nothing to run at an install, and no packages for development. npm would ask for leave to run `prepare`.
const KEPT = '.package.json.kept';
if (process.argv[2] === 'restore') {
  if (existsSync(KEPT)) renameSync(KEPT, 'package.json');
} else {
  const text = readFileSync(existsSync(KEPT) ? KEPT : 'package.json', 'utf8');
  writeFileSync(KEPT, text);
  const {
    scripts: _,
    devDependencies,
    overrides,
    workspaces,
    allowScripts,
    scarfSettings,
    ...installed
  } = JSON.parse(text);
  writeFileSync('package.json', `${JSON.stringify(installed, null, 2)}\n`);
}
