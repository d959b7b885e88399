import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { machineInWords, markdownTable } from '../../bench/support/medians.ts';
import { type Engine, IMAGE } from './engine.ts';

/** What was measured: bytes and milliseconds, each with what it is of. */
export interface Results {
  engine: string;
  sizes: (readonly [string, number])[];
  times: (readonly [string, number])[];
}

const PROGRAM = '/usr/local/lib/node_modules/orgdesk';
const NODE = '/usr/local/bin/node';

/** The bytes of the image, of its parts, and of the base. */
export async function sizesOf(engine: Engine): Promise<Results['sizes']> {
  const bytesOf = async (image: string) =>
    Number((await engine.run('image', 'inspect', '--format', '{{.Size}}', image)).stdout);
  const [whole, base] = [await bytesOf(IMAGE), await bytesOf(engine.base)];
  const du = ['--entrypoint', 'du', IMAGE, '--summarize', '--bytes', PROGRAM, NODE];
  const { stdout } = await engine.run('run', '--rm', '--network=host', ...engine.runFlags, ...du);
  const [program = 0, node = 0] = stdout.split('\n').map((line) => Number(line.split('\t')[0]));
  assert.ok(program > 0 && node > 0 && whole > program + node, stdout);
  return [
    ['the image', whole],
    ['in it orgdesk, with its one dependency', program],
    ['in it Node', node],
    ['in it the rest of the base', whole - program - node],
    ['the base by itself, with npm', base],
  ];
}

/** Writes docs/results/container.md. */
export function writeResults({ engine, sizes, times }: Results): void {
  const text = [
    '# The image',
    '',
    `Written by \`npm run long -- container\`: ${machineInWords()}. ${engine}.`,
    '',
    markdownTable(
      ['size', 'of'],
      sizes.map(([what, bytes]) => [megabytes(bytes), what]),
    ),
    '',
    markdownTable(
      ['time', 'of'],
      times.map(([what, milliseconds]) => [`${(milliseconds / 1000).toFixed(1)} s`, what]),
    ),
    '',
  ];
  writeFileSync(new URL('../../docs/results/container.md', import.meta.url), text.join('\n'));
}

/** Bytes for people: `12.3 MB`. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
