import { readCreate, readId, readUpdate } from '../../api/body.ts';
import { assertCompanyVisible } from '../../api/company-row.ts';
import { operation } from '../../api/operation.ts';
import { one, page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateAdmins, corporateStaff } from '../../auth/callers/access.ts';
import type { Database, Reader } from '../../db/database.ts';
import { department } from '../../entities/department.ts';
import { departments, listDepartments } from './departments-queries.ts';
import {
  DEPARTMENT_FIELDS,
  DepartmentCreateInput,
  DepartmentDetail,
  DepartmentIdInput,
  DepartmentListInput,
  DepartmentUpdateInput,
  DepartmentView,
} from './departments-schemas.ts';

const list = operation({
  id: 'departments.list',
  operationId: 'listDepartments',
  tag: 'Departments',
  summary: 'List departments',
  description: 'The departments of a company, sorted by name. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'departments.read',
  methods: ['GET'],
  path: '/api/departments/list',
  input: DepartmentListInput,
  output: page(DepartmentView),
  message: 'Departments retrieved successfully',
  async handle({ input, scope }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, scope, input.companyId);
    return listDepartments(lists, input, pageRequestOf(input));
  },
});

const common = { tag: 'Departments', output: one(DepartmentDetail) } as const;

const get = operation({
  ...common,
  id: 'departments.get',
  operationId: 'getDepartment',
  scope: 'departments.read',
  summary: 'Get department',
  description: 'One department with its company. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  methods: ['GET'],
  path: '/api/departments/get',
  etag: 'response',
  errors: ['NOT_FOUND'],
  input: DepartmentIdInput,
  message: 'Department retrieved successfully',
  handle: ({ input, scope }, { db }: { db: Database }) => departments.get(db, input.id, scope),
});

const create = operation({
  ...common,
  id: 'departments.create',
  operationId: 'createDepartment',
  scope: 'organization.write',
  summary: 'Create department',
  description:
    'Idempotent with a client-generated id: a repetition with the same content changes nothing. For Corporate Admins ' +
    'of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/departments/create',
  writes: true,
  etag: 'response',
  errors: ['ALREADY_EXISTS'],
  input: DepartmentCreateInput,
  parse: (raw) => readCreate(department, ['companyId', ...DEPARTMENT_FIELDS], raw),
  message: 'Department created successfully',
  handle: (call, { db }: { db: Database }) => departments.create(db, call, call.input),
});

const update = operation({
  ...common,
  id: 'departments.update',
  operationId: 'updateDepartment',
  scope: 'organization.write',
  summary: 'Update department',
  description:
    'Changes the fields that are sent. With If-Match, fails with 412 if it has changed since it was read. For ' +
    'Corporate Admins of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/departments/update',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'ALREADY_EXISTS', 'CIRCLE'],
  input: DepartmentUpdateInput,
  parse: (raw) => readUpdate(department, DEPARTMENT_FIELDS, raw),
  message: 'Department updated successfully',
  handle: (call, { db }: { db: Database }) => departments.update(db, call, call.input),
});

const remove = operation({
  ...common,
  id: 'departments.delete',
  operationId: 'deleteDepartment',
  scope: 'organization.write',
  summary: 'Delete department',
  description: 'Returns the deleted department. For Corporate Admins of that company.',
  access: corporateAdmins,
  methods: ['POST'],
  path: '/api/departments/delete',
  writes: true,
  etag: 'If-Match',
  errors: ['NOT_FOUND', 'IN_USE'],
  input: DepartmentIdInput,
  parse: (raw) => readId(department, raw),
  message: 'Department deleted successfully',
  handle: (call, { db }: { db: Database }) => departments.remove(db, call, call.input.id),
});

export const departmentsOperations = [list, get, create, update, remove];
