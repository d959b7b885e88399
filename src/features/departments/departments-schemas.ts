import { type Static, Type } from 'typebox';
import { companyIdParameter, searchParameter } from '../../http/list-schemas.ts';
import { pageParameters } from '../../http/pagination.ts';

export const DepartmentListInput = Type.Object({
  companyId: companyIdParameter(),
  search: searchParameter('name or cost code'),
  ...pageParameters(100),
});
export type DepartmentListInput = Static<typeof DepartmentListInput>;

export const DepartmentView = Type.Object({
  id: Type.String({ format: 'uuid', examples: ['8a1c2f60-5a0e-4a4f-8f1c-0d6b8a1f2e33'] }),
  name: Type.String({ examples: ['Finance'] }),
  budget: Type.String({ description: 'Decimal amount with two fraction digits', examples: ['1200000.00'] }),
  costCode: Type.String({ examples: ['FIN-100'] }),
  _count: Type.Object({
    users: Type.Integer({ description: 'People of the department, deactivated ones too', examples: [12] }),
  }),
});
export type DepartmentView = Static<typeof DepartmentView>;
