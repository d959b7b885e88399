import { readFileSync } from 'node:fs';
import { programFile } from './program-files.ts';

/** Commit of the sources, substituted by the build; absent where the sources run unbuilt. */
declare const BUILD_COMMIT: string | undefined;

const { version } = JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as { version: string };

/** Version of the program, and the commit it was built from (`unknown` outside a clone). */
export const PROGRAM = { version, commit: typeof BUILD_COMMIT === 'undefined' ? 'unknown' : BUILD_COMMIT };
