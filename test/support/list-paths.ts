/** The lists that are requested by company. */
export const COMPANY_LISTS = {
  'approval policies list': '/api/approval-policies/list',
  'departments list': '/api/departments/list',
} as const;
export const COMPANIES_LIST = '/api/companies/list';
