import type { PagePagination, Schemas } from '../../../src/client/contract.ts';

export type {
  Answer,
  Body,
  CsvQuery,
  GroupsPage,
  Item,
  ListPath,
  Query,
  ReadablePath,
  WritablePath,
  Written,
} from '../../../src/client/contract.ts';

/** Short names of the contract's types: all other files import them from here. */
export type ErrorBody = Schemas['ApiError'];
export type ConsoleConfig = Schemas['ConsoleConfig'];
/** What a company has of the name and looks of the product. */
export type CompanyBrand = Schemas['OwnCompany']['brand'];
export type Pagination = PagePagination;
/** `opened`: the companies whose lists a role of the company's own opens. */
export type Person = Schemas['Profile'] & { opened?: string[] };
/** A person with their employment. */
export type FullPerson = Schemas['UserDetail'];
/** A person, or a guest, of whom only a few fields are visible. */
export type ShownPerson = Omit<Schemas['Person'], 'roleSources'>;
export type ListedPerson = Schemas['User'];
export type Company = Schemas['Company'];
export type CompanyDetail = Schemas['CompanyDetail'];
export type Department = Schemas['Department'];
export type DepartmentDetail = Schemas['DepartmentDetail'];
export type DepartmentSpending = Schemas['DepartmentSpending'];
export type Booking = Schemas['Booking'];
export type PolicyCheck = Schemas['PolicyCheck'];
export type Band = Schemas['Band'];
export type LegalEntity = Schemas['LegalEntity'];
/** A field of one's own, as it is defined. */
export type OwnField = Schemas['Field'];
/** A role of a company's own. */
export type OwnRole = Schemas['OwnRole'];
export type Policy = Schemas['ApprovalPolicy'];
/** A policy with whom it applies to. */
export type FullPolicy = Schemas['ApprovalPolicyDetail'];
export type Level = Policy['levels'][number];
export type Evaluation = Schemas['Evaluation'];
export type Change = Schemas['Change'];
export type NamedChange = Schemas['NamedChange'];
/** All changes of a request or import. */
export type ChangeGroup = Schemas['ChangeGroup'];
export type Directory = Schemas['Directory'];
export type DirectoryDetail = Schemas['DirectoryDetail'];
export type DirectoryGroup = Schemas['DirectoryGroup'];
export type GroupMapping = Schemas['GroupMapping'];
/** A person who is asked for by another company. */
export type Mail = Schemas['Mail'];
export type Move = Schemas['Move'];
export type SignInConnection = Schemas['SignInConnection'];
export type RefusalReason = NonNullable<FullPerson['signIn']['lastRefusal']>['reason'];
export type ApiKey = Schemas['ApiKey'];
export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type Delivery = Schemas['Delivery'];
export type CompanyRole = Person['companyRoles'][number]['role'];
export type SystemRole = NonNullable<Person['systemRoleMap']>['role'];
/** A role of a level: held in the company, platform-wide, or in relation to the person who books. */
export type Role = Level['roleRequired'];
export type ImportReport = Schemas['UsersImport'];
