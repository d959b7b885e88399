import { Type } from 'typebox';
import { readId, readUpdate } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operationsOf } from '../../api/crud-operations.ts';
import { idParameter } from '../../api/list-schemas.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { notFound } from '../../api/write-request.ts';
import { administrators, companyStaff } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { fieldDefinition } from '../../entities/field-definition.ts';
import { givenFields } from '../../entities/field-schemas.ts';
import { checkIfMatch } from '../../http/response/entity-tag.ts';
import { CHANGED_FIELDS, FieldListInput, FieldView } from './fields-schemas.ts';
import { definitions, listFields, removeField, withMissing } from './fields-service.ts';

const reads = { access: companyStaff, scope: 'departments.read' } as const;
const writes = { access: administrators, scope: 'organization.write' } as const;
const common = { tag: 'Fields', output: one(FieldView) } as const;
const { create, update } = operationsOf(definitions, { output: common.output, reads, writes });
const id = idParameter(fieldDefinition);

const list = operation({
  ...reads,
  id: 'fields.list',
  operationId: 'listFields',
  tag: common.tag,
  summary: 'List fields',
  description:
    'The fields of one’s own of the platform, and with companyId those of a company too, in their order. For Corporate ' +
    'Admins and Managers of that company.',
  input: FieldListInput,
  output: page(FieldView),
  message: 'Fields retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    if (input.companyId !== undefined) await assertCompanyVisible(lists, scope, input.companyId);
    return listFields(lists, input, pageRequestOf(input));
  },
});

const get = operation({
  ...common,
  ...reads,
  id: 'fields.get',
  operationId: 'getField',
  summary: 'Get a field',
  description:
    'One field with, of a required one, the number of rows without it, and of a PERSON, of those who are gone. For ' +
    'Corporate Admins and Managers of its company; those of the platform for all of them.',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: Type.Object({ id }),
  message: 'Field retrieved successfully',
  handle: async ({ input, scope }, { db }: { db: Database }) =>
    withMissing(db, await definitions.get(db, input.id, scope), scope),
});

const remove = operation({
  ...common,
  ...writes,
  id: 'fields.delete',
  operationId: 'deleteField',
  summary: 'Delete a field',
  description:
    'Makes a field inactive: its values are kept for 30 days. One that is inactive is removed with its values. For ' +
    'Corporate Admins of its company, and for Super Admins.',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND'],
  input: Type.Object({ id }),
  parse: (raw) => readId(fieldDefinition, raw),
  message: 'Field deleted successfully',
  async handle(call, { db }: { db: Database }) {
    const present = await definitions.get(db, call.input.id, call.scope);
    if (present.active) return definitions.update(db, call, { id: present.id, patch: { active: false } });
    if (present.companyId === null && call.scope !== 'all') throw notFound(fieldDefinition.noun);
    checkIfMatch(call.ifMatch, present, fieldDefinition.noun);
    await db.transaction((transaction) => removeField(transaction, call.actor, present));
    return present;
  },
});

export const fieldsOperations = [
  list,
  get,
  create({
    id: 'fields.create',
    errors: ['LIMIT_REACHED'],
    description:
      'A field that rows of an entity have from then on in fields, of a company or without companyId of all. ' +
      'For Corporate Admins of the company; those of the platform for Super Admins.',
  }),
  update(
    {
      id: 'fields.update',
      description:
        'Its entity, key and type stay as they are. For Corporate Admins of its company, and for Super Admins.',
    },
    {
      properties: givenFields(fieldDefinition, CHANGED_FIELDS),
      read: (raw) => readUpdate(fieldDefinition, CHANGED_FIELDS, raw),
      write: definitions.update,
    },
  ),
  remove,
];
