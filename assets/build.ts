import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOfSources, writeIndex } from './geography/index-file.ts';
import { writeGuides } from './guides.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'resources');
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.\w+$/.test(file))
    .map((file) => `${folder}/${file}`);

/** What the page at `/docs` is made of. Its package is not installed with the program: it reports each installation. */
const SWAGGER_UI = [
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'favicon-32x32.png'],
  ...['LICENSE', 'NOTICE'],
];

/** Makes `resources/`: the guides as pages, and what the program needs of far larger packages where that is not made of the same already. */
async function main(): Promise<void> {
  await writePackages();
  writeGuides(join(ROOT, 'docs'), join(OUTPUT, 'guides'));
}

async function writePackages(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/swagger-ui-dist/package.json'), 'utf8'));
  await writeAnew('swagger-ui', version, () => {
    mkdirSync(join(OUTPUT, 'swagger-ui'), { recursive: true });
    const { resolve } = createRequire(import.meta.url);
    for (const file of SWAGGER_UI) {
      copyFileSync(resolve(`swagger-ui-dist/${file}`), join(OUTPUT, 'swagger-ui', file));
    }
  });
  await writeAnew('geography.br', hashOfSources(), () => writeIndex(join(OUTPUT, 'geography.br')));
  const { version: engine } = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'),
  );
  const hash = createHash('sha256').update(engine);
  for (const file of ['assets/database.ts', 'src/lib/packed-parts.ts', ...filesIn('migrations')])
    hash.update(readFileSync(join(ROOT, file)));
  await writeAnew('database.br', hash.digest('hex'), async () => {
    const { packDatabase } = await import('./database.ts');
    writeFileSync(join(OUTPUT, 'database.br'), await packDatabase());
  });
}

/** Writes a resource, unless what it is made from is as it was: its stamp says so. */
async function writeAnew(name: string, source: string, write: () => unknown): Promise<void> {
  const stamp = join(OUTPUT, `.${name}-built-from`);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === source) return;
  rmSync(join(OUTPUT, name), { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await write();
  writeFileSync(stamp, source);
}

await main();
