import { validOrThrow } from '../../src/api/body.ts';
import { checkNewRow } from '../../src/entities/check-fields.ts';
import { company } from '../../src/entities/company.ts';
import type { department } from '../../src/entities/department.ts';
import { fieldsBut, type NewRowOf } from '../../src/entities/entity.ts';
import { uuid } from '../support/rows.ts';

export const newDepartment = (number: number): NewRowOf<typeof department> => ({
  id: uuid(number),
  companyId: uuid(1),
  name: 'Travel',
  costCode: `CC-${number}`,
  budget: '10.00',
});
export const newCompany = (number: number, gstin: string): NewRowOf<typeof company> => {
  const named = { name: 'Initech', legalName: 'Initech Ltd', email: 'office@initech.example' };
  const checked = checkNewRow(company, fieldsBut<typeof company, never>(company), {
    ...named,
    id: uuid(number),
    gstin,
  });
  return validOrThrow(checked);
};
/** What a change tells of a department that was added; of one that was removed the same, the other way round. */
export const addedDepartment = (number: number) => ({
  fields: ['companyId', 'name', 'costCode', 'budget', 'budgets'],
  values: {
    companyId: [null, uuid(1)],
    name: [null, 'Travel'],
    costCode: [null, `CC-${number}`],
    budget: [null, '10.00'],
    budgets: [null, '[{"from": null, "budget": "10.00"}]'],
  },
  personal: null,
});
export const reversed = (values: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(values).map(([name, pair]) => [name, pair.toReversed()]));
