import type { Schemas } from '../../../src/client/contract.ts';

export type {
  Answer,
  Body,
  CsvQuery,
  Query,
  ReadablePath,
  WritablePath,
  Written,
} from '../../../src/client/contract.ts';

/** What the contract calls things: every other file takes these names from here. */
export type ErrorBody = Schemas['ApiError'];
export type ConsoleConfig = Schemas['ConsoleConfig'];
export type Pagination = Schemas['Pagination'];
export type Person = Schemas['Profile'];
/** A person who may be a guest, of whom little is known. */
export type ShownPerson = Schemas['Person'];
export type ListedPerson = Schemas['User'];
export type Company = Schemas['Company'];
export type CompanyDetail = Schemas['CompanyDetail'];
export type Department = Schemas['Department'];
export type DepartmentSpending = Schemas['DepartmentSpending'];
export type Band = Schemas['Band'];
export type Policy = Schemas['ApprovalPolicy'];
export type Level = Policy['levels'][number];
export type Evaluation = Schemas['Evaluation'];
export type Change = Schemas['Change'];
export type NamedChange = Schemas['NamedChange'];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type Delivery = Schemas['Delivery'];
export type CompanyRole = Person['companyRoles'][number]['role'];
export type SystemRole = NonNullable<Person['systemRoleMap']>['role'];
export type Role = CompanyRole | SystemRole;
export type ImportReport = Schemas['UsersImport'];
