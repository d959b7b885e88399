/* eslint-disable */
/* tslint:disable */
// @ts-nocheck
/*
 * ---------------------------------------------------------------
 * ## THIS FILE WAS GENERATED VIA SWAGGER-TYPESCRIPT-API        ##
 * ##                                                           ##
 * ## AUTHOR: acacode                                           ##
 * ## SOURCE: https://github.com/acacode/swagger-typescript-api ##
 * ---------------------------------------------------------------
 */

export enum EntityName {
  Company = "company",
  Department = "department",
  Band = "band",
  User = "user",
  CompanyRole = "companyRole",
  SystemRole = "systemRole",
  ApprovalPolicy = "approvalPolicy",
  ApprovalPolicyLevel = "approvalPolicyLevel",
  ApiKey = "apiKey",
  Webhook = "webhook",
}

export enum Scope {
  UsersRead = "users.read",
  PoliciesEvaluate = "policies.evaluate",
  DepartmentsRead = "departments.read",
  EventsRead = "events.read",
  BookingsWrite = "bookings.write",
  Scim = "scim",
}

export enum Role {
  SUPER_ADMIN = "SUPER_ADMIN",
  PLATFORM_RM = "PLATFORM_RM",
  CORPORATE_ADMIN = "CORPORATE_ADMIN",
  MANAGER = "MANAGER",
  EMPLOYEE = "EMPLOYEE",
}

export enum SystemRole {
  SUPER_ADMIN = "SUPER_ADMIN",
  PLATFORM_RM = "PLATFORM_RM",
}

export enum CompanyRole {
  CORPORATE_ADMIN = "CORPORATE_ADMIN",
  MANAGER = "MANAGER",
  EMPLOYEE = "EMPLOYEE",
}

export enum ClientType {
  CORPORATE = "CORPORATE",
  AGENCY = "AGENCY",
  DIRECT = "DIRECT",
}

export enum FieldErrorCode {
  REQUIRED = "REQUIRED",
  DUPLICATE = "DUPLICATE",
  INVALID_TYPE = "INVALID_TYPE",
  INVALID_VALUE = "INVALID_VALUE",
  INVALID_FORMAT = "INVALID_FORMAT",
  OUT_OF_RANGE = "OUT_OF_RANGE",
  TOO_SHORT = "TOO_SHORT",
  TOO_LONG = "TOO_LONG",
  UNKNOWN_FIELD = "UNKNOWN_FIELD",
  FIELD_FORBIDDEN = "FIELD_FORBIDDEN",
  ALREADY_EXISTS = "ALREADY_EXISTS",
}

export enum ErrorCode {
  MALFORMED_REQUEST = "MALFORMED_REQUEST",
  INVALID_INPUT = "INVALID_INPUT",
  AUTHENTICATION_REQUIRED = "AUTHENTICATION_REQUIRED",
  INVALID_TOKEN = "INVALID_TOKEN",
  ROLE_REQUIRED = "ROLE_REQUIRED",
  COMPANY_FORBIDDEN = "COMPANY_FORBIDDEN",
  SCOPE_REQUIRED = "SCOPE_REQUIRED",
  FIELD_FORBIDDEN = "FIELD_FORBIDDEN",
  PROTECTED_USER = "PROTECTED_USER",
  OWN_LIMIT = "OWN_LIMIT",
  PREFETCH_REFUSED = "PREFETCH_REFUSED",
  NOT_FOUND = "NOT_FOUND",
  METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED",
  REQUEST_TIMEOUT = "REQUEST_TIMEOUT",
  ALREADY_EXISTS = "ALREADY_EXISTS",
  IN_USE = "IN_USE",
  LAST_ADMIN = "LAST_ADMIN",
  LIMIT_REACHED = "LIMIT_REACHED",
  CURSOR_GONE = "CURSOR_GONE",
  PRECONDITION_FAILED = "PRECONDITION_FAILED",
  PAYLOAD_TOO_LARGE = "PAYLOAD_TOO_LARGE",
  UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE",
  EXPECTATION_FAILED = "EXPECTATION_FAILED",
  TOO_MANY_REQUESTS = "TOO_MANY_REQUESTS",
  HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE",
  INTERNAL_ERROR = "INTERNAL_ERROR",
  DISK_FULL = "DISK_FULL",
  OVERLOADED = "OVERLOADED",
  UNAVAILABLE = "UNAVAILABLE",
}

export interface FieldError {
  field: string;
  code: FieldErrorCode;
  message: string;
}

/** The one form of all errors */
export interface ApiError {
  success: false;
  /** What was wrong, for people */
  message: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
}

/** An error as RFC 9457 problem details, for clients whose Accept names them */
export interface Problem {
  type: string;
  /** The name of the status */
  title: string;
  status: number;
  /** What was wrong, for people */
  detail: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
}

export interface CompanyRef {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  legalName: string;
  /**
   * Tax registration number
   * @pattern ^[0-9A-Za-z-]{1,30}$
   */
  gstin: string;
  active: boolean;
}

export interface DepartmentRef {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  costCode: string;
}

export interface BandRef {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  code: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  autoApprovalLimit: string;
  /**
   * Decimal amount with two fraction digits; null: no limit
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  maxBookingLimit: string | null;
}

export interface HeldCompanyRole {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  id: string;
  /** @format uuid */
  companyId: string;
  role: CompanyRole;
}

export interface Profile {
  /** @format uuid */
  id: string;
  /**
   * @format email
   * @maxLength 254
   */
  email: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  firstName: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  lastName: string;
  /** @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$ */
  phone: string | null;
  clientType: ClientType;
  /** @format uuid */
  companyId: string;
  /** @format uuid */
  departmentId: string;
  /** The band's code */
  employeeBand: string;
  /** @format uuid */
  bandId: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  approvalLimit: string;
  /**
   * Midnight UTC
   * @format date-time
   */
  dateOfBirth: string | null;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  gender: string | null;
  /**
   * Primary street address
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   */
  addressLine1: string | null;
  /** @maxLength 255 */
  addressLine2: string | null;
  /**
   * Postal code
   * @minLength 3
   * @maxLength 12
   * @pattern ^[A-Za-z0-9 -]*$
   */
  pincode: string | null;
  /**
   * @min 0
   * @max 2147483647
   */
  loyaltyPoints: number;
  active: boolean;
  /** @format date-time */
  createdAt: string;
  /** @format date-time */
  updatedAt: string;
  company: CompanyRef;
  department: DepartmentRef;
  band: BandRef;
  companyRoles: HeldCompanyRole[];
  /** The platform-wide role; null without one */
  systemRoleMap: {
    role: SystemRole;
    active: boolean;
  };
  /** The active system role and the company roles, sorted, each once */
  roles: Role[];
}

export interface ProfileAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Profile;
}

export interface UpdateProfileBody {
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  firstName?: string;
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  lastName?: string;
  /**
   * An optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them
   * @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$
   */
  phone?: string;
  /**
   * A calendar date from 1900-01-01 to today, as YYYY-MM-DD
   * @pattern ^\d{4}-\d{2}-\d{2}(T00:00:00\.000Z)?$
   */
  dateOfBirth?: string;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  gender?: string;
  /**
   * Primary street address: 1 to 255 characters without control characters
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   */
  addressLine1?: string;
  /**
   * Apartment, suite or building, up to 255 characters; null, empty or left out beside other fields: cleared
   * @maxLength 255
   */
  addressLine2?: string | null;
  /**
   * Postal code: 3 to 12 letters (A to Z), digits, spaces or hyphens
   * @minLength 3
   * @maxLength 12
   * @pattern ^[A-Za-z0-9 -]*$
   */
  pincode?: string;
}

export interface CompanyName {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  legalName: string;
}

export interface DepartmentName {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
}

export interface BandName {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  code: string;
}

export interface UpdatedProfile {
  /** @format uuid */
  id: string;
  /**
   * @format email
   * @maxLength 254
   */
  email: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  firstName: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  lastName: string;
  /** @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$ */
  phone: string | null;
  clientType: ClientType;
  /** @format uuid */
  companyId: string;
  /** @format uuid */
  departmentId: string;
  /** The band's code */
  employeeBand: string;
  /** @format uuid */
  bandId: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  approvalLimit: string;
  /**
   * Midnight UTC
   * @format date-time
   */
  dateOfBirth: string | null;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  gender: string | null;
  /**
   * Primary street address
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   */
  addressLine1: string | null;
  /** @maxLength 255 */
  addressLine2: string | null;
  /**
   * Postal code
   * @minLength 3
   * @maxLength 12
   * @pattern ^[A-Za-z0-9 -]*$
   */
  pincode: string | null;
  /**
   * @min 0
   * @max 2147483647
   */
  loyaltyPoints: number;
  active: boolean;
  /** @format date-time */
  createdAt: string;
  /** @format date-time */
  updatedAt: string;
  company: CompanyName;
  department: DepartmentName;
  band: BandName;
  /** The active system role and the company roles, sorted, each once */
  roles: Role[];
}

export interface UpdatedProfileAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: UpdatedProfile;
}

export interface ProfileChanged {
  success: false;
  /** What was wrong, for people */
  message: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: Profile;
}

export interface ProfileChangedProblem {
  type: string;
  /** The name of the status */
  title: string;
  status: number;
  /** What was wrong, for people */
  detail: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: Profile;
}

export interface StateRef {
  id: number;
  name: string;
  stateCode: string;
}

export interface CountryRef {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
}

export interface City {
  id: number;
  name: string;
  stateId: number;
  countryId: number;
  state: StateRef;
  country: CountryRef;
  location?: {
    /**
     * @min -90
     * @max 90
     */
    latitude: number;
    /**
     * @min -180
     * @max 180
     */
    longitude: number;
  } | null;
  timezone?: string | null;
  /** Of GeoNames; 0 where it has no number */
  population?: number | null;
}

/** Where in the list this page is */
export interface Pagination {
  /** Items on all pages */
  totalItems: number;
  currentPage: number;
  /** 0 where there are no items */
  totalPages: number;
  /** The limit that was asked for */
  pageSize: number;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

export interface CityList {
  success: true;
  /** What was done, for people */
  message: string;
  data: City[];
  /** Where in the list this page is */
  pagination?: Pagination;
}

export interface ListCitiesBody {
  /**
   * Text that the name must contain; case, accents and extra white space do not matter
   * @maxLength 256
   */
  search?: string | null;
  /**
   * Only cities of this state
   * @pattern ^-?\d+$
   */
  stateId?: number | string | null;
  /**
   * Only those of this country
   * @pattern ^-?\d+$
   */
  countryId?: number | string | null;
  /**
   * Only those of the country with this code of two letters, in either case
   * @format country-code
   */
  countryCode?: string | null;
  /** Only those with these ids: up to 100, with commas between */
  ids?: string | null;
  /** What to tell of each besides: some of location, timezone, population, with commas between */
  include?: string | null;
  /**
   * true gives one page and the pagination block, false the full list
   * @default false
   */
  isPaginationNeeded?: true | false;
  /**
   * Page number, from 1; only with isPaginationNeeded
   * @min 1
   * @default 1
   * @pattern ^-?\d+$
   */
  page?: number | string | null;
  /**
   * Items on a page; only with isPaginationNeeded
   * @min 1
   * @max 1000
   * @default 10
   * @pattern ^-?\d+$
   */
  limit?: number | string | null;
}

export interface State {
  id: number;
  name: string;
  /** A text: 01 keeps its zero */
  stateCode: string;
  countryId: number;
  country: CountryRef;
  _count: {
    cities: number;
  };
}

export interface StateList {
  success: true;
  /** What was done, for people */
  message: string;
  data: State[];
  /** Where in the list this page is */
  pagination?: Pagination;
}

export interface ListStatesBody {
  /**
   * Text that the name or state code must contain; case, accents and extra white space do not matter
   * @maxLength 256
   */
  search?: string | null;
  /**
   * Only those of this country
   * @pattern ^-?\d+$
   */
  countryId?: number | string | null;
  /**
   * Only those of the country with this code of two letters, in either case
   * @format country-code
   */
  countryCode?: string | null;
  /** Only those with these ids: up to 100, with commas between */
  ids?: string | null;
  /**
   * true gives one page and the pagination block, false the full list
   * @default false
   */
  isPaginationNeeded?: true | false;
  /**
   * Page number, from 1; only with isPaginationNeeded
   * @min 1
   * @default 1
   * @pattern ^-?\d+$
   */
  page?: number | string | null;
  /**
   * Items on a page; only with isPaginationNeeded
   * @min 1
   * @max 1000
   * @default 10
   * @pattern ^-?\d+$
   */
  limit?: number | string | null;
}

export interface Country {
  id: number;
  name: string;
  iso2: string;
  iso3: string;
  _count: {
    states: number;
    cities: number;
  };
  phoneCode?: string | null;
  currency?: string | null;
  flag?: string | null;
  nativeName?: string | null;
  location?: {
    /**
     * @min -90
     * @max 90
     */
    latitude: number;
    /**
     * @min -180
     * @max 180
     */
    longitude: number;
  } | null;
}

export interface CountryList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Country[];
  /** Where in the list this page is */
  pagination?: Pagination;
}

export interface ListCountriesBody {
  /**
   * Text that the name, or be the whole of the two- or three-letter code must contain; case, accents and extra white space do not matter
   * @maxLength 256
   */
  search?: string | null;
  /** Only those with these ids: up to 100, with commas between */
  ids?: string | null;
  /** What to tell of each besides: some of phoneCode, currency, flag, nativeName, location, with commas between */
  include?: string | null;
  /**
   * true gives one page and the pagination block, false the full list
   * @default false
   */
  isPaginationNeeded?: true | false;
  /**
   * Page number, from 1; only with isPaginationNeeded
   * @min 1
   * @default 1
   * @pattern ^-?\d+$
   */
  page?: number | string | null;
  /**
   * Items on a page; only with isPaginationNeeded
   * @min 1
   * @max 1000
   * @default 10
   * @pattern ^-?\d+$
   */
  limit?: number | string | null;
}

export interface Company {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  legalName: string;
  /**
   * Tax registration number
   * @pattern ^[0-9A-Za-z-]{1,30}$
   */
  gstin: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  creditLimit: string;
  /**
   * @min 0
   * @max 2147483647
   */
  creditDays: number;
  active: boolean;
  _count: {
    /** People of the company, deactivated ones too */
    users: number;
    bookings: number;
  };
}

export interface CompanyList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Company[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface CompanyInFull {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  legalName: string;
  /**
   * Tax registration number
   * @pattern ^[0-9A-Za-z-]{1,30}$
   */
  gstin: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  creditLimit: string;
  /**
   * @min 0
   * @max 2147483647
   */
  creditDays: number;
  active: boolean;
  /**
   * @format email
   * @maxLength 254
   */
  email: string;
  /**
   * The department of people who are added without one
   * @format uuid
   */
  defaultDepartmentId: string | null;
  /**
   * The band of people who are added without one
   * @format uuid
   */
  defaultBandId: string | null;
  /** @format date-time */
  createdAt: string;
  /** @format date-time */
  updatedAt: string;
  _count: {
    /** People of the company, deactivated ones too */
    users: number;
    bookings: number;
  };
}

export interface CompanyInFullAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: CompanyInFull;
}

export interface CreateCompanyBody {
  /**
   * Left out: the service makes one
   * @format uuid
   */
  id?: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  legalName: string;
  /**
   * A registration number of 1 to 30 letters (A to Z), digits or hyphens
   * @pattern ^[0-9A-Za-z-]{1,30}$
   */
  gstin: string;
  /**
   * An e-mail address of at most 254 characters
   * @format email
   * @maxLength 254
   */
  email: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  creditLimit?: string;
  /**
   * A whole number from 0 to 2147483647
   * @min 0
   * @max 2147483647
   */
  creditDays?: number;
  /** A person who is added with the company, as its Corporate Admin */
  firstAdmin?: {
    /**
     * An e-mail address of at most 254 characters
     * @format email
     * @maxLength 254
     */
    email: string;
    /**
     * 1 to 100 characters without control characters
     * @minLength 1
     * @maxLength 100
     * @pattern \S
     */
    firstName: string;
    /**
     * 1 to 100 characters without control characters
     * @minLength 1
     * @maxLength 100
     * @pattern \S
     */
    lastName: string;
    /**
     * An optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them
     * @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$
     */
    phone?: string | null;
  };
}

export interface UpdateCompanyBody {
  /**
   * Of the company
   * @format uuid
   */
  id: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name?: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  legalName?: string;
  /**
   * A registration number of 1 to 30 letters (A to Z), digits or hyphens
   * @pattern ^[0-9A-Za-z-]{1,30}$
   */
  gstin?: string;
  /**
   * An e-mail address of at most 254 characters
   * @format email
   * @maxLength 254
   */
  email?: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  creditLimit?: string;
  /**
   * A whole number from 0 to 2147483647
   * @min 0
   * @max 2147483647
   */
  creditDays?: number;
  /** True or false */
  active?: boolean;
  /**
   * The department of people who are added without one: a UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  defaultDepartmentId?: string | null;
  /**
   * The band of people who are added without one: a UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  defaultBandId?: string | null;
}

export interface CompanyInFullChanged {
  success: false;
  /** What was wrong, for people */
  message: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: CompanyInFull;
}

export interface CompanyInFullChangedProblem {
  type: string;
  /** The name of the status */
  title: string;
  status: number;
  /** What was wrong, for people */
  detail: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: CompanyInFull;
}

export interface User {
  /** @format uuid */
  id: string;
  /**
   * @format email
   * @maxLength 254
   */
  email: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  firstName: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  lastName: string;
  /** @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$ */
  phone: string | null;
  active: boolean;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  approvalLimit: string;
  department: DepartmentName;
  band: BandName;
  /** Those in this company, sorted */
  roles: CompanyRole[];
  /** @format date-time */
  updatedAt: string;
}

export interface UserList {
  success: true;
  /** What was done, for people */
  message: string;
  data: User[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface CreateUserBody {
  /**
   * Left out: the service makes one
   * @format uuid
   */
  id?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  companyId: string;
  /**
   * An e-mail address of at most 254 characters
   * @format email
   * @maxLength 254
   */
  email: string;
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  firstName: string;
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  lastName: string;
  /** One of CORPORATE, AGENCY, DIRECT */
  clientType?: ClientType;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  approvalLimit?: string;
  /**
   * An optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them
   * @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$
   */
  phone?: string | null;
  /**
   * A calendar date from 1900-01-01 to today, as YYYY-MM-DD
   * @pattern ^\d{4}-\d{2}-\d{2}(T00:00:00\.000Z)?$
   */
  dateOfBirth?: string | null;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  gender?: string | null;
  /**
   * Primary street address: 1 to 255 characters without control characters
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   */
  addressLine1?: string | null;
  /**
   * Up to 255 characters without control characters
   * @maxLength 255
   */
  addressLine2?: string | null;
  /**
   * Postal code: 3 to 12 letters (A to Z), digits, spaces or hyphens
   * @minLength 3
   * @maxLength 12
   * @pattern ^[A-Za-z0-9 -]*$
   */
  pincode?: string | null;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  departmentId?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  bandId?: string;
  /**
   * The roles in the company, each once
   * @default ["EMPLOYEE"]
   */
  roles?: CompanyRole[];
}

export interface UpdateUserBody {
  /**
   * Of the person
   * @format uuid
   */
  id: string;
  /**
   * An e-mail address of at most 254 characters
   * @format email
   * @maxLength 254
   */
  email?: string;
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  firstName?: string;
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  lastName?: string;
  /** One of CORPORATE, AGENCY, DIRECT */
  clientType?: ClientType;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  approvalLimit?: string;
  /**
   * An optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them
   * @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$
   */
  phone?: string;
  /**
   * A calendar date from 1900-01-01 to today, as YYYY-MM-DD
   * @pattern ^\d{4}-\d{2}-\d{2}(T00:00:00\.000Z)?$
   */
  dateOfBirth?: string;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  gender?: string;
  /**
   * Primary street address: 1 to 255 characters without control characters
   * @minLength 1
   * @maxLength 255
   * @pattern \S
   */
  addressLine1?: string;
  /**
   * Up to 255 characters without control characters
   * @maxLength 255
   */
  addressLine2?: string | null;
  /**
   * Postal code: 3 to 12 letters (A to Z), digits, spaces or hyphens
   * @minLength 3
   * @maxLength 12
   * @pattern ^[A-Za-z0-9 -]*$
   */
  pincode?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  departmentId?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  bandId?: string;
  /** True or false */
  active?: boolean;
}

export interface GrantRoleBody {
  /**
   * Of the person
   * @format uuid
   */
  userId: string;
  role: Role;
  /**
   * The company, for a role in one; not with a platform role
   * @format uuid
   */
  companyId?: string;
}

export interface RevokeRoleBody {
  /**
   * Of the person
   * @format uuid
   */
  userId: string;
  role: Role;
  /**
   * The company, for a role in one; not with a platform role
   * @format uuid
   */
  companyId?: string;
}

export interface Band {
  /** @format uuid */
  id: string;
  /** @format uuid */
  companyId: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  code: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  autoApprovalLimit: string;
  /**
   * Decimal amount with two fraction digits; null: no limit
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  maxBookingLimit: string | null;
  _count: {
    /** People of the band, deactivated ones too */
    users: number;
  };
}

export interface BandList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Band[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface BandAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Band;
}

export interface CreateBandBody {
  /**
   * Left out: the service makes one
   * @format uuid
   */
  id?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  companyId: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  code: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  autoApprovalLimit?: string;
  /**
   * Decimal amount with two fraction digits; null: no limit: an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  maxBookingLimit?: string | null;
}

export interface UpdateBandBody {
  /**
   * Of the band
   * @format uuid
   */
  id: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name?: string;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  code?: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  autoApprovalLimit?: string;
  /**
   * Decimal amount with two fraction digits; null: no limit: an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  maxBookingLimit?: string | null;
}

export interface BandChanged {
  success: false;
  /** What was wrong, for people */
  message: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: Band;
}

export interface BandChangedProblem {
  type: string;
  /** The name of the status */
  title: string;
  status: number;
  /** What was wrong, for people */
  detail: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: Band;
}

export interface DeleteBandBody {
  /**
   * Of the band
   * @format uuid
   */
  id: string;
}

export interface ApprovalPolicyLevel {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  id: string;
  /**
   * @min 1
   * @max 2147483647
   */
  level: number;
  /** The role that approves */
  roleRequired: Role;
  /**
   * The amount from which on this level approves
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  minAmount: string;
}

export interface ApprovalPolicy {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  autoApprovalLimit: string;
  /** By ascending level */
  levels: ApprovalPolicyLevel[];
}

export interface ApprovalPolicyList {
  success: true;
  /** What was done, for people */
  message: string;
  data: ApprovalPolicy[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface ApprovalPolicyInFull {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  autoApprovalLimit: string;
  /** @format uuid */
  companyId: string;
  /** By ascending level */
  levels: ApprovalPolicyLevel[];
}

export interface ApprovalPolicyInFullAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: ApprovalPolicyInFull;
}

export interface CreateApprovalPolicyBody {
  /**
   * Left out: the service makes one
   * @format uuid
   */
  id?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  companyId: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  autoApprovalLimit?: string;
  /**
   * All levels: each level once, and with amounts that do not fall from one to the next
   * @maxItems 20
   */
  levels?: {
    /**
     * A whole number from 1 to 2147483647
     * @min 1
     * @max 2147483647
     */
    level: number;
    /** The role that approves: one of SUPER_ADMIN, PLATFORM_RM, CORPORATE_ADMIN, MANAGER, EMPLOYEE */
    roleRequired: Role;
    /**
     * The amount from which on this level approves: an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
     * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
     */
    minAmount: string;
  }[];
}

export interface UpdateApprovalPolicyBody {
  /**
   * Of the approval policy
   * @maxLength 100
   */
  id: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name?: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  autoApprovalLimit?: string;
  /**
   * All levels: each level once, and with amounts that do not fall from one to the next
   * @maxItems 20
   */
  levels?: {
    /**
     * Of a level that is kept
     * @maxLength 100
     */
    id?: string;
    /**
     * A whole number from 1 to 2147483647
     * @min 1
     * @max 2147483647
     */
    level: number;
    /** The role that approves: one of SUPER_ADMIN, PLATFORM_RM, CORPORATE_ADMIN, MANAGER, EMPLOYEE */
    roleRequired: Role;
    /**
     * The amount from which on this level approves: an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
     * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
     */
    minAmount: string;
  }[];
}

export interface ApprovalPolicyInFullChanged {
  success: false;
  /** What was wrong, for people */
  message: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: ApprovalPolicyInFull;
}

export interface ApprovalPolicyInFullChangedProblem {
  type: string;
  /** The name of the status */
  title: string;
  status: number;
  /** What was wrong, for people */
  detail: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: ApprovalPolicyInFull;
}

export interface DeleteApprovalPolicyBody {
  /**
   * Of the approval policy
   * @maxLength 100
   */
  id: string;
}

export interface Evaluation {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  policyId: string;
  /**
   * As asked, with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  amount: string;
  /** @format uuid */
  userId: string | null;
  /** NOBODY_CAN_APPROVE: a step has no approver */
  decision:
    | "AUTO_APPROVED"
    | "APPROVAL_NEEDED"
    | "OVER_LIMIT"
    | "NOBODY_CAN_APPROVE";
  /**
   * The smaller one of the policy's and that of the person's band
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  autoApprovalLimit: string;
  /**
   * Decimal amount with two fraction digits; null: no limit
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  maxBookingLimit: string | null;
  /** The levels that the amount reaches, ascending */
  steps: {
    /**
     * @min 1
     * @max 2147483647
     */
    level: number;
    /** The role that approves */
    roleRequired: Role;
    /**
     * The amount from which on this level approves
     * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
     */
    minAmount: string;
    approvers: {
      total: number;
      /** The first ten by name */
      people: {
        /** @format uuid */
        id: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern \S
         */
        firstName: string;
        /**
         * @minLength 1
         * @maxLength 100
         * @pattern \S
         */
        lastName: string;
        /**
         * Decimal amount with two fraction digits
         * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
         */
        approvalLimit: string;
      }[];
    };
  }[];
}

export interface EvaluationAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Evaluation;
}

export interface Department {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  budget: string;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  costCode: string;
  _count: {
    /** People of the department, deactivated ones too */
    users: number;
  };
}

export interface DepartmentList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Department[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface DepartmentInFull {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * Decimal amount with two fraction digits
   * @pattern ^(0|[1-9]\d{0,12})\.\d{2}$
   */
  budget: string;
  /**
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  costCode: string;
  /** @format uuid */
  companyId: string;
  _count: {
    /** People of the department, deactivated ones too */
    users: number;
  };
}

export interface DepartmentInFullAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: DepartmentInFull;
}

export interface CreateDepartmentBody {
  /**
   * Left out: the service makes one
   * @format uuid
   */
  id?: string;
  /**
   * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
   * @format uuid
   */
  companyId: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name: string;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  costCode: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  budget?: string;
}

export interface UpdateDepartmentBody {
  /**
   * Of the department
   * @format uuid
   */
  id: string;
  /**
   * 1 to 200 characters without control characters
   * @minLength 1
   * @maxLength 200
   * @pattern \S
   */
  name?: string;
  /**
   * 1 to 50 characters without control characters
   * @minLength 1
   * @maxLength 50
   * @pattern \S
   */
  costCode?: string;
  /**
   * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
   * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
   */
  budget?: string;
}

export interface DepartmentInFullChanged {
  success: false;
  /** What was wrong, for people */
  message: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: DepartmentInFull;
}

export interface DepartmentInFullChangedProblem {
  type: string;
  /** The name of the status */
  title: string;
  status: number;
  /** What was wrong, for people */
  detail: string;
  /** A stable word for programs */
  code: ErrorCode;
  /** Only where fields are to blame */
  errors?: FieldError[];
  /** Names this request in the log; also in the header X-Request-Id */
  requestId: string;
  data: DepartmentInFull;
}

export interface DeleteDepartmentBody {
  /**
   * Of the department
   * @format uuid
   */
  id: string;
}

export interface ApiKey {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * The company whose things the key reaches; null: of all active ones
   * @format uuid
   */
  companyId: string | null;
  /**
   * The first characters of the key
   * @minLength 1
   * @maxLength 12
   * @pattern \S
   */
  prefix: string;
  /** @format date-time */
  createdAt: string;
  /** @format date-time */
  expiresAt: string | null;
  /** @format date-time */
  revokedAt: string | null;
  /** What the key opens */
  scopes: Scope[];
  /**
   * To the minute
   * @format date-time
   */
  lastUsedAt: string | null;
}

export interface ApiKeyList {
  success: true;
  /** What was done, for people */
  message: string;
  data: ApiKey[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface CreateApiKeyBody {
  /**
   * 1 to 100 characters without control characters
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /** What the key opens */
  scopes: Scope[];
  /**
   * The company whose things the key reaches; left out: all active ones, for Super Admins alone
   * @format uuid
   */
  companyId?: string;
  /**
   * When it ends, in the future; left out: never
   * @format date-time
   */
  expiresAt?: string;
}

export interface NewApiKey {
  /** @format uuid */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * The company whose things the key reaches; null: of all active ones
   * @format uuid
   */
  companyId: string | null;
  /**
   * The first characters of the key
   * @minLength 1
   * @maxLength 12
   * @pattern \S
   */
  prefix: string;
  /** @format date-time */
  createdAt: string;
  /** @format date-time */
  expiresAt: string | null;
  /** @format date-time */
  revokedAt: string | null;
  /** What the key opens */
  scopes: Scope[];
  /**
   * To the minute
   * @format date-time
   */
  lastUsedAt: string | null;
  /** The key itself: it is told this once */
  key: string;
}

export interface NewApiKeyAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: NewApiKey;
}

export interface RevokeApiKeyBody {
  /**
   * Of the key
   * @format uuid
   */
  id: string;
}

export interface ApiKeyAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: ApiKey;
}

export interface RecordBookingsBody {
  /**
   * All of them are recorded, or none is
   * @maxItems 1000
   * @minItems 1
   */
  bookings: {
    /**
     * The booking's id in its own system
     * @maxLength 100
     */
    id: string;
    /**
     * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
     * @format uuid
     */
    companyId: string;
    /**
     * A UUID such as 3f2b8c1e-9d4a-4c6b-8e2f-1a7d5b9c0e43, with its hyphens and without braces
     * @format uuid
     */
    userId: string;
    /**
     * An amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
     * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
     */
    amount: string;
    /**
     * A date-time with its time zone, from the year 1900 to 9999 in UTC, such as 2025-01-31T09:30:00Z or 2025-01-31T15:00:00+05:30
     * @format date-time
     */
    createdAt?: string;
  }[];
}

export interface RecordedBookings {
  added: number;
  changed: number;
  /** Known already with the same content */
  unchanged: number;
}

export interface RecordedBookingsAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: RecordedBookings;
}

export interface Webhook {
  /** @format uuid */
  id: string;
  /**
   * The company whose changes are sent; null: all changes
   * @format uuid
   */
  companyId: string | null;
  /**
   * @minLength 1
   * @maxLength 2000
   * @pattern \S
   */
  url: string;
  /**
   * @minLength 1
   * @maxLength 500
   * @pattern \S
   */
  description: string | null;
  active: boolean;
  /**
   * Why the service switched it off
   * @minLength 1
   * @maxLength 500
   * @pattern \S
   */
  disabledReason: string | null;
  /** @format date-time */
  createdAt: string;
  /** Of which things changes are sent; null: of all */
  entities: EntityName[] | null;
}

export interface WebhookList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Webhook[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface WebhookAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Webhook;
}

export interface CreateWebhookBody {
  /**
   * 1 to 2000 characters without control characters
   * @minLength 1
   * @maxLength 2000
   * @pattern \S
   */
  url: string;
  /** Of which things changes are sent; null: of all */
  entities?: EntityName[] | null;
  /**
   * 1 to 500 characters without control characters
   * @minLength 1
   * @maxLength 500
   * @pattern \S
   */
  description?: string | null;
  /**
   * The company whose changes are sent; left out: all changes, for Super Admins alone
   * @format uuid
   */
  companyId?: string;
}

export interface WebhookWithSecret {
  /** @format uuid */
  id: string;
  /**
   * The company whose changes are sent; null: all changes
   * @format uuid
   */
  companyId: string | null;
  /**
   * @minLength 1
   * @maxLength 2000
   * @pattern \S
   */
  url: string;
  /**
   * @minLength 1
   * @maxLength 500
   * @pattern \S
   */
  description: string | null;
  active: boolean;
  /**
   * Why the service switched it off
   * @minLength 1
   * @maxLength 500
   * @pattern \S
   */
  disabledReason: string | null;
  /** @format date-time */
  createdAt: string;
  /** Of which things changes are sent; null: of all */
  entities: EntityName[] | null;
  /** Signs what is sent (Standard Webhooks): it is told this once */
  secret: string;
}

export interface WebhookWithSecretAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: WebhookWithSecret;
}

export interface UpdateWebhookBody {
  /**
   * Of the webhook
   * @format uuid
   */
  id: string;
  /**
   * 1 to 2000 characters without control characters
   * @minLength 1
   * @maxLength 2000
   * @pattern \S
   */
  url?: string;
  /** Of which things changes are sent; null: of all */
  entities?: EntityName[] | null;
  /**
   * 1 to 500 characters without control characters
   * @minLength 1
   * @maxLength 500
   * @pattern \S
   */
  description?: string | null;
  /** true switches it on again: it goes on where it stood */
  active?: boolean;
}

export interface DeleteWebhookBody {
  /**
   * Of the webhook
   * @format uuid
   */
  id: string;
}

export interface RotateWebhookSecretBody {
  /**
   * Of the webhook
   * @format uuid
   */
  id: string;
}

export interface TestWebhookBody {
  /**
   * Of the webhook
   * @format uuid
   */
  id: string;
}

export interface Delivery {
  /** @format date-time */
  at: string;
  /**
   * Of the webhook
   * @format uuid
   */
  webhookId: string;
  /** Of the audit trail; null: a test */
  changeId: string | null;
  type: string;
  /** From 1 */
  attempt: number;
  /** Of the answer; null: there was none */
  status: number | null;
  /** Why there was no answer */
  error: string | null;
  milliseconds: number;
}

export interface DeliveryAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Delivery;
}

export interface DeliveryList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Delivery[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface Change {
  /** Of this change; no order */
  id: string;
  /** @format date-time */
  changedAt: string;
  /** erased: the personal values of all earlier changes of this user */
  action: "added" | "changed" | "removed" | "erased";
  entity: EntityName;
  /** The id of what changed; of a system role that of its user */
  entityId: string;
  /**
   * The person concerned
   * @format uuid
   */
  userId: string | null;
  /**
   * The company concerned, after the change
   * @format uuid
   */
  companyId: string | null;
  actor: {
    kind: "user" | "key" | "import" | "command";
    /**
     * Who made the request
     * @format uuid
     */
    userId: string | null;
    /**
     * The import: all its changes have the same
     * @format uuid
     */
    runId: string | null;
    /**
     * The API key, where it was one
     * @format uuid
     */
    keyId?: string;
  };
  /** X-Request-Id of the request */
  requestId: string | null;
  /** The fields that changed; none of what was added or erased */
  changes: {
    field: string;
    /** As the API writes it */
    before: string | number | boolean | null;
    /** As the API writes it */
    after: string | number | boolean | null;
    /** false where the values have been erased, or are never shown: both are null then */
    kept: boolean;
  }[];
}

export interface ChangeList {
  success: true;
  /** What was done, for people */
  message: string;
  data: Change[];
  /** Where in the list this page is */
  pagination: Pagination;
}

export interface ChangeFeed {
  success: true;
  /** What was done, for people */
  message: string;
  data: Change[];
  /** Send it as after to get what comes next; good as long as the feed. The same as after where nothing is new */
  next: string;
}

export interface Liveness {
  process: "up";
}

export interface LivenessAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Liveness;
}

export interface Readiness {
  /** Whether it answers within two seconds */
  database: "up" | "down";
  /** Where one is configured. behind: it is not known to be recent; down: it does not answer. Lists are read from it while it is up */
  replica?: "up" | "behind" | "down";
  geography: "loaded" | "empty";
  /** Of the embedded database. low: nothing can be written, and reading goes on */
  disk?: "ok" | "low";
  /** Where one is configured. unreachable: its keys are known from before, and tokens are verified with these; no-keys: no token can be verified */
  identityProvider?: "up" | "unreachable" | "no-keys";
}

export interface ReadinessAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: Readiness;
}

export interface ConsoleConfig {
  /** As a person of the demo, at an identity provider, or with an access token that one brings along */
  signIn: "demo" | "provider" | "token";
  /** With signIn demo. Only on the embedded default with the demo, and to this very machine alone */
  people?: {
    email: string;
    name: string;
    company: string;
    roles: Role[];
    /** The service refuses people who are not */
    active: boolean;
    /** An access token */
    token: string;
  }[];
  /** With signIn provider: the authorization code flow with PKCE */
  provider?: {
    issuer: string;
    authorizationEndpoint: string;
    tokenEndpoint: string;
    clientId: string;
    scope: string;
    /** What the access token is asked for (RFC 8707); null where the scope says it */
    resource: string | null;
  };
}

export interface ConsoleConfigAnswer {
  success: true;
  /** What was done, for people */
  message: string;
  data: ConsoleConfig;
}

export type QueryParamsType = Record<string | number, any>;
export type ResponseFormat = keyof Omit<Body, "body" | "bodyUsed">;

export interface FullRequestParams extends Omit<RequestInit, "body"> {
  /** set parameter to `true` for call `securityWorker` for this request */
  secure?: boolean;
  /** request path */
  path: string;
  /** content type of request body */
  type?: ContentType;
  /** query params */
  query?: QueryParamsType;
  /** format of response (i.e. response.json() -> format: "json") */
  format?: ResponseFormat;
  /** request body */
  body?: unknown;
  /** base url */
  baseUrl?: string;
  /** request cancellation token */
  cancelToken?: CancelToken;
}

export type RequestParams = Omit<
  FullRequestParams,
  "body" | "method" | "query" | "path"
>;

export interface ApiConfig<SecurityDataType = unknown> {
  baseUrl?: string;
  baseApiParams?: Omit<RequestParams, "baseUrl" | "cancelToken" | "signal">;
  securityWorker?: (
    securityData: SecurityDataType | null,
  ) => Promise<RequestParams | void> | RequestParams | void;
  customFetch?: typeof fetch;
}

export interface HttpResponse<D extends unknown, E extends unknown = unknown>
  extends Response {
  data: D;
  error: E;
}

type CancelToken = Symbol | string | number;

export enum ContentType {
  Json = "application/json",
  JsonApi = "application/vnd.api+json",
  FormData = "multipart/form-data",
  UrlEncoded = "application/x-www-form-urlencoded",
  Text = "text/plain",
}

export class HttpClient<SecurityDataType = unknown> {
  public baseUrl: string = "/";
  private securityData: SecurityDataType | null = null;
  private securityWorker?: ApiConfig<SecurityDataType>["securityWorker"];
  private abortControllers = new Map<CancelToken, AbortController>();
  private customFetch = (...fetchParams: Parameters<typeof fetch>) =>
    fetch(...fetchParams);

  private baseApiParams: RequestParams = {
    credentials: "same-origin",
    headers: {},
    redirect: "follow",
    referrerPolicy: "no-referrer",
  };

  constructor(apiConfig: ApiConfig<SecurityDataType> = {}) {
    Object.assign(this, apiConfig);
  }

  public setSecurityData = (data: SecurityDataType | null) => {
    this.securityData = data;
  };

  protected encodeQueryParam(key: string, value: any) {
    const encodedKey = encodeURIComponent(key);
    return `${encodedKey}=${encodeURIComponent(typeof value === "number" ? value : `${value}`)}`;
  }

  protected addQueryParam(query: QueryParamsType, key: string) {
    return this.encodeQueryParam(key, query[key]);
  }

  protected addArrayQueryParam(query: QueryParamsType, key: string) {
    const value = query[key];
    return value.map((v: any) => this.encodeQueryParam(key, v)).join("&");
  }

  protected toQueryString(rawQuery?: QueryParamsType): string {
    const query = rawQuery || {};
    const keys = Object.keys(query).filter(
      (key) => "undefined" !== typeof query[key],
    );
    return keys
      .map((key) =>
        Array.isArray(query[key])
          ? this.addArrayQueryParam(query, key)
          : this.addQueryParam(query, key),
      )
      .join("&");
  }

  protected addQueryParams(rawQuery?: QueryParamsType): string {
    const queryString = this.toQueryString(rawQuery);
    return queryString ? `?${queryString}` : "";
  }

  private contentFormatters: Record<ContentType, (input: any) => any> = {
    [ContentType.Json]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    [ContentType.JsonApi]: (input: any) =>
      input !== null && (typeof input === "object" || typeof input === "string")
        ? JSON.stringify(input)
        : input,
    [ContentType.Text]: (input: any) =>
      input !== null && typeof input !== "string"
        ? JSON.stringify(input)
        : input,
    [ContentType.FormData]: (input: any) => {
      if (input instanceof FormData) {
        return input;
      }

      return Object.keys(input || {}).reduce((formData, key) => {
        const property = input[key];
        formData.append(
          key,
          property instanceof Blob
            ? property
            : typeof property === "object" && property !== null
              ? JSON.stringify(property)
              : `${property}`,
        );
        return formData;
      }, new FormData());
    },
    [ContentType.UrlEncoded]: (input: any) => this.toQueryString(input),
  };

  protected mergeRequestParams(
    params1: RequestParams,
    params2?: RequestParams,
  ): RequestParams {
    return {
      ...this.baseApiParams,
      ...params1,
      ...(params2 || {}),
      headers: {
        ...(this.baseApiParams.headers || {}),
        ...(params1.headers || {}),
        ...((params2 && params2.headers) || {}),
      },
    };
  }

  protected createAbortSignal = (
    cancelToken: CancelToken,
  ): AbortSignal | undefined => {
    if (this.abortControllers.has(cancelToken)) {
      const abortController = this.abortControllers.get(cancelToken);
      if (abortController) {
        return abortController.signal;
      }
      return void 0;
    }

    const abortController = new AbortController();
    this.abortControllers.set(cancelToken, abortController);
    return abortController.signal;
  };

  public abortRequest = (cancelToken: CancelToken) => {
    const abortController = this.abortControllers.get(cancelToken);

    if (abortController) {
      abortController.abort();
      this.abortControllers.delete(cancelToken);
    }
  };

  public request = async <T = any, E = any>({
    body,
    secure,
    path,
    type,
    query,
    format,
    baseUrl,
    cancelToken,
    ...params
  }: FullRequestParams): Promise<HttpResponse<T, E>> => {
    const secureParams =
      ((typeof secure === "boolean" ? secure : this.baseApiParams.secure) &&
        this.securityWorker &&
        (await this.securityWorker(this.securityData))) ||
      {};
    const requestParams = this.mergeRequestParams(params, secureParams);
    const queryString = query && this.toQueryString(query);
    const payloadFormatter = this.contentFormatters[type || ContentType.Json];
    const responseFormat = format || requestParams.format;

    return this.customFetch(
      `${baseUrl || this.baseUrl || ""}${path}${queryString ? `?${queryString}` : ""}`,
      {
        ...requestParams,
        headers: {
          ...(requestParams.headers || {}),
          ...(type && type !== ContentType.FormData
            ? { "Content-Type": type }
            : {}),
        },
        signal:
          (cancelToken
            ? this.createAbortSignal(cancelToken)
            : requestParams.signal) || null,
        body:
          typeof body === "undefined" || body === null
            ? null
            : payloadFormatter(body),
      },
    ).then(async (response) => {
      const r = response as HttpResponse<T, E>;
      r.data = null as unknown as T;
      r.error = null as unknown as E;

      const responseToParse = responseFormat ? response.clone() : response;
      const data = !responseFormat
        ? r
        : await responseToParse[responseFormat]()
            .then((data) => {
              if (r.ok) {
                r.data = data;
              } else {
                r.error = data;
              }
              return r;
            })
            .catch((e) => {
              r.error = e;
              return r;
            });

      if (cancelToken) {
        this.abortControllers.delete(cancelToken);
      }

      if (!response.ok) throw data;
      return data;
    });
  };
}

/**
 * @title orgdesk
 * @version 0.1.0
 * @license Apache-2.0 (https://www.apache.org/licenses/LICENSE-2.0)
 * @baseUrl /
 * @contact orgdesk <support@orgdesk.example> (https://orgdesk.example)
 *
 * Profiles that people look after themselves, a public geography master, and the administration of companies, approval policies and departments.
 *
 * Cities, states and countries come from the Countries States Cities Database, https://github.com/dr5hn/countries-states-cities-database, made available under the Open Database License (ODbL) 1.0, https://opendatacommons.org/licenses/odbl/1-0/. Populations come from GeoNames, https://www.geonames.org, under CC BY 4.0, https://creativecommons.org/licenses/by/4.0/.
 */
export class Api<
  SecurityDataType extends unknown,
> extends HttpClient<SecurityDataType> {
  api = {
    /**
     * @description The profile of the user whose token it is. Its ETag can be sent as If-Match with an update.
     *
     * @tags Profile
     * @name GetProfile
     * @summary Get the own profile
     * @request GET:/api/users/profile
     * @secure
     */
    getProfile: (params: RequestParams = {}) =>
      this.request<ProfileAnswer, ApiError>({
        path: `/api/users/profile`,
        method: "GET",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The profile of the user whose token it is. Its ETag can be sent as If-Match with an update.
     *
     * @tags Profile
     * @name GetProfileByPost
     * @summary Get the own profile
     * @request POST:/api/users/profile
     * @secure
     */
    getProfileByPost: (params: RequestParams = {}) =>
      this.request<ProfileAnswer, ApiError>({
        path: `/api/users/profile`,
        method: "POST",
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Writes the fields that are sent and leaves the others, but for addressLine2: left out beside other fields it is cleared. With If-Match the update happens only where the profile is still the one that was read.
     *
     * @tags Profile
     * @name UpdateProfile
     * @summary Update the own profile
     * @request POST:/api/users/update-profile
     * @secure
     */
    updateProfile: (data?: UpdateProfileBody, params: RequestParams = {}) =>
      this.request<UpdatedProfileAnswer, ApiError | ProfileChanged>({
        path: `/api/users/update-profile`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Writes the fields that are sent and leaves the others, but for addressLine2: left out beside other fields it is cleared. With If-Match the update happens only where the profile is still the one that was read.
     *
     * @tags Profile
     * @name UpdateProfileByGet
     * @summary Update the own profile
     * @request GET:/api/users/update-profile
     * @secure
     */
    updateProfileByGet: (
      query?: {
        /**
         * 1 to 100 characters without control characters
         * @minLength 1
         * @maxLength 100
         * @pattern \S
         * @example "Asha"
         */
        firstName?: string;
        /**
         * 1 to 100 characters without control characters
         * @minLength 1
         * @maxLength 100
         * @pattern \S
         * @example "Rao"
         */
        lastName?: string;
        /**
         * An optional +, then 7 to 15 digits, with spaces, hyphens and brackets allowed among them
         * @pattern ^\+?[ (]{0,2}\d(?:[ ()-]{0,5}\d){6,14}\)?$
         * @example "+910000012345"
         */
        phone?: string;
        /**
         * A calendar date from 1900-01-01 to today, as YYYY-MM-DD
         * @pattern ^\d{4}-\d{2}-\d{2}(T00:00:00\.000Z)?$
         * @example "1990-05-14"
         */
        dateOfBirth?: string;
        /**
         * 1 to 50 characters without control characters
         * @minLength 1
         * @maxLength 50
         * @pattern \S
         * @example "Female"
         */
        gender?: string;
        /**
         * Primary street address: 1 to 255 characters without control characters
         * @minLength 1
         * @maxLength 255
         * @pattern \S
         * @example "14 Lake View Road"
         */
        addressLine1?: string;
        /**
         * Apartment, suite or building, up to 255 characters; null, empty or left out beside other fields: cleared
         * @maxLength 255
         * @example "Flat 3B"
         */
        addressLine2?: string | null;
        /**
         * Postal code: 3 to 12 letters (A to Z), digits, spaces or hyphens
         * @minLength 3
         * @maxLength 12
         * @pattern ^[A-Za-z0-9 -]*$
         * @example "560001"
         */
        pincode?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<UpdatedProfileAnswer, ApiError | ProfileChanged>({
        path: `/api/users/update-profile`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description By name. With a search what begins with the text comes first, cities by their population. The full list, or one page of it with the pagination block where isPaginationNeeded is true.
     *
     * @tags Geography
     * @name ListCities
     * @summary List cities
     * @request GET:/api/cities/list
     */
    listCities: (
      query?: {
        /**
         * Text that the name must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Only cities of this state
         * @example 4008
         */
        stateId?: number;
        /**
         * Only those of this country
         * @example 101
         */
        countryId?: number;
        /**
         * Only those of the country with this code of two letters, in either case
         * @format country-code
         * @example "IN"
         */
        countryCode?: string;
        /**
         * Only those with these ids: up to 100, with commas between
         * @example "133024,133025"
         */
        ids?: string;
        /**
         * What to tell of each besides: some of location, timezone, population, with commas between
         * @example "location,timezone"
         */
        include?: string;
        /**
         * true gives one page and the pagination block, false the full list
         * @default false
         */
        isPaginationNeeded?: boolean;
        /**
         * Page number, from 1; only with isPaginationNeeded
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page; only with isPaginationNeeded
         * @min 1
         * @max 1000
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<CityList, void | ApiError>({
        path: `/api/cities/list`,
        method: "GET",
        query: query,
        format: "json",
        ...params,
      }),

    /**
     * @description By name. With a search what begins with the text comes first, cities by their population. The full list, or one page of it with the pagination block where isPaginationNeeded is true.
     *
     * @tags Geography
     * @name ListCitiesByPost
     * @summary List cities
     * @request POST:/api/cities/list
     */
    listCitiesByPost: (data?: ListCitiesBody, params: RequestParams = {}) =>
      this.request<CityList, ApiError>({
        path: `/api/cities/list`,
        method: "POST",
        body: data,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description By name. With a search what begins with the text comes first, cities by their population. The full list, or one page of it with the pagination block where isPaginationNeeded is true.
     *
     * @tags Geography
     * @name ListStates
     * @summary List states and union territories
     * @request GET:/api/states/list
     */
    listStates: (
      query?: {
        /**
         * Text that the name or state code must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Only those of this country
         * @example 101
         */
        countryId?: number;
        /**
         * Only those of the country with this code of two letters, in either case
         * @format country-code
         * @example "IN"
         */
        countryCode?: string;
        /**
         * Only those with these ids: up to 100, with commas between
         * @example "133024,133025"
         */
        ids?: string;
        /**
         * true gives one page and the pagination block, false the full list
         * @default false
         */
        isPaginationNeeded?: boolean;
        /**
         * Page number, from 1; only with isPaginationNeeded
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page; only with isPaginationNeeded
         * @min 1
         * @max 1000
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<StateList, void | ApiError>({
        path: `/api/states/list`,
        method: "GET",
        query: query,
        format: "json",
        ...params,
      }),

    /**
     * @description By name. With a search what begins with the text comes first, cities by their population. The full list, or one page of it with the pagination block where isPaginationNeeded is true.
     *
     * @tags Geography
     * @name ListStatesByPost
     * @summary List states and union territories
     * @request POST:/api/states/list
     */
    listStatesByPost: (data?: ListStatesBody, params: RequestParams = {}) =>
      this.request<StateList, ApiError>({
        path: `/api/states/list`,
        method: "POST",
        body: data,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description By name. With a search what begins with the text comes first, cities by their population. The full list, or one page of it with the pagination block where isPaginationNeeded is true.
     *
     * @tags Geography
     * @name ListCountries
     * @summary List countries
     * @request GET:/api/countries/list
     */
    listCountries: (
      query?: {
        /**
         * Text that the name, or be the whole of the two- or three-letter code must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Only those with these ids: up to 100, with commas between
         * @example "133024,133025"
         */
        ids?: string;
        /**
         * What to tell of each besides: some of phoneCode, currency, flag, nativeName, location, with commas between
         * @example "phoneCode,currency"
         */
        include?: string;
        /**
         * true gives one page and the pagination block, false the full list
         * @default false
         */
        isPaginationNeeded?: boolean;
        /**
         * Page number, from 1; only with isPaginationNeeded
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page; only with isPaginationNeeded
         * @min 1
         * @max 1000
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<CountryList, void | ApiError>({
        path: `/api/countries/list`,
        method: "GET",
        query: query,
        format: "json",
        ...params,
      }),

    /**
     * @description By name. With a search what begins with the text comes first, cities by their population. The full list, or one page of it with the pagination block where isPaginationNeeded is true.
     *
     * @tags Geography
     * @name ListCountriesByPost
     * @summary List countries
     * @request POST:/api/countries/list
     */
    listCountriesByPost: (
      data?: ListCountriesBody,
      params: RequestParams = {},
    ) =>
      this.request<CountryList, ApiError>({
        path: `/api/countries/list`,
        method: "POST",
        body: data,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The registered companies by name, with how many people and bookings each has. For Super Admins and Platform RMs.
     *
     * @tags Companies
     * @name ListCompanies
     * @summary List companies
     * @request GET:/api/companies/list
     * @secure
     */
    listCompanies: (
      query?: {
        /**
         * Text that the name, legal name, GSTIN or e-mail address must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /** true: only active companies */
        activeOnly?: boolean;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<CompanyList, ApiError>({
        path: `/api/companies/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One company in full. For its Corporate Admins and Managers; for Super Admins and Platform RMs, also where it is closed.
     *
     * @tags Companies
     * @name GetCompany
     * @summary Get a company
     * @request GET:/api/companies/get
     * @secure
     */
    getCompany: (
      query: {
        /**
         * Of the company
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        id: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<CompanyInFullAnswer, ApiError>({
        path: `/api/companies/get`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Adds a company with a department, a band, which are its defaults, and perhaps its first Corporate Admin. With an id of one's own it is safe to repeat. For Super Admins.
     *
     * @tags Companies
     * @name CreateCompany
     * @summary Create a company
     * @request POST:/api/companies/create
     * @secure
     */
    createCompany: (data: CreateCompanyBody, params: RequestParams = {}) =>
      this.request<CompanyInFullAnswer, ApiError>({
        path: `/api/companies/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes the fields that are sent; active false closes the company. Its own Corporate Admins change its e-mail address and its defaults alone. With If-Match only where it is still what was read.
     *
     * @tags Companies
     * @name UpdateCompany
     * @summary Update a company
     * @request POST:/api/companies/update
     * @secure
     */
    updateCompany: (data: UpdateCompanyBody, params: RequestParams = {}) =>
      this.request<CompanyInFullAnswer, ApiError | CompanyInFullChanged>({
        path: `/api/companies/update`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The people who live in a company by name, deactivated ones too. For its Corporate Admins and Managers, and for Super Admins.
     *
     * @tags People
     * @name ListUsers
     * @summary List people
     * @request GET:/api/users/list
     * @secure
     */
    listUsers: (
      query: {
        /**
         * The company whose list is asked for
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId: string;
        /**
         * Text that the name (first, then last) or e-mail address must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Only people of this department
         * @format uuid
         * @example "812cea8f-2ed7-4e7c-a0f7-655fad31b48c"
         */
        departmentId?: string;
        /**
         * Only people of this band
         * @format uuid
         * @example "2f1027e9-958b-498a-b73a-109e9ecab4e8"
         */
        bandId?: string;
        /** Only people with this role in the company */
        role?: CompanyRole;
        /** true: only active people */
        activeOnly?: boolean;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<UserList, ApiError>({
        path: `/api/users/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One person in full. For Corporate Admins and Managers of their company, and for Super Admins.
     *
     * @tags People
     * @name GetUser
     * @summary Get a person
     * @request GET:/api/users/get
     * @secure
     */
    getUser: (
      query: {
        /**
         * Of the person
         * @format uuid
         * @example "d23dea7a-7498-46ef-9bdf-27944b5296e9"
         */
        id: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<ProfileAnswer, ApiError>({
        path: `/api/users/get`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Adds a person, who can sign in from then on. Department and band are the company's defaults where they are left out. With an id of one's own it is safe to repeat. For Corporate Admins of the company, and for Super Admins.
     *
     * @tags People
     * @name CreateUser
     * @summary Create a person
     * @request POST:/api/users/create
     * @secure
     */
    createUser: (data: CreateUserBody, params: RequestParams = {}) =>
      this.request<ProfileAnswer, ApiError>({
        path: `/api/users/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes the fields that are sent. With If-Match only where the person is still what was read. For Corporate Admins of their company, and for Super Admins.
     *
     * @tags People
     * @name UpdateUser
     * @summary Update a person
     * @request POST:/api/users/update
     * @secure
     */
    updateUser: (data: UpdateUserBody, params: RequestParams = {}) =>
      this.request<ProfileAnswer, ApiError | ProfileChanged>({
        path: `/api/users/update`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Gives a person a role in a company, or a platform role in the place of another one. A role that is held changes nothing. For Corporate Admins, to people of their company; for Super Admins.
     *
     * @tags People
     * @name GrantRole
     * @summary Grant a role
     * @request POST:/api/users/grant-role
     * @secure
     */
    grantRole: (data: GrantRoleBody, params: RequestParams = {}) =>
      this.request<ProfileAnswer, ApiError>({
        path: `/api/users/grant-role`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Takes a role from a person. One that is not held changes nothing. For Corporate Admins, in their company; for Super Admins.
     *
     * @tags People
     * @name RevokeRole
     * @summary Revoke a role
     * @request POST:/api/users/revoke-role
     * @secure
     */
    revokeRole: (data: RevokeRoleBody, params: RequestParams = {}) =>
      this.request<ProfileAnswer, ApiError>({
        path: `/api/users/revoke-role`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The bands of a company by name. For Corporate Admins and Managers of that company.
     *
     * @tags Bands
     * @name ListBands
     * @summary List bands
     * @request GET:/api/bands/list
     * @secure
     */
    listBands: (
      query: {
        /**
         * The company whose list is asked for
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId: string;
        /**
         * Text that the name or code must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<BandList, ApiError>({
        path: `/api/bands/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One band with its company. For Corporate Admins and Managers of that company.
     *
     * @tags Bands
     * @name GetBand
     * @summary Get band
     * @request GET:/api/bands/get
     * @secure
     */
    getBand: (
      query: {
        /**
         * Of the band
         * @format uuid
         * @example "2f1027e9-958b-498a-b73a-109e9ecab4e8"
         */
        id: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<BandAnswer, ApiError>({
        path: `/api/bands/get`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description With an id of one's own it is safe to repeat: the very same content again changes nothing. For Corporate Admins of that company.
     *
     * @tags Bands
     * @name CreateBand
     * @summary Create band
     * @request POST:/api/bands/create
     * @secure
     */
    createBand: (data: CreateBandBody, params: RequestParams = {}) =>
      this.request<BandAnswer, ApiError>({
        path: `/api/bands/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes the fields that are sent. With If-Match only where it is still what was read. For Corporate Admins of that company.
     *
     * @tags Bands
     * @name UpdateBand
     * @summary Update band
     * @request POST:/api/bands/update
     * @secure
     */
    updateBand: (data: UpdateBandBody, params: RequestParams = {}) =>
      this.request<BandAnswer, ApiError | BandChanged>({
        path: `/api/bands/update`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Answers with the band as it was. For Corporate Admins of that company.
     *
     * @tags Bands
     * @name DeleteBand
     * @summary Delete band
     * @request POST:/api/bands/delete
     * @secure
     */
    deleteBand: (data: DeleteBandBody, params: RequestParams = {}) =>
      this.request<BandAnswer, ApiError | BandChanged>({
        path: `/api/bands/delete`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The approval policies of a company by name, each with its levels. For Corporate Admins and Managers of that company.
     *
     * @tags Approval policies
     * @name ListApprovalPolicies
     * @summary List approval policies
     * @request GET:/api/approval-policies/list
     * @secure
     */
    listApprovalPolicies: (
      query: {
        /**
         * The company whose list is asked for
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId: string;
        /**
         * Text that the name must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<ApprovalPolicyList, ApiError>({
        path: `/api/approval-policies/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One approval policy with its company. For Corporate Admins and Managers of that company.
     *
     * @tags Approval policies
     * @name GetApprovalPolicy
     * @summary Get approval policy
     * @request GET:/api/approval-policies/get
     * @secure
     */
    getApprovalPolicy: (
      query: {
        /**
         * Of the approval policy
         * @maxLength 100
         * @example "10f519f7-ea4f-4c89-86b2-6f3d70d18902"
         */
        id: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<ApprovalPolicyInFullAnswer, ApiError>({
        path: `/api/approval-policies/get`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description With an id of one's own it is safe to repeat: the very same content again changes nothing. For Corporate Admins of that company.
     *
     * @tags Approval policies
     * @name CreateApprovalPolicy
     * @summary Create approval policy
     * @request POST:/api/approval-policies/create
     * @secure
     */
    createApprovalPolicy: (
      data: CreateApprovalPolicyBody,
      params: RequestParams = {},
    ) =>
      this.request<ApprovalPolicyInFullAnswer, ApiError>({
        path: `/api/approval-policies/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes the fields that are sent. With If-Match only where it is still what was read. For Corporate Admins of that company.
     *
     * @tags Approval policies
     * @name UpdateApprovalPolicy
     * @summary Update approval policy
     * @request POST:/api/approval-policies/update
     * @secure
     */
    updateApprovalPolicy: (
      data: UpdateApprovalPolicyBody,
      params: RequestParams = {},
    ) =>
      this.request<
        ApprovalPolicyInFullAnswer,
        ApiError | ApprovalPolicyInFullChanged
      >({
        path: `/api/approval-policies/update`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Answers with the approval policy as it was. For Corporate Admins of that company.
     *
     * @tags Approval policies
     * @name DeleteApprovalPolicy
     * @summary Delete approval policy
     * @request POST:/api/approval-policies/delete
     * @secure
     */
    deleteApprovalPolicy: (
      data: DeleteApprovalPolicyBody,
      params: RequestParams = {},
    ) =>
      this.request<
        ApprovalPolicyInFullAnswer,
        ApiError | ApprovalPolicyInFullChanged
      >({
        path: `/api/approval-policies/delete`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description What a policy asks for a booking of an amount, by a person where one is named, and who can approve it. For Corporate Admins and Managers of that company.
     *
     * @tags Approval policies
     * @name EvaluateApprovalPolicy
     * @summary Who has to approve
     * @request GET:/api/approval-policies/evaluate
     * @secure
     */
    evaluateApprovalPolicy: (
      query: {
        /**
         * 1 to 100 characters without control characters
         * @minLength 1
         * @maxLength 100
         * @pattern \S
         * @example "10f519f7-ea4f-4c89-86b2-6f3d70d18902"
         */
        id: string;
        /**
         * Of the booking: an amount such as 75000.00: not negative, below 10000000000000, with at most two decimals and no separators
         * @pattern ^(0|[1-9]\d{0,12})(?:\.(\d{1,2}))?$
         * @example "60000.00"
         */
        amount: string;
        /**
         * Who books, of the same company
         * @format uuid
         * @example "d23dea7a-7498-46ef-9bdf-27944b5296e9"
         */
        userId?: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<EvaluationAnswer, ApiError>({
        path: `/api/approval-policies/evaluate`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The departments of a company by name. For Corporate Admins and Managers of that company.
     *
     * @tags Departments
     * @name ListDepartments
     * @summary List departments
     * @request GET:/api/departments/list
     * @secure
     */
    listDepartments: (
      query: {
        /**
         * The company whose list is asked for
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId: string;
        /**
         * Text that the name or cost code must contain; case, accents and extra white space do not matter
         * @maxLength 256
         */
        search?: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<DepartmentList, ApiError>({
        path: `/api/departments/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One department with its company. For Corporate Admins and Managers of that company.
     *
     * @tags Departments
     * @name GetDepartment
     * @summary Get department
     * @request GET:/api/departments/get
     * @secure
     */
    getDepartment: (
      query: {
        /**
         * Of the department
         * @format uuid
         * @example "812cea8f-2ed7-4e7c-a0f7-655fad31b48c"
         */
        id: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<DepartmentInFullAnswer, ApiError>({
        path: `/api/departments/get`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description With an id of one's own it is safe to repeat: the very same content again changes nothing. For Corporate Admins of that company.
     *
     * @tags Departments
     * @name CreateDepartment
     * @summary Create department
     * @request POST:/api/departments/create
     * @secure
     */
    createDepartment: (
      data: CreateDepartmentBody,
      params: RequestParams = {},
    ) =>
      this.request<DepartmentInFullAnswer, ApiError>({
        path: `/api/departments/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes the fields that are sent. With If-Match only where it is still what was read. For Corporate Admins of that company.
     *
     * @tags Departments
     * @name UpdateDepartment
     * @summary Update department
     * @request POST:/api/departments/update
     * @secure
     */
    updateDepartment: (
      data: UpdateDepartmentBody,
      params: RequestParams = {},
    ) =>
      this.request<DepartmentInFullAnswer, ApiError | DepartmentInFullChanged>({
        path: `/api/departments/update`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Answers with the department as it was. For Corporate Admins of that company.
     *
     * @tags Departments
     * @name DeleteDepartment
     * @summary Delete department
     * @request POST:/api/departments/delete
     * @secure
     */
    deleteDepartment: (
      data: DeleteDepartmentBody,
      params: RequestParams = {},
    ) =>
      this.request<DepartmentInFullAnswer, ApiError | DepartmentInFullChanged>({
        path: `/api/departments/delete`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The keys of a company, the newest first, revoked ones too. For its Corporate Admins, and for Super Admins.
     *
     * @tags API keys
     * @name ListApiKeys
     * @summary List API keys
     * @request GET:/api/api-keys/list
     * @secure
     */
    listApiKeys: (
      query?: {
        /**
         * Only keys of this company; left out: all keys, for Super Admins alone
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId?: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<ApiKeyList, ApiError>({
        path: `/api/api-keys/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Makes a key by which another system calls the service. The answer tells the key this once. For Corporate Admins, in their company; for Super Admins, also for the platform.
     *
     * @tags API keys
     * @name CreateApiKey
     * @summary Create an API key
     * @request POST:/api/api-keys/create
     * @secure
     */
    createApiKey: (data: CreateApiKeyBody, params: RequestParams = {}) =>
      this.request<NewApiKeyAnswer, ApiError>({
        path: `/api/api-keys/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The key is refused from the next request on. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags API keys
     * @name RevokeApiKey
     * @summary Revoke an API key
     * @request POST:/api/api-keys/revoke
     * @secure
     */
    revokeApiKey: (data: RevokeApiKeyBody, params: RequestParams = {}) =>
      this.request<ApiKeyAnswer, ApiError>({
        path: `/api/api-keys/revoke`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Bookings of another system, up to 1,000, all of them or none. They are known by their ids: a repeated one changes nothing, one with other content is changed. The body may have 512 KiB. For API keys with the scope bookings.write, and for Super Admins.
     *
     * @tags Bookings
     * @name RecordBookings
     * @summary Record bookings
     * @request POST:/api/bookings/record
     * @secure
     */
    recordBookings: (data: RecordBookingsBody, params: RequestParams = {}) =>
      this.request<RecordedBookingsAnswer, ApiError>({
        path: `/api/bookings/record`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The webhooks of a company, the newest first. For its Corporate Admins, and for Super Admins.
     *
     * @tags Webhooks
     * @name ListWebhooks
     * @summary List webhooks
     * @request GET:/api/webhooks/list
     * @secure
     */
    listWebhooks: (
      query?: {
        /**
         * Only webhooks of this company; left out: all of them, for Super Admins alone
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId?: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<WebhookList, ApiError>({
        path: `/api/webhooks/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description One webhook. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags Webhooks
     * @name GetWebhook
     * @summary Get a webhook
     * @request GET:/api/webhooks/get
     * @secure
     */
    getWebhook: (
      query: {
        /**
         * Of the webhook
         * @format uuid
         * @example "7e0f9d3a-2b4c-4d5e-9f60-7182939495a6"
         */
        id: string;
      },
      params: RequestParams = {},
    ) =>
      this.request<WebhookAnswer, ApiError>({
        path: `/api/webhooks/get`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Each change from then on is sent to the address, signed by Standard Webhooks. The answer tells the secret this once. For Corporate Admins, in their company; for Super Admins, also for all companies.
     *
     * @tags Webhooks
     * @name CreateWebhook
     * @summary Create a webhook
     * @request POST:/api/webhooks/create
     * @secure
     */
    createWebhook: (data: CreateWebhookBody, params: RequestParams = {}) =>
      this.request<WebhookWithSecretAnswer, ApiError>({
        path: `/api/webhooks/create`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Changes the fields that are sent. Switched on again it goes on where it stood. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags Webhooks
     * @name UpdateWebhook
     * @summary Update a webhook
     * @request POST:/api/webhooks/update
     * @secure
     */
    updateWebhook: (data: UpdateWebhookBody, params: RequestParams = {}) =>
      this.request<WebhookAnswer, ApiError>({
        path: `/api/webhooks/update`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Answers with the webhook as it was. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags Webhooks
     * @name DeleteWebhook
     * @summary Delete a webhook
     * @request POST:/api/webhooks/delete
     * @secure
     */
    deleteWebhook: (data: DeleteWebhookBody, params: RequestParams = {}) =>
      this.request<WebhookAnswer, ApiError>({
        path: `/api/webhooks/delete`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Makes a new secret, told this once; the one of before signs as well for 24 hours. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags Webhooks
     * @name RotateWebhookSecret
     * @summary Rotate the secret of a webhook
     * @request POST:/api/webhooks/rotate-secret
     * @secure
     */
    rotateWebhookSecret: (
      data: RotateWebhookSecretBody,
      params: RequestParams = {},
    ) =>
      this.request<WebhookWithSecretAnswer, ApiError>({
        path: `/api/webhooks/rotate-secret`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description Sends one message of the type test, and answers with how that went. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags Webhooks
     * @name TestWebhook
     * @summary Test a webhook
     * @request POST:/api/webhooks/test
     * @secure
     */
    testWebhook: (data: TestWebhookBody, params: RequestParams = {}) =>
      this.request<DeliveryAnswer, ApiError>({
        path: `/api/webhooks/test`,
        method: "POST",
        body: data,
        secure: true,
        type: ContentType.Json,
        format: "json",
        ...params,
      }),

    /**
     * @description The last 1,000 tries, the newest first. For Corporate Admins of its company, and for Super Admins.
     *
     * @tags Webhooks
     * @name ListWebhookDeliveries
     * @summary List the deliveries of a webhook
     * @request GET:/api/webhooks/deliveries
     * @secure
     */
    listWebhookDeliveries: (
      query: {
        /**
         * Of the webhook
         * @format uuid
         * @example "7e0f9d3a-2b4c-4d5e-9f60-7182939495a6"
         */
        id: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<DeliveryList, ApiError>({
        path: `/api/webhooks/deliveries`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description Who changed which fields of whom, newest first. People see what concerns themselves, Corporate Admins also their companies, Super Admins everything. A filter narrows that, and is never refused.
     *
     * @tags Audit
     * @name ListAuditTrail
     * @summary List the audit trail
     * @request GET:/api/audit/list
     * @secure
     */
    listAuditTrail: (
      query?: {
        /**
         * Only what concerns this person
         * @format uuid
         * @example "d23dea7a-7498-46ef-9bdf-27944b5296e9"
         */
        userId?: string;
        /**
         * Only what concerns this company
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId?: string;
        /**
         * Page number, from 1
         * @min 1
         * @default 1
         */
        page?: number;
        /**
         * Items on a page
         * @min 1
         * @max 100
         * @default 10
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<ChangeList, ApiError>({
        path: `/api/audit/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),

    /**
     * @description The changes of the audit trail, each once, in one order for all followers. People see what concerns themselves, Corporate Admins also their companies, Super Admins everything.
     *
     * @tags Audit
     * @name ListEvents
     * @summary Follow the changes
     * @request GET:/api/events/list
     * @secure
     */
    listEvents: (
      query?: {
        /**
         * The next of an earlier answer, as it was; absent: from the beginning
         * @maxLength 100
         */
        after?: string;
        /** now: no changes, and as next the cursor behind the last; not with after */
        from?: "now";
        /**
         * Only changes of these things
         * @example "user"
         */
        entity?: EntityName;
        /**
         * Only what concerns this person
         * @format uuid
         * @example "d23dea7a-7498-46ef-9bdf-27944b5296e9"
         */
        userId?: string;
        /**
         * Only what concerns this company
         * @format uuid
         * @example "b3cb9b86-e923-4834-bb80-42f6e9b215da"
         */
        companyId?: string;
        /**
         * Seconds to hold the answer until something comes
         * @min 0
         * @max 25
         * @default 0
         */
        wait?: number;
        /**
         * Changes in an answer at most
         * @min 1
         * @max 1000
         * @default 100
         */
        limit?: number;
      },
      params: RequestParams = {},
    ) =>
      this.request<ChangeFeed, ApiError>({
        path: `/api/events/list`,
        method: "GET",
        query: query,
        secure: true,
        format: "json",
        ...params,
      }),
  };
  livez = {
    /**
     * @description Answers as long as the process does, whatever its dependencies.
     *
     * @tags Health
     * @name GetLiveness
     * @summary Does the process run
     * @request GET:/livez
     */
    getLiveness: (params: RequestParams = {}) =>
      this.request<LivenessAnswer, ApiError>({
        path: `/livez`,
        method: "GET",
        format: "json",
        ...params,
      }),
  };
  readyz = {
    /**
     * @description The state of each dependency; 503 where one keeps the service from its work, and the message names them all.
     *
     * @tags Health
     * @name GetReadiness
     * @summary Can the service do its work
     * @request GET:/readyz
     */
    getReadiness: (params: RequestParams = {}) =>
      this.request<ReadinessAnswer, ApiError>({
        path: `/readyz`,
        method: "GET",
        format: "json",
        ...params,
      }),
  };
  console = {
    /**
     * @description For the console’s own pages. On the demo it gives access tokens of the demo people, to this very machine alone; DEMO_DATA=false ends that.
     *
     * @tags Console
     * @name GetConsoleConfig
     * @summary How to sign in to the console
     * @request GET:/console/config
     */
    getConsoleConfig: (params: RequestParams = {}) =>
      this.request<ConsoleConfigAnswer, ApiError>({
        path: `/console/config`,
        method: "GET",
        format: "json",
        ...params,
      }),
  };
}
