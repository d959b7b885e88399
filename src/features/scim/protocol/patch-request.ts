import { isObject } from '../../../entities/check-fields.ts';
import { ScimError } from './error.ts';

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const MAX_OPERATIONS = 1_000;
const MAX_PATH = 2_000;
/** Entries of `schemas` that are read. */
const MAX_SCHEMAS = 100;

/** An operation of a PATCH; `op` is lower-cased, and an empty path is undefined. */
export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string | undefined;
  value: unknown;
}

/** Reads the body of a PATCH (RFC 7644, section 3.5.2). @throws ApiError `invalidSyntax`, `invalidPath`, `noTarget`, `invalidValue` */
export function readOperations(raw: unknown): PatchOperation[] {
  const { schemas, Operations } = membersOf(raw, ['schemas', 'Operations']);
  const named: unknown[] = Array.isArray(schemas) ? schemas.slice(0, MAX_SCHEMAS) : [];
  // Several directories send none.
  if (schemas !== undefined && !named.some((each) => String(each).toLowerCase() === PATCH_SCHEMA.toLowerCase())) {
    throw new ScimError('invalidSyntax', `schemas must have ${PATCH_SCHEMA}.`);
  }
  if (!Array.isArray(Operations) || Operations.length === 0 || Operations.length > MAX_OPERATIONS) {
    throw new ScimError('invalidSyntax', `Operations must be a list of 1 to ${MAX_OPERATIONS} operations.`);
  }
  return Operations.map(readOperation);
}

function readOperation(raw: unknown, index: number): PatchOperation {
  const { op, path, value } = membersOf(raw, ['op', 'path', 'value']);
  const name = typeof op === 'string' ? op.trim().toLowerCase() : op;
  if (name !== 'add' && name !== 'replace' && name !== 'remove') {
    throw new ScimError('invalidSyntax', `Operations[${index}].op must be add, replace or remove.`);
  }
  if (path !== undefined && path !== null && (typeof path !== 'string' || path.length > MAX_PATH)) {
    throw new ScimError('invalidPath', `Operations[${index}].path must be a text of at most ${MAX_PATH} characters.`);
  }
  const trimmed = path?.trim() || undefined;
  if (name === 'remove' && trimmed === undefined) {
    throw new ScimError('noTarget', `Operations[${index}] removes nothing: it has no path.`);
  }
  if (name !== 'remove' && value === undefined) {
    throw new ScimError('invalidValue', `Operations[${index}] has no value.`);
  }
  return { op: name, path: trimmed, value };
}

/** Returns the named members of an object, ignoring the case of names. */
function membersOf<Name extends string>(raw: unknown, names: readonly Name[]): Partial<Record<Name, unknown>> {
  const members: Partial<Record<Name, unknown>> = {};
  for (const [key, value] of isObject(raw) ? Object.entries(raw) : []) {
    const name = names.find((each) => each.toLowerCase() === key.toLowerCase());
    if (name !== undefined) members[name] = value;
  }
  return members;
}
