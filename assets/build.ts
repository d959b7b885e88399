import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGeographyParts } from '../src/features/geography/geography-parts.ts';
import { packParts } from '../src/lib/packed-parts.ts';
import { packDatabase } from './database.ts';
import { buildGeography } from './geography/geography.ts';
import { writeGuides } from './guides.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'resources');
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.\w+$/.test(file))
    .map((file) => `${folder}/${file}`);
/** Of each resource. */
const SOURCES = ['package-lock.json', 'assets/build.ts', 'src/lib/packed-parts.ts'];

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
  await writeAnew('swagger-ui', [], () => {
    mkdirSync(join(OUTPUT, 'swagger-ui'), { recursive: true });
    const { resolve } = createRequire(import.meta.url);
    for (const file of SWAGGER_UI) {
      copyFileSync(resolve(`swagger-ui-dist/${file}`), join(OUTPUT, 'swagger-ui', file));
    }
  });
  const places = [...filesIn('assets/geography'), ...filesIn('src/features/geography'), 'src/lib/text-folding.ts'];
  await writeAnew('geography.br', places, () =>
    writeFileSync(join(OUTPUT, 'geography.br'), packParts(buildGeographyParts(buildGeography()))),
  );
  await writeAnew('database.br', ['assets/database.ts', ...filesIn('migrations')], async () =>
    writeFileSync(join(OUTPUT, 'database.br'), await packDatabase()),
  );
}

/** Writes a resource, unless what it is made from is as it was: its stamp has the hash. */
async function writeAnew(name: string, sources: readonly string[], write: () => unknown): Promise<void> {
  const hash = createHash('sha256');
  for (const file of [...SOURCES, ...sources]) hash.update(readFileSync(join(ROOT, file)));
  const [source, stamp] = [hash.digest('hex'), join(OUTPUT, `.${name}-built-from`)];
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === source) return;
  rmSync(join(OUTPUT, name), { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await write();
  writeFileSync(stamp, source);
}

await main();
