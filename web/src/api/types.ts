import type { components, paths } from './schema.ts';

/** What the generated document calls things: every other file takes these names from here. */
type Schemas = components['schemas'];
export type ErrorBody = Schemas['ApiError'];
export type ConsoleConfig = Schemas['ConsoleConfig'];
export type Pagination = Schemas['Pagination'];
export type Person = Schemas['Profile'];
export type ListedPerson = Schemas['User'];
export type Company = Schemas['Company'];
export type CompanyInFull = Schemas['CompanyInFull'];
export type Department = Schemas['Department'];
export type Band = Schemas['Band'];
export type Policy = Schemas['ApprovalPolicy'];
export type Level = Policy['levels'][number];
export type Evaluation = Schemas['Evaluation'];
export type Change = Schemas['Change'];
export type ApiKey = Schemas['ApiKey'];
export type NewApiKey = Schemas['NewApiKey'];
export type Webhook = Schemas['Webhook'];
export type WebhookWithSecret = Schemas['WebhookWithSecret'];
export type Delivery = Schemas['Delivery'];
export type CompanyRole = Person['companyRoles'][number]['role'];
export type SystemRole = NonNullable<Person['systemRoleMap']>['role'];
export type Role = CompanyRole | SystemRole;

type Operation<Path extends keyof paths, Method extends 'get' | 'post'> =
  paths[Path] extends Readonly<Record<Method, infer Found>> ? Found : never;
type JsonOf<Found> = Found extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;

export type ReadablePath = { [Path in keyof paths]: Operation<Path, 'get'> extends never ? never : Path }[keyof paths];
export type WritablePath = { [Path in keyof paths]: Operation<Path, 'post'> extends never ? never : Path }[keyof paths];
export type Query<Path extends keyof paths> =
  Operation<Path, 'get'> extends { parameters: { query?: infer Given } } ? Exclude<Given, undefined> : never;
export type Answer<Path extends keyof paths> = JsonOf<Operation<Path, 'get'>>;
export type Written<Path extends keyof paths> = JsonOf<Operation<Path, 'post'>>;
export type Body<Path extends keyof paths> =
  Operation<Path, 'post'> extends { requestBody?: { content: { 'application/json': infer Given } } } ? Given : never;
