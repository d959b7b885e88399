import { readFileSync } from 'node:fs';
import { programFile } from './program-files.ts';

/** Replaced by the build with the commit of the sources; absent where these are run as they are. */
declare const BUILD_COMMIT: string | undefined;

const { version } = JSON.parse(readFileSync(programFile('package.json'), 'utf8')) as { version: string };

/** The version of the program, and the commit that it was built from: `unknown` outside of a clone. */
export const PROGRAM = { version, commit: typeof BUILD_COMMIT === 'undefined' ? 'unknown' : BUILD_COMMIT };
