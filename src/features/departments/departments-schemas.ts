import { type Static, Type } from 'typebox';
import {
  companyIdParameter,
  idParameter,
  newIdParameter,
  searchParameter,
  updatedSince,
} from '../../api/list-schemas.ts';
import { pageParameters } from '../../api/pagination.ts';
import { department } from '../../entities/department.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, givenFields, newRowFields } from '../../entities/field-schemas.ts';

export const DepartmentListInput = Type.Object({
  companyId: companyIdParameter(),
  search: searchParameter('name or cost code'),
  updatedSince,
  ...pageParameters(100),
});
export type DepartmentListInput = Static<typeof DepartmentListInput>;

/** Fields of a department in the list, and in the answers of a single one. */
export const LISTED_FIELDS = ['id', 'name', 'budget', 'costCode'] as const;
export const DETAIL_FIELDS = [...LISTED_FIELDS, 'companyId', 'parentId', 'headId'] as const;

export const DepartmentView = Type.Object(
  {
    ...answeredFields(department, LISTED_FIELDS),
    _count: Type.Object({
      users: Type.Integer({ description: 'People of the department, including deactivated ones', examples: [12] }),
    }),
  },
  { title: 'Department' },
);
export type DepartmentView = Static<typeof DepartmentView>;

/** A single department in responses. */
export const DepartmentDetail = Type.Object(
  { ...answeredFields(department, DETAIL_FIELDS), _count: DepartmentView.properties._count },
  { title: 'DepartmentDetail' },
);
export type DepartmentDetail = Static<typeof DepartmentDetail>;

/** Fields that a request may set besides the id and the company. */
export const DEPARTMENT_FIELDS = fieldsBut(department, 'id', 'companyId');

const id = idParameter(department);

export const DepartmentIdInput = Type.Object({ id });

export const DepartmentCreateInput = Type.Object({
  id: newIdParameter(),
  ...newRowFields(department, ['companyId', ...DEPARTMENT_FIELDS]),
});

export const DepartmentUpdateInput = Type.Object({
  id,
  ...Type.Partial(Type.Object(givenFields(department, DEPARTMENT_FIELDS))).properties,
});
