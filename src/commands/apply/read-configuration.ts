import { basename } from 'node:path';
import { isScalar, parseDocument, visit } from 'yaml';
import { isObject } from '../../entities/check-fields.ts';
import { UserError } from '../../lib/errors.ts';
import { readRegularFile } from '../../lib/regular-file.ts';
import { KINDS, kindNamed, type Row } from './kinds.ts';

/** What a file says, and what it takes from the environment: read where the command was given, whoever carries it out. */
export interface Configuration {
  file: string;
  /** GSTIN, name or id of the company whose things these are; absent: those of the platform. */
  company?: string | undefined;
  lists: readonly { name: string; items: readonly Row[] }[];
  environment: Readonly<Record<string, string | undefined>>;
}

/** Half of what a command may be that another process executes. */
const MAX_BYTES = 512 * 1024;
/** A variable of the environment in a text. */
export const VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)\}/g;

/** Reads a file of configuration, YAML or JSON. @throws UserError for what it cannot mean */
export async function readConfiguration(path: string): Promise<Configuration> {
  const file = basename(path);
  const text = (await readRegularFile(path, MAX_BYTES)).toString();
  const wrong = (message: string) => new UserError(`${file}: ${message}`);
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) throw wrong(error.message);
  visit(document, {
    // A code such as 007, or an amount such as 75000.00, is more than its number.
    Scalar(_, node) {
      const isOther = typeof node.value === 'number' && isScalar(node) && node.source !== String(node.value);
      if (isOther) node.value = node.source;
    },
  });
  const given: unknown = document.toJS();
  if (!isObject(given)) throw wrong('expected lists by the names of what they have, such as bands or departments.');
  const { company, ...others } = given;
  if (company !== undefined && typeof company !== 'string') {
    throw wrong('company must be the GSTIN, name or id of the company.');
  }
  const lists = Object.entries(others).map(([name, items]) => {
    if (!Array.isArray(items) || !items.every(isObject)) throw wrong(`${name} must be a list of objects.`);
    if (kindNamed(name) === undefined)
      throw wrong(`${name} is none of company, ${KINDS.map((each) => each.name).join(', ')}.`);
    return { name, items };
  });
  const names = [...text.matchAll(VARIABLE)].map(([, name = '']) => name);
  return { file, company, lists, environment: Object.fromEntries(names.map((name) => [name, process.env[name]])) };
}
