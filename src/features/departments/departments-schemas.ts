import { type Static, Type } from 'typebox';
import { fieldsView, includedTimes, timeFields } from '../../api/list-schemas.ts';
import { department } from '../../entities/department.ts';
import { fieldsBut } from '../../entities/entity.ts';
import { answeredFields, nullable, titled } from '../../entities/field-schemas.ts';
import { user } from '../../entities/user.ts';
import { EffectiveEntityView } from '../legal-entities/effective-entity.ts';

/** Fields of a department in the list, and in the answers of a single one. */
const SHOWN_FIELDS = ['id', 'name', 'budget', 'costCode'] as const;
/** Those that are columns; the budget is that of the present period. */
export const LISTED_FIELDS = ['id', 'name', 'costCode'] as const;
const STRUCTURE_FIELDS = ['parentId', 'headId'] as const;
export const DETAIL_FIELDS = [
  ...LISTED_FIELDS,
  ...fieldsBut(department, ...SHOWN_FIELDS, 'budgets', 'fields'),
] as const;
export const STRUCTURED_FIELDS = [...LISTED_FIELDS, ...STRUCTURE_FIELDS] as const;
export const HEAD_FIELDS = ['id', 'firstName', 'lastName'] as const;

const structure = answeredFields(department, STRUCTURE_FIELDS);
const someone = Type.Object(answeredFields(user, HEAD_FIELDS), { description: 'The person of headId' });
const head = nullable<Static<typeof someone>>(someone);

export const DepartmentView = titled('Department', {
  ...answeredFields(department, SHOWN_FIELDS),
  ...Type.Partial(Type.Object({ ...structure, head, ...answeredFields(department, ['externalId']) })).properties,
  ...includedTimes,
  ...fieldsView,
  _count: Type.Object({
    users: Type.Integer({ description: 'People of the department, including deactivated ones', examples: [12] }),
  }),
});
export type DepartmentView = Static<typeof DepartmentView>;

/** A single department in responses. */
export const DepartmentDetail = titled('DepartmentDetail', {
  ...answeredFields(department, [...SHOWN_FIELDS, ...DETAIL_FIELDS, 'budgets']),
  head,
  legalEntity: EffectiveEntityView,
  people: Type.Object(
    {
      own: Type.Integer({ description: 'In the department', examples: [12] }),
      withBelow: Type.Integer({ description: 'In the department and those below it', examples: [40] }),
    },
    { description: 'Number of people, including deactivated ones; the ETag does not cover it' },
  ),
  ...timeFields,
  ...fieldsView,
  _count: DepartmentView.properties._count,
});
export type DepartmentDetail = Static<typeof DepartmentDetail>;

/** Fields that a request may set besides the id and the company. */
export const DEPARTMENT_FIELDS = fieldsBut(department, 'id', 'companyId');
