import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const PACKAGES = join(DIST, 'packages');
/** PGlite stays a package of its own: it loads its files by their places. tsx is of sources alone. */
const EXTERNAL = /^(?:node:|@electric-sql\/pglite|tsx)/;

/** `import a, { b as c } from 'd'`, as the compiler writes it. */
const IMPORT = /^((?:import|export)\s+([^'";]*?)\s+from\s+)(['"])([^'"]+)\3/gm;
const DYNAMIC = /\bimport\((['"])([^'"]+)\1\)/g;

/**
 * Puts what the compiled program uses of packages into `dist/packages`, with their licences, and lets the program import it from there. Whoever
 * installs the program gets the very packages that its tests ran with, and nothing else of them.
 */
async function main(): Promise<void> {
  rmSync(PACKAGES, { recursive: true, force: true });
  const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js') && !file.startsWith('web'))
    .map((file) => ({ path: join(DIST, file), text: readFileSync(join(DIST, file), 'utf8') }));
  const used = usedNames(files.map(({ text }) => text));
  const modules = await bundle(used);
  for (const { path, text } of files) {
    const place = (name: string) => {
      const own = relative(dirname(path), join(PACKAGES, fileNameOf(name))).replaceAll('\\', '/');
      return used.has(name) ? (own.startsWith('.') ? own : `./${own}`) : name;
    };
    const changed = text
      .replace(
        IMPORT,
        (_whole, head: string, _names, quote: string, name: string) => head + quote + place(name) + quote,
      )
      .replace(DYNAMIC, (_whole, quote: string, name: string) => `import(${quote}${place(name)}${quote})`);
    if (changed !== text) writeFileSync(path, changed);
  }
  writeFileSync(join(PACKAGES, 'LICENSES.txt'), licences(modules));
}

/** The packages that are imported, each with the names that are taken of it. */
function usedNames(texts: readonly string[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const namesOf = (name: string) => {
    const names = used.get(name) ?? new Set();
    if (!name.startsWith('.') && !EXTERNAL.test(name)) used.set(name, names);
    return names;
  };
  for (const text of texts) {
    for (const [, , clause = '', , name = ''] of text.matchAll(IMPORT)) {
      const [, whole, , list = ''] =
        /^(?:([\w$*]+(?:\s+as\s+[\w$]+)?)\s*(,\s*)?)?(?:\{([^}]*)\})?$/s.exec(clause) ?? [];
      if (whole !== undefined) namesOf(name).add(whole.startsWith('*') ? '*' : 'default');
      for (const one of list.split(',')) {
        const taken = one.trim().split(/\s+as\s+/)[0];
        if (taken) namesOf(name).add(taken);
      }
    }
    for (const [, , name = ''] of text.matchAll(DYNAMIC)) namesOf(name).add('*');
  }
  return used;
}

/** @returns the files of packages that are in the result */
async function bundle(used: ReadonlyMap<string, ReadonlySet<string>>): Promise<string[]> {
  const entries = new Map([...used].map(([name, names]) => [`entry:${name}`, { name, names }]));
  const input = Object.fromEntries([...entries].map(([id, { name }]) => [fileNameOf(name).replace(/\.js$/, ''), id]));
  const result = await rolldown({
    input,
    cwd: ROOT,
    platform: 'node',
    external: [EXTERNAL, 'pg-native'],
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (entries.has(id) ? { id: join(ROOT, id) } : null),
        load(id) {
          const entry = entries.get(relative(ROOT, id));
          if (entry === undefined) return null;
          const { name, names } = entry;
          const from = `from ${JSON.stringify(name)};`;
          if (!names.has('*')) return `export { ${[...names].join(', ')} } ${from}`;
          return `export * ${from}\n${names.has('default') ? `export { default } ${from}` : ''}`;
        },
      },
    ],
  });
  const { output } = await result.write({ dir: PACKAGES, format: 'esm', chunkFileNames: 'shared-[hash].js' });
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

function fileNameOf(name: string): string {
  return `${name.replace(/^@/, '').replaceAll(/[^\w.-]/g, '-')}.js`;
}

function licences(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const each = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder).filter(
      (file) => /^(?:licen[cs]e|notice|copying)/i.test(file) && !/\.js$/.test(file),
    );
    const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return each.join(`\n${'-'.repeat(80)}\n\n`);
}

if (existsSync(DIST)) await main();
