import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../lib/program.ts';

/** Output folder of the console's build (web/build.ts): next to the built program, and found from its sources as well. */
const CONSOLE_FOLDER = fileURLToPath(programFile('dist/web'));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** A file of the console, plain and as compressed at build time. */
export interface ConsoleFile {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

export interface ConsoleFiles {
  /** The HTML page; the nonce of its policy has to be filled in. */
  page: string;
  /** By request path; the content of a file under `/assets/` never changes. */
  assets: ReadonlyMap<string, ConsoleFile>;
}

/** Reads the built console into memory, some hundred kilobytes; undefined if it is not built. */
export async function readConsoleFiles(folder = CONSOLE_FOLDER): Promise<ConsoleFiles | undefined> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  if (!names.includes('index.html')) return undefined;
  const assets = new Map<string, ConsoleFile>();
  for (const name of names) {
    const type = TYPES[extname(name)];
    if (type === undefined || name === 'index.html') continue;
    const path = join(folder, name);
    const compressed = async (ending: string) => (names.includes(name + ending) ? readFile(path + ending) : undefined);
    const [plain, br, gzip] = await Promise.all([readFile(path), compressed('.br'), compressed('.gz')]);
    assets.set(`/${name.replaceAll('\\', '/')}`, { type, plain, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) });
  }
  return { page: await readFile(join(folder, 'index.html'), 'utf8'), assets };
}
