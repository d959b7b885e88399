import { type Static, Type } from 'typebox';
import { companyIdParameter, searchParameter } from '../../http/list-schemas.ts';
import { pageParameters } from '../../http/pagination.ts';

export const ApprovalPolicyListInput = Type.Object({
  companyId: companyIdParameter(),
  search: searchParameter('name'),
  ...pageParameters(100),
});
export type ApprovalPolicyListInput = Static<typeof ApprovalPolicyListInput>;

export const ApprovalPolicyView = Type.Object({
  id: Type.String({ examples: ['5c0e7a52-3f1b-4f57-9a54-0f3b1c6d7e88'] }),
  name: Type.String({ examples: ['Domestic travel'] }),
  autoApprovalLimit: Type.String({ description: 'Decimal amount with two fraction digits', examples: ['10000.00'] }),
  levels: Type.Array(
    Type.Object({
      id: Type.String({ examples: ['b8d2b4a2-9c43-4b0e-8a6f-1d2e3f4a5b6c'] }),
      level: Type.Integer({ examples: [1] }),
      roleRequired: Type.String({ description: 'The role that approves', examples: ['MANAGER'] }),
      minAmount: Type.String({ description: 'The amount from which on this level approves', examples: ['10000.00'] }),
    }),
    { description: 'By ascending level' },
  ),
});
export type ApprovalPolicyView = Static<typeof ApprovalPolicyView>;
