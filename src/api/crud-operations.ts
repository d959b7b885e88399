import { type TObject, Type } from 'typebox';
import { corporateAdmins, corporateStaff } from '../auth/callers/access.ts';
import type { Database } from '../db/database.ts';
import { fieldOf } from '../entities/entity.ts';
import { givenFields, newRowFields } from '../entities/field-schemas.ts';
import { entityTag } from '../http/response/entity-tag.ts';
import type { FieldProblem } from '../lib/errors.ts';
import { checkCreate, checkUpdate, parseBody, throwIfInvalid } from './body.ts';
import { findThing, type NewThing, type OwnThing, ownThings, type ThingView } from './crud-service.ts';
import { type Operation, operation } from './operation.ts';
import { one } from './output.ts';
import { writeRequest } from './write-request.ts';

/** How the operations of a kind of thing are called, and what they take beside the fields of its entity. */
export interface OwnThingNames {
  /** As messages call one: `Approval Policy`. */
  thing: string;
  /** Of the operations: `approvalPolicies`; of their paths: `/api/approval-policies`; of the OpenAPI document: `ApprovalPolicy`, `Approval policies`. */
  prefix: string;
  path: string;
  operationName: string;
  tag: string;
  view: TObject;
  /** The schema of the parts in bodies, and their check. `isNew`: of a create. */
  parts?: {
    schema(isNew: boolean): TObject['properties'];
    check(given: unknown, isNew: boolean): { value: unknown; problems: readonly FieldProblem[] };
  };
}

/** The four standard methods beside the list, for a kind of thing that is a company's own affair. */
export function ownThingOperations<View extends ThingView>(
  ownThing: OwnThing<View>,
  { thing, prefix, path, operationName, tag, view, parts }: OwnThingNames,
): Operation<{ db: Database }>[] {
  const { entity, writable } = ownThing;
  const services = ownThings(ownThing);
  const noun = entity.noun;
  const idKind = fieldOf(entity, entity.id).kind;
  const { example = '' } = fieldOf(entity, entity.id);
  const partsName = ownThing.parts?.name;
  const more = partsName === undefined ? [] : [partsName];
  const common = { tag, output: one(view), errors: ['NOT_FOUND'] } as const;
  const idInput = Type.Object({
    id: Type.String({
      ...(idKind.sqlType === 'uuid' ? { format: 'uuid' } : { maxLength: 100 }),
      description: `Of the ${noun}`,
      examples: [String(example)],
    }),
  });

  const get = operation({
    ...common,
    id: `${prefix}.get`,
    operationId: `get${operationName}`,
    summary: `Get ${noun}`,
    description: `One ${noun} with its company. For Corporate Admins and Managers of that company.`,
    access: corporateStaff,
    methods: ['GET'],
    path: `${path}/get`,
    etag: 'response',
    input: idInput,
    message: `${thing} retrieved successfully`,
    async handle({ input, reach, reply }, { db }: { db: Database }) {
      const found = await findThing(db, ownThing, input.id, reach);
      reply.header('etag', entityTag(found));
      return found;
    },
  });

  const create = operation({
    ...common,
    id: `${prefix}.create`,
    operationId: `create${operationName}`,
    summary: `Create ${noun}`,
    description: `With an id of one's own it is safe to repeat: the very same content again changes nothing. For Corporate Admins of that company.`,
    access: corporateAdmins,
    methods: ['POST'],
    path: `${path}/create`,
    writes: true,
    etag: 'response',
    errors: ['ALREADY_EXISTS'],
    input: Type.Object({
      id: Type.Optional(Type.String({ format: 'uuid', description: 'Left out: the service makes one' })),
      ...newRowFields(entity, ['companyId', ...writable]),
      ...parts?.schema(true),
    }),
    parse(raw: unknown): NewThing {
      const given = parseBody(raw);
      const { values, problems } = checkCreate(entity, ['companyId', ...writable], given, more);
      if (partsName === undefined || parts === undefined) {
        throwIfInvalid(problems);
        return values as NewThing;
      }
      const checked = parts.check(given[partsName], true);
      throwIfInvalid(problems, checked.problems);
      return { ...(values as NewThing), [partsName]: checked.value };
    },
    message: `${thing} created successfully`,
    async handle(call, { db }: { db: Database }) {
      const created = await services.create(db, writeRequest(call), call.input);
      call.reply.header('etag', entityTag(created));
      return created;
    },
  });

  const update = operation({
    ...common,
    id: `${prefix}.update`,
    operationId: `update${operationName}`,
    summary: `Update ${noun}`,
    description: `Changes the fields that are sent. With If-Match only where it is still what was read. For Corporate Admins of that company.`,
    access: corporateAdmins,
    methods: ['POST'],
    path: `${path}/update`,
    writes: true,
    etag: 'If-Match',
    errors: [
      'NOT_FOUND',
      ...(entity.unique.length > 0 ? (['ALREADY_EXISTS'] as const) : []),
      ...(ownThing.rules?.errors ?? []),
    ],
    input: Type.Object({
      id: idInput.properties.id,
      ...Type.Partial(Type.Object({ ...givenFields(entity, writable), ...parts?.schema(false) })).properties,
    }),
    parse(raw: unknown) {
      const given = parseBody(raw);
      const { values, problems } = checkUpdate(entity, writable, given, more);
      const isGiven = partsName !== undefined && Object.hasOwn(given, partsName);
      const checked = isGiven ? parts?.check(given[partsName], false) : undefined;
      throwIfInvalid(problems, checked?.problems ?? []);
      return { id: values.id, patch: values.patch, given: checked?.value };
    },
    message: `${thing} updated successfully`,
    async handle(call, { db }: { db: Database }) {
      const updated = await services.update(db, writeRequest(call), call.input);
      call.reply.header('etag', entityTag(updated));
      return updated;
    },
  });

  const remove = operation({
    ...common,
    id: `${prefix}.delete`,
    operationId: `delete${operationName}`,
    summary: `Delete ${noun}`,
    description: `Answers with the ${noun} as it was. For Corporate Admins of that company.`,
    access: corporateAdmins,
    methods: ['POST'],
    path: `${path}/delete`,
    writes: true,
    etag: 'If-Match',
    errors: ownThing.uses ? ['NOT_FOUND', 'IN_USE'] : ['NOT_FOUND'],
    input: idInput,
    parse(raw: unknown) {
      const { values, problems } = checkUpdate(entity, [], parseBody(raw));
      throwIfInvalid(problems);
      return { id: values.id };
    },
    message: `${thing} deleted successfully`,
    handle: (call, { db }: { db: Database }) => services.remove(db, writeRequest(call), call.input.id),
  });

  return [get, create, update, remove];
}
