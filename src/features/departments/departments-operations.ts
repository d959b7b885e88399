import { assertCompanyVisible } from '../../api/company-row.ts';
import { ownThingOperations } from '../../api/crud-operations.ts';
import { usesByPeople } from '../../api/crud-service.ts';
import { operation } from '../../api/operation.ts';
import { page } from '../../api/output.ts';
import { pageRequestOf } from '../../api/pagination.ts';
import { corporateStaff } from '../../auth/callers/access.ts';
import type { Reader } from '../../db/database.ts';
import { department } from '../../entities/department.ts';
import { departmentColumns, listDepartments } from './departments-queries.ts';
import { DepartmentInFull, DepartmentListInput, DepartmentView, LISTED_FIELDS } from './departments-schemas.ts';

const list = operation({
  id: 'departments.list',
  operationId: 'listDepartments',
  tag: 'Departments',
  summary: 'List departments',
  description: 'The departments of a company by name. For Corporate Admins and Managers of that company.',
  access: corporateStaff,
  scope: 'departments.read',
  methods: ['GET'],
  path: '/api/departments/list',
  input: DepartmentListInput,
  output: page(DepartmentView),
  message: 'Departments retrieved successfully',
  async handle({ input, reach }, { lists }: { lists: Reader }) {
    await assertCompanyVisible(lists, reach, input.companyId);
    return listDepartments(lists, input, pageRequestOf(input));
  },
});

const own = ownThingOperations(
  {
    entity: department,
    columns: departmentColumns([...LISTED_FIELDS, 'companyId']),
    writable: ['name', 'costCode', 'budget'],
    uses: usesByPeople('department_id'),
  },
  {
    thing: 'Department',
    prefix: 'departments',
    path: '/api/departments',
    operationName: 'Department',
    tag: 'Departments',
    view: DepartmentInFull,
  },
);

export const departmentsOperations = [list, ...own];
