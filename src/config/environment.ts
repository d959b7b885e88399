import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UserError } from '../lib/errors.ts';
import { nearestName } from '../lib/text-folding.ts';
import type { Environment } from './read-settings.ts';
import { SETTINGS } from './settings-table.ts';

/** Minimum length of a compared name: shorter ones are near too many others. */
const MIN_LENGTH = 6;

const KNOWN = Object.entries(SETTINGS).flatMap(([name, setting]) =>
  'secret' in setting ? [name, `${name}_FILE`] : [name],
);

const COMPARED = KNOWN.filter(({ length }) => length >= MIN_LENGTH);

/** Returns a warning for each environment variable whose name is almost that of a setting. */
export function unknownSettings(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    const near =
      KNOWN.includes(name) || !env[name] || name.length < MIN_LENGTH ? undefined : nearestName(name, COMPARED);
    return near === undefined ? [] : [`${name} is no setting of orgdesk and has no effect: did you mean ${near}?`];
  });
}

const ASSIGNMENT = /^\s*(?:export\s+)?(\w+)\s*=/gm;
const QUOTED = /(?<==[ \t]*)(["'`])[\s\S]*?\1/g;
/** A line that Node.js would take as a part of the next name, or leave out. */
const ODD_LINE = /^(?![ \t]*(?:#|\r?$|(?:export[ \t]+)?\w+[ \t]*=)).*$/m;
/** An assignment whose value ends at a `#` for Node.js, and not for a shell or systemd. */
const CUT_OFF = /^\s*(?:export\s+)?(\w+)\s*=\s*[^\s'"`#](?:[^\n#]*[^\s#])?#/m;

/**
 * Sets the environment variables that a file assigns, in the form of Node.js; those that are set already stay.
 *
 * @throws UserError for a file that cannot be read or whose values are not what they seem to be
 */
export function loadEnvFile(path: string): void {
  const wrong = (what: string) => new UserError(`--env-file ${path}: ${what}.`);
  let text: string;
  try {
    // Editors of Windows begin a file with a byte order mark.
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw wrong(`expected a file that can be read (${(error as Error).message})`);
  }
  const odd = ODD_LINE.exec(text.replace(QUOTED, (quoted) => quoted.replace(/[^\n]/g, '')));
  if (odd) throw wrong(`line ${odd.input.slice(0, odd.index).split('\n').length}: expected NAME=VALUE`);
  const assigned = parseEnv(text);
  const [, cutOff] = CUT_OFF.exec(text) ?? [];
  if (cutOff !== undefined) throw wrong(`expected quotes around the value of ${cutOff}, as it has a #`);
  const names = [...text.matchAll(ASSIGNMENT)].map(([, name = '']) => name);
  // Node.js reads names within a value whose quote has no end.
  const open = names.find((name) => /^["'`]|^undefined$/.test(`${assigned[name]}`));
  if (open !== undefined) throw wrong(`expected the value of ${open} to end with the quote that it begins with`);
  if (names.length === 0) throw wrong('expected lines such as PORT=3000');
  for (const name of names) process.env[name] ??= assigned[name];
}
