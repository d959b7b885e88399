# Written from openapi.json by `npm run openapi`.
from __future__ import annotations

from typing import Any, Literal, Mapping, NotRequired, TypeAlias, TypedDict

VERSION = "1.0.0-rc.1"

ErrorCode: TypeAlias = 'Literal["MALFORMED_REQUEST", "INVALID_INPUT", "AUTHENTICATION_REQUIRED", "INVALID_TOKEN", "ROLE_REQUIRED", "COMPANY_FORBIDDEN", "SCOPE_REQUIRED", "FIELD_FORBIDDEN", "PROTECTED_USER", "OWN_LIMIT", "KEY_SUSPENDED", "PREFETCH_REFUSED", "NOT_FOUND", "METHOD_NOT_ALLOWED", "REQUEST_TIMEOUT", "ALREADY_EXISTS", "IN_USE", "CIRCLE", "PERIOD_CLOSED", "AMBIGUOUS", "LAST_ADMIN", "LIMIT_REACHED", "MANAGED_BY_DIRECTORY", "NOT_FIRST_IN_LINE", "OUTDATED", "ERASED", "NOT_CONFIGURED", "IDEMPOTENCY_KEY_IN_USE", "CURSOR_GONE", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "EXPECTATION_FAILED", "IDEMPOTENCY_KEY_REUSED", "TOO_MANY_REQUESTS", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "DISK_FULL", "OVERLOADED", "UNAVAILABLE"]'

FieldErrorCode: TypeAlias = 'Literal["REQUIRED", "DUPLICATE", "INVALID_TYPE", "INVALID_VALUE", "INVALID_FORMAT", "OUT_OF_RANGE", "TOO_SHORT", "TOO_LONG", "UNKNOWN_FIELD", "UNKNOWN_PARAMETER", "FIELD_FORBIDDEN", "ALREADY_EXISTS", "CIRCLE"]'

class FieldError(TypedDict):
    field: str
    code: FieldErrorCode
    message: str

class ApiError(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    etag: NotRequired[str]

class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    etag: NotRequired[str]

ClientType: TypeAlias = 'Literal["CORPORATE", "AGENCY", "DIRECT"]'

class OwnCompany(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    active: bool
    currency: NotRequired[str]
    brand: NotRequired[OwnCompanyBrand]

class OwnCompanyBrand(TypedDict):
    name: NotRequired[str]
    logo: NotRequired[str]
    color: NotRequired[str]
    support: NotRequired[str]
    terms: NotRequired[str]
    text: NotRequired[str]
    links: NotRequired[list[OwnCompanyBrandLinksItem]]

class OwnCompanyBrandLinksItem(TypedDict):
    name: str
    url: str

class DepartmentRef(TypedDict):
    id: str
    name: str
    costCode: str

class BandRef(TypedDict):
    id: str
    name: str
    code: str
    autoApprovalLimit: str
    maxBookingLimit: str | None

CompanyRole: TypeAlias = 'Literal["CORPORATE_ADMIN", "MANAGER", "EMPLOYEE"]'

class HeldCompanyRole(TypedDict):
    id: str
    companyId: str
    role: CompanyRole

SystemRole: TypeAlias = 'Literal["SUPER_ADMIN", "PLATFORM_RM"]'

Role: TypeAlias = 'Literal["SUPER_ADMIN", "PLATFORM_RM", "CORPORATE_ADMIN", "MANAGER", "EMPLOYEE"]'

class Employment(TypedDict):
    employeeNumber: str | None
    jobTitle: str | None
    costCenter: str | None
    managerId: str | None
    startDate: str | None
    endDate: str | None
    manager: EmploymentManager | None

class EmploymentManager(TypedDict):
    id: str
    firstName: str
    lastName: str

Substitution = TypedDict("Substitution", {
    "userId": 'str',
    "substitute": 'SubstitutionSubstitute | None',
    "from": 'str | None',
    "until": 'str | None',
})

class SubstitutionSubstitute(TypedDict):
    id: str
    firstName: str
    lastName: str

PlannedSubstitution = TypedDict("PlannedSubstitution", {
    "substitute": 'PlannedSubstitutionSubstitute | None',
    "from": 'str | None',
    "until": 'str | None',
})

class PlannedSubstitutionSubstitute(TypedDict):
    id: str
    firstName: str
    lastName: str

class OwnProfile(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: ClientType
    companyId: str
    departmentId: str
    employeeBand: str
    bandId: str
    approvalLimit: str
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int
    active: bool
    createdAt: str
    updatedAt: str
    company: OwnCompany
    department: DepartmentRef
    band: BandRef
    companyRoles: list[HeldCompanyRole]
    systemRoleMap: OwnProfileSystemRoleMap | None
    roles: list[Role]
    employment: NotRequired[Employment]
    manager: NotRequired[OwnProfileManager | None]
    substitution: NotRequired[Substitution]
    substitutions: NotRequired[list[PlannedSubstitution]]
    fields: NotRequired[dict[str, Any]]

class OwnProfileSystemRoleMap(TypedDict):
    role: SystemRole
    active: bool

class OwnProfileManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class OwnProfileAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: OwnProfile
    etag: NotRequired[str]

class GetProfileBody(TypedDict):
    include: NotRequired[str | None]

class UpdateProfileBody(TypedDict):
    firstName: NotRequired[str]
    lastName: NotRequired[str]
    phone: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    addressLine1: NotRequired[str | None]
    addressLine2: NotRequired[str | None]
    pincode: NotRequired[str | None]

class CompanyName(TypedDict):
    id: str
    name: str
    legalName: str

class DepartmentName(TypedDict):
    id: str
    name: str

class BandName(TypedDict):
    id: str
    name: str
    code: str

class UpdatedProfile(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: ClientType
    companyId: str
    departmentId: str
    employeeBand: str
    bandId: str
    approvalLimit: str
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int
    active: bool
    createdAt: str
    updatedAt: str
    company: CompanyName
    department: DepartmentName
    band: BandName
    roles: list[Role]

class UpdatedProfileAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: UpdatedProfile
    etag: NotRequired[str]

class CompanyRef(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    active: bool

class Profile(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: ClientType
    companyId: str
    departmentId: str
    employeeBand: str
    bandId: str
    approvalLimit: str
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int
    active: bool
    createdAt: str
    updatedAt: str
    company: CompanyRef
    department: DepartmentRef
    band: BandRef
    companyRoles: list[HeldCompanyRole]
    systemRoleMap: ProfileSystemRoleMap | None
    roles: list[Role]

class ProfileSystemRoleMap(TypedDict):
    role: SystemRole
    active: bool

class ProfileChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: Profile
    etag: NotRequired[str]

class ProfileChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: Profile
    etag: NotRequired[str]

class StateRef(TypedDict):
    id: int
    name: str
    stateCode: str

class CountryRef(TypedDict):
    id: int
    name: str
    iso2: str
    iso3: str

class City(TypedDict):
    id: int
    name: str
    stateId: int
    countryId: int
    state: StateRef
    country: CountryRef
    location: NotRequired[CityLocation | None]
    timezone: NotRequired[str | None]
    population: NotRequired[int | None]
    alternateNames: NotRequired[list[str]]
    localName: NotRequired[str | None]
    match: NotRequired[Literal["name", "alternateName", "similar", "part"]]

class CityLocation(TypedDict):
    latitude: float
    longitude: float

class Pagination(TypedDict):
    totalItems: int
    currentPage: int
    totalPages: int
    pageSize: int
    hasNextPage: bool
    hasPreviousPage: bool

class CursorPagination(TypedDict):
    totalItems: int
    pageSize: int
    next: str | None

class CityList(TypedDict):
    success: Literal[True]
    message: str
    data: list[City]
    pagination: NotRequired[Pagination | CursorPagination]

class ListCitiesBody(TypedDict):
    search: NotRequired[str | None]
    alternateNames: NotRequired[bool | Literal["true", "false"] | None]
    stateId: NotRequired[int | str | None]
    within: NotRequired[bool | Literal["true", "false"] | None]
    near: NotRequired[str | None]
    countryId: NotRequired[int | str | None]
    countryCode: NotRequired[str | None]
    ids: NotRequired[str | None]
    include: NotRequired[str | None]
    lang: NotRequired[str | None]
    isPaginationNeeded: NotRequired[bool | Literal["true", "false"] | None]
    after: NotRequired[str | None]
    page: NotRequired[int | str | None]
    limit: NotRequired[int | str | None]

class State(TypedDict):
    id: int
    name: str
    stateCode: str
    countryId: int
    country: CountryRef
    _count: StateCount
    type: NotRequired[str | None]
    parentId: NotRequired[int | None]
    alternateNames: NotRequired[list[str]]
    localName: NotRequired[str | None]
    match: NotRequired[Literal["name", "alternateName", "similar", "part"]]

class StateCount(TypedDict):
    cities: int

class StateList(TypedDict):
    success: Literal[True]
    message: str
    data: list[State]
    pagination: NotRequired[Pagination | CursorPagination]

class ListStatesBody(TypedDict):
    search: NotRequired[str | None]
    alternateNames: NotRequired[bool | Literal["true", "false"] | None]
    countryId: NotRequired[int | str | None]
    countryCode: NotRequired[str | None]
    hasCities: NotRequired[bool | Literal["true", "false"] | None]
    ids: NotRequired[str | None]
    include: NotRequired[str | None]
    lang: NotRequired[str | None]
    isPaginationNeeded: NotRequired[bool | Literal["true", "false"] | None]
    after: NotRequired[str | None]
    page: NotRequired[int | str | None]
    limit: NotRequired[int | str | None]

class Country(TypedDict):
    id: int
    name: str
    iso2: str
    iso3: str
    _count: CountryCount
    phoneCode: NotRequired[str | None]
    currency: NotRequired[str | None]
    data: NotRequired[CountryData | None]
    flag: NotRequired[str | None]
    nativeName: NotRequired[str | None]
    location: NotRequired[CountryLocation | None]
    alternateNames: NotRequired[list[str]]
    localName: NotRequired[str | None]
    match: NotRequired[Literal["name", "alternateName", "similar", "part"]]

class CountryCount(TypedDict):
    states: int
    cities: int

class CountryData(TypedDict):
    geoNames: str
    countriesStatesCities: str

class CountryLocation(TypedDict):
    latitude: float
    longitude: float

class CountryList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Country]
    pagination: NotRequired[Pagination | CursorPagination]

class ListCountriesBody(TypedDict):
    search: NotRequired[str | None]
    alternateNames: NotRequired[bool | Literal["true", "false"] | None]
    ids: NotRequired[str | None]
    include: NotRequired[str | None]
    lang: NotRequired[str | None]
    isPaginationNeeded: NotRequired[bool | Literal["true", "false"] | None]
    after: NotRequired[str | None]
    page: NotRequired[int | str | None]
    limit: NotRequired[int | str | None]

class Company(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    creditLimit: str
    creditDays: int
    active: bool
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    brandName: NotRequired[str | None]
    brandLogo: NotRequired[str | None]
    brandColor: NotRequired[str | None]
    brandSupport: NotRequired[str | None]
    brandTerms: NotRequired[str | None]
    brandText: NotRequired[str | None]
    brandLinks: NotRequired[str | None]
    _count: CompanyCount
    externalId: NotRequired[str | None]
    currency: NotRequired[str]
    creditUsed: NotRequired[str]

class CompanyCount(TypedDict):
    users: int
    bookings: int

class CompanyList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Company]
    pagination: Pagination | CursorPagination

BudgetPeriod: TypeAlias = 'Literal["MONTH", "QUARTER", "YEAR"]'

class HeadCount(TypedDict):
    month: str
    people: int

class CompanyWithCounts(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    creditLimit: str
    creditDays: int
    active: bool
    email: str
    defaultDepartmentId: str | None
    defaultBandId: str | None
    currency: str | None
    country: str | None
    budgetPeriod: BudgetPeriod
    fiscalYearStart: int
    timeZone: str
    closedTo: str | None
    externalId: str | None
    createdAt: str
    updatedAt: str
    fields: NotRequired[dict[str, Any]]
    _count: CompanyWithCountsCount
    creditUsed: str
    brandName: NotRequired[str | None]
    brandLogo: NotRequired[str | None]
    brandColor: NotRequired[str | None]
    brandSupport: NotRequired[str | None]
    brandTerms: NotRequired[str | None]
    brandText: NotRequired[str | None]
    brandLinks: NotRequired[str | None]
    headCounts: NotRequired[list[HeadCount]]
    overCreditSince: NotRequired[str | None]

class CompanyWithCountsCount(TypedDict):
    users: int
    bookings: int

class CompanyWithCountsAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: CompanyWithCounts
    etag: NotRequired[str]

class CreateCompanyBody(TypedDict):
    id: NotRequired[str]
    name: str
    legalName: str
    gstin: str
    email: str
    creditLimit: NotRequired[str]
    creditDays: NotRequired[int]
    currency: NotRequired[str | None]
    country: NotRequired[str | None]
    budgetPeriod: NotRequired[BudgetPeriod]
    fiscalYearStart: NotRequired[int]
    timeZone: NotRequired[str]
    externalId: NotRequired[str | None]
    brandName: NotRequired[str | None]
    brandLogo: NotRequired[str | None]
    brandColor: NotRequired[str | None]
    brandSupport: NotRequired[str | None]
    brandTerms: NotRequired[str | None]
    brandText: NotRequired[str | None]
    brandLinks: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    firstAdmin: NotRequired[CreateCompanyBodyFirstAdmin]

class CreateCompanyBodyFirstAdmin(TypedDict):
    email: str
    firstName: str
    lastName: str
    phone: NotRequired[str | None]

class CompanyDetail(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    creditLimit: str
    creditDays: int
    active: bool
    email: str
    defaultDepartmentId: str | None
    defaultBandId: str | None
    currency: str | None
    country: str | None
    budgetPeriod: BudgetPeriod
    fiscalYearStart: int
    timeZone: str
    closedTo: str | None
    externalId: str | None
    createdAt: str
    updatedAt: str
    fields: NotRequired[dict[str, Any]]
    _count: CompanyDetailCount
    creditUsed: str

class CompanyDetailCount(TypedDict):
    users: int
    bookings: int

class CompanyDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: CompanyDetail
    etag: NotRequired[str]

class UpdateCompanyBody(TypedDict):
    id: str
    name: NotRequired[str]
    legalName: NotRequired[str]
    gstin: NotRequired[str]
    email: NotRequired[str]
    creditLimit: NotRequired[str]
    creditDays: NotRequired[int]
    active: NotRequired[bool]
    defaultDepartmentId: NotRequired[str | None]
    defaultBandId: NotRequired[str | None]
    currency: NotRequired[str | None]
    country: NotRequired[str | None]
    budgetPeriod: NotRequired[BudgetPeriod]
    fiscalYearStart: NotRequired[int]
    timeZone: NotRequired[str]
    externalId: NotRequired[str | None]
    brandName: NotRequired[str | None]
    brandLogo: NotRequired[str | None]
    brandColor: NotRequired[str | None]
    brandSupport: NotRequired[str | None]
    brandTerms: NotRequired[str | None]
    brandText: NotRequired[str | None]
    brandLinks: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]

class CompanyDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: CompanyDetail
    etag: NotRequired[str]

class CompanyDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: CompanyDetail
    etag: NotRequired[str]

class RecordCompanyPaymentBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    amount: str
    createdAt: NotRequired[str]
    reference: NotRequired[str | None]

class Payment(TypedDict):
    id: str
    companyId: str
    amount: str
    createdAt: str
    reference: str | None

class PaymentAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Payment
    etag: NotRequired[str]

CloseCompanyPeriodBody = TypedDict("CloseCompanyPeriodBody", {
    "companyId": 'str',
    "from": NotRequired['str'],
    "to": NotRequired['str'],
})

class OwnRoleKey(TypedDict):
    id: str
    key: str

class User(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    active: bool
    approvalLimit: str | None
    department: UserDepartment | None
    band: UserBand | None
    roles: list[CompanyRole]
    externalId: str | None
    works: bool | None
    workerType: Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"] | None
    employment: UserEmployment | None
    manager: UserManager | None
    workEmail: str | None
    lastSignInAt: str | None
    ownRoles: NotRequired[list[OwnRoleKey]]
    createdAt: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    updatedAt: str | None

class UserDepartment(TypedDict):
    id: str
    name: str

class UserBand(TypedDict):
    id: str
    name: str
    code: str

class UserEmployment(TypedDict):
    employeeNumber: str | None
    jobTitle: str | None
    costCenter: str | None
    managerId: str | None
    startDate: str | None
    endDate: str | None
    manager: UserEmploymentManager | None

class UserEmploymentManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class UserManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class UserList(TypedDict):
    success: Literal[True]
    message: str
    data: list[User]
    pagination: Pagination | CursorPagination

class FoundUser(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    active: bool
    approvalLimit: str | None
    department: FoundUserDepartment | None
    band: FoundUserBand | None
    roles: list[CompanyRole]
    externalId: str | None
    works: bool | None
    workerType: Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"] | None
    employment: FoundUserEmployment | None
    manager: FoundUserManager | None
    workEmail: str | None
    lastSignInAt: str | None
    ownRoles: NotRequired[list[OwnRoleKey]]
    createdAt: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    updatedAt: str | None
    company: FoundUserCompany

class FoundUserDepartment(TypedDict):
    id: str
    name: str

class FoundUserBand(TypedDict):
    id: str
    name: str
    code: str

class FoundUserEmployment(TypedDict):
    employeeNumber: str | None
    jobTitle: str | None
    costCenter: str | None
    managerId: str | None
    startDate: str | None
    endDate: str | None
    manager: FoundUserEmploymentManager | None

class FoundUserEmploymentManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class FoundUserManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class FoundUserCompany(TypedDict):
    id: str
    name: str
    active: bool

class FoundUserList(TypedDict):
    success: Literal[True]
    message: str
    data: list[FoundUser]
    pagination: Pagination | CursorPagination

GivenRole: TypeAlias = 'str'

class RoleSource(TypedDict):
    companyId: str
    role: GivenRole
    roleId: NotRequired[str]
    byHand: bool
    groups: list[RoleSourceGroupsItem]

class RoleSourceGroupsItem(TypedDict):
    id: str
    name: str

class Leaves(TypedDict):
    people: int
    departments: list[LeavesDepartmentsItem]
    policies: list[LeavesPoliciesItem]
    approves: list[LeavesApprovesItem]
    keys: int
    substitutes: int
    others: list[LeavesOthersItem]

class LeavesDepartmentsItem(TypedDict):
    id: str
    name: str

class LeavesPoliciesItem(TypedDict):
    id: str
    name: str

class LeavesApprovesItem(TypedDict):
    id: str
    name: str

class LeavesOthersItem(TypedDict):
    entity: str
    field: str
    count: int

class Person(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: Literal["CORPORATE", "AGENCY", "DIRECT"] | None
    companyId: str | None
    departmentId: str | None
    employeeBand: str | None
    bandId: str | None
    approvalLimit: str | None
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int | None
    active: bool
    createdAt: str | None
    updatedAt: str | None
    company: PersonCompany | None
    department: PersonDepartment | None
    band: PersonBand | None
    companyRoles: list[HeldCompanyRole]
    systemRoleMap: PersonSystemRoleMap | None
    roles: list[Role]
    externalId: str | None
    fields: NotRequired[dict[str, Any]]
    works: bool | None
    workerType: Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"] | None
    hostId: str | None
    until: str | None
    host: PersonHost | None
    legalEntityId: str | None
    legalEntity: PersonLegalEntity | None
    employment: PersonEmployment | None
    manager: PersonManager | None
    substitution: PersonSubstitution | None
    substitutions: list[PlannedSubstitution] | None
    workEmail: str | None
    signIn: PersonSignIn | None
    roleSources: list[RoleSource]
    leaves: NotRequired[Leaves]
    directory: NotRequired[PersonDirectory | None]

class PersonCompany(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    active: bool

class PersonDepartment(TypedDict):
    id: str
    name: str
    costCode: str

class PersonBand(TypedDict):
    id: str
    name: str
    code: str
    autoApprovalLimit: str
    maxBookingLimit: str | None

class PersonSystemRoleMap(TypedDict):
    role: SystemRole
    active: bool

class PersonHost(TypedDict):
    id: str
    firstName: str
    lastName: str

class PersonLegalEntity(TypedDict):
    id: str
    name: str
    inherited: bool

class PersonEmployment(TypedDict):
    employeeNumber: str | None
    jobTitle: str | None
    costCenter: str | None
    managerId: str | None
    startDate: str | None
    endDate: str | None
    manager: PersonEmploymentManager | None

class PersonEmploymentManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class PersonManager(TypedDict):
    id: str
    firstName: str
    lastName: str

PersonSubstitution = TypedDict("PersonSubstitution", {
    "userId": 'str',
    "substitute": 'PersonSubstitutionSubstitute | None',
    "from": 'str | None',
    "until": 'str | None',
})

class PersonSubstitutionSubstitute(TypedDict):
    id: str
    firstName: str
    lastName: str

class PersonSignIn(TypedDict):
    linked: bool
    connectionId: str | None
    lastSignInAt: str | None
    lastRefusal: PersonSignInLastRefusal | None

class PersonSignInLastRefusal(TypedDict):
    at: str
    reason: Literal["address absent", "address not verified", "address unknown", "linked to another account", "subject is an address", "user inactive", "platform role", "role elsewhere", "audience"]

class PersonDirectory(TypedDict):
    id: str
    name: str

class PersonAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Person
    etag: NotRequired[str]

class CreateUserBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    email: NotRequired[str]
    firstName: str
    lastName: str
    clientType: NotRequired[ClientType]
    approvalLimit: NotRequired[str]
    phone: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    addressLine1: NotRequired[str | None]
    addressLine2: NotRequired[str | None]
    pincode: NotRequired[str | None]
    loyaltyPoints: NotRequired[int]
    externalId: NotRequired[str | None]
    workerType: NotRequired[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]
    hostId: NotRequired[str | None]
    legalEntityId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    until: NotRequired[str | None]
    departmentId: NotRequired[str]
    bandId: NotRequired[str]
    employment: NotRequired[CreateUserBodyEmployment]
    roles: NotRequired[list[CompanyRole]]
    newcomer: NotRequired[bool]

class CreateUserBodyEmployment(TypedDict):
    employeeNumber: NotRequired[str | None]
    jobTitle: NotRequired[str | None]
    costCenter: NotRequired[str | None]
    managerId: NotRequired[str | None]
    startDate: NotRequired[str | None]
    endDate: NotRequired[str | None]

class SignIn(TypedDict):
    linked: bool
    connectionId: str | None
    lastSignInAt: str | None
    lastRefusal: SignInLastRefusal | None

class SignInLastRefusal(TypedDict):
    at: str
    reason: Literal["address absent", "address not verified", "address unknown", "linked to another account", "subject is an address", "user inactive", "platform role", "role elsewhere", "audience"]

class UserDetail(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: ClientType
    companyId: str
    departmentId: str
    employeeBand: str
    bandId: str
    approvalLimit: str
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int
    active: bool
    createdAt: str
    updatedAt: str
    company: CompanyRef
    department: DepartmentRef
    band: BandRef
    companyRoles: list[HeldCompanyRole]
    systemRoleMap: UserDetailSystemRoleMap | None
    roles: list[Role]
    externalId: str | None
    fields: NotRequired[dict[str, Any]]
    works: bool
    workerType: Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]
    hostId: str | None
    until: str | None
    host: UserDetailHost | None
    legalEntityId: str | None
    legalEntity: UserDetailLegalEntity | None
    employment: Employment
    manager: UserDetailManager | None
    substitution: Substitution
    substitutions: list[PlannedSubstitution]
    workEmail: str | None
    signIn: SignIn

class UserDetailSystemRoleMap(TypedDict):
    role: SystemRole
    active: bool

class UserDetailHost(TypedDict):
    id: str
    firstName: str
    lastName: str

class UserDetailLegalEntity(TypedDict):
    id: str
    name: str
    inherited: bool

class UserDetailManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class UserDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: UserDetail
    etag: NotRequired[str]

class UpdateUserBody(TypedDict):
    id: str
    email: NotRequired[str]
    firstName: NotRequired[str]
    lastName: NotRequired[str]
    clientType: NotRequired[ClientType]
    approvalLimit: NotRequired[str]
    phone: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    addressLine1: NotRequired[str | None]
    addressLine2: NotRequired[str | None]
    pincode: NotRequired[str | None]
    loyaltyPoints: NotRequired[int]
    externalId: NotRequired[str | None]
    workerType: NotRequired[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]
    hostId: NotRequired[str | None]
    legalEntityId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    departmentId: NotRequired[str]
    bandId: NotRequired[str]
    active: NotRequired[bool]
    until: NotRequired[str | None]
    employment: NotRequired[UpdateUserBodyEmployment]
    revokeKeys: NotRequired[bool]

class UpdateUserBodyEmployment(TypedDict):
    employeeNumber: NotRequired[str | None]
    jobTitle: NotRequired[str | None]
    costCenter: NotRequired[str | None]
    managerId: NotRequired[str | None]
    startDate: NotRequired[str | None]
    endDate: NotRequired[str | None]

class ChangedUser(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: ClientType
    companyId: str
    departmentId: str
    employeeBand: str
    bandId: str
    approvalLimit: str
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int
    active: bool
    createdAt: str
    updatedAt: str
    company: CompanyRef
    department: DepartmentRef
    band: BandRef
    companyRoles: list[HeldCompanyRole]
    systemRoleMap: ChangedUserSystemRoleMap | None
    roles: list[Role]
    externalId: str | None
    fields: NotRequired[dict[str, Any]]
    works: bool
    workerType: Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]
    hostId: str | None
    until: str | None
    host: ChangedUserHost | None
    legalEntityId: str | None
    legalEntity: ChangedUserLegalEntity | None
    employment: Employment
    manager: ChangedUserManager | None
    substitution: Substitution
    substitutions: list[PlannedSubstitution]
    workEmail: str | None
    signIn: SignIn
    keysMade: NotRequired[int]
    leaves: NotRequired[Leaves]

class ChangedUserSystemRoleMap(TypedDict):
    role: SystemRole
    active: bool

class ChangedUserHost(TypedDict):
    id: str
    firstName: str
    lastName: str

class ChangedUserLegalEntity(TypedDict):
    id: str
    name: str
    inherited: bool

class ChangedUserManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class ChangedUserAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: ChangedUser
    etag: NotRequired[str]

class UserDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: UserDetail
    etag: NotRequired[str]

class UserDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: UserDetail
    etag: NotRequired[str]

class NewUser(TypedDict):
    id: NotRequired[str]
    email: NotRequired[str]
    firstName: str
    lastName: str
    clientType: NotRequired[ClientType]
    approvalLimit: NotRequired[str]
    phone: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    addressLine1: NotRequired[str | None]
    addressLine2: NotRequired[str | None]
    pincode: NotRequired[str | None]
    loyaltyPoints: NotRequired[int]
    externalId: NotRequired[str | None]
    workerType: NotRequired[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]
    hostId: NotRequired[str | None]
    legalEntityId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    until: NotRequired[str | None]
    departmentId: NotRequired[str]
    bandId: NotRequired[str]
    employment: NotRequired[NewUserEmployment]
    roles: NotRequired[list[CompanyRole]]
    newcomer: NotRequired[bool]

class NewUserEmployment(TypedDict):
    employeeNumber: NotRequired[str | None]
    jobTitle: NotRequired[str | None]
    costCenter: NotRequired[str | None]
    managerId: NotRequired[str | None]
    startDate: NotRequired[str | None]
    endDate: NotRequired[str | None]

class UserUpdate(TypedDict):
    id: str
    email: NotRequired[str]
    firstName: NotRequired[str]
    lastName: NotRequired[str]
    clientType: NotRequired[ClientType]
    approvalLimit: NotRequired[str]
    phone: NotRequired[str | None]
    dateOfBirth: NotRequired[str | None]
    gender: NotRequired[str | None]
    addressLine1: NotRequired[str | None]
    addressLine2: NotRequired[str | None]
    pincode: NotRequired[str | None]
    loyaltyPoints: NotRequired[int]
    externalId: NotRequired[str | None]
    workerType: NotRequired[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]
    hostId: NotRequired[str | None]
    legalEntityId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    departmentId: NotRequired[str]
    bandId: NotRequired[str]
    active: NotRequired[bool]
    until: NotRequired[str | None]
    employment: NotRequired[UserUpdateEmployment]

class UserUpdateEmployment(TypedDict):
    employeeNumber: NotRequired[str | None]
    jobTitle: NotRequired[str | None]
    costCenter: NotRequired[str | None]
    managerId: NotRequired[str | None]
    startDate: NotRequired[str | None]
    endDate: NotRequired[str | None]

class SaveUsersBody(TypedDict):
    companyId: str
    maxLeavers: NotRequired[int]
    create: NotRequired[list[NewUser]]
    update: NotRequired[list[UserUpdate]]

class SavedUsers(TypedDict):
    added: int
    changed: int
    unchanged: int
    ids: list[str]
    keysMade: NotRequired[int]

class SavedUsersAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: SavedUsers
    etag: NotRequired[str]

SetSubstituteBody = TypedDict("SetSubstituteBody", {
    "userId": NotRequired['str'],
    "substituteId": 'str | None',
    "from": NotRequired['str | None'],
    "until": NotRequired['str | None'],
})

class SubstitutionAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Substitution
    etag: NotRequired[str]

class GrantRoleBody(TypedDict):
    userId: str
    role: Role
    companyId: NotRequired[str]

class RevokeRoleBody(TypedDict):
    userId: str
    role: Role
    companyId: NotRequired[str]
    revokeKeys: NotRequired[bool]

class ChangedPerson(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    phone: str | None
    clientType: Literal["CORPORATE", "AGENCY", "DIRECT"] | None
    companyId: str | None
    departmentId: str | None
    employeeBand: str | None
    bandId: str | None
    approvalLimit: str | None
    dateOfBirth: str | None
    gender: str | None
    addressLine1: str | None
    addressLine2: str | None
    pincode: str | None
    loyaltyPoints: int | None
    active: bool
    createdAt: str | None
    updatedAt: str | None
    company: ChangedPersonCompany | None
    department: ChangedPersonDepartment | None
    band: ChangedPersonBand | None
    companyRoles: list[HeldCompanyRole]
    systemRoleMap: ChangedPersonSystemRoleMap | None
    roles: list[Role]
    externalId: str | None
    fields: NotRequired[dict[str, Any]]
    works: bool | None
    workerType: Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"] | None
    hostId: str | None
    until: str | None
    host: ChangedPersonHost | None
    legalEntityId: str | None
    legalEntity: ChangedPersonLegalEntity | None
    employment: ChangedPersonEmployment | None
    manager: ChangedPersonManager | None
    substitution: ChangedPersonSubstitution | None
    substitutions: list[PlannedSubstitution] | None
    workEmail: str | None
    signIn: ChangedPersonSignIn | None
    keysMade: NotRequired[int]

class ChangedPersonCompany(TypedDict):
    id: str
    name: str
    legalName: str
    gstin: str
    active: bool

class ChangedPersonDepartment(TypedDict):
    id: str
    name: str
    costCode: str

class ChangedPersonBand(TypedDict):
    id: str
    name: str
    code: str
    autoApprovalLimit: str
    maxBookingLimit: str | None

class ChangedPersonSystemRoleMap(TypedDict):
    role: SystemRole
    active: bool

class ChangedPersonHost(TypedDict):
    id: str
    firstName: str
    lastName: str

class ChangedPersonLegalEntity(TypedDict):
    id: str
    name: str
    inherited: bool

class ChangedPersonEmployment(TypedDict):
    employeeNumber: str | None
    jobTitle: str | None
    costCenter: str | None
    managerId: str | None
    startDate: str | None
    endDate: str | None
    manager: ChangedPersonEmploymentManager | None

class ChangedPersonEmploymentManager(TypedDict):
    id: str
    firstName: str
    lastName: str

class ChangedPersonManager(TypedDict):
    id: str
    firstName: str
    lastName: str

ChangedPersonSubstitution = TypedDict("ChangedPersonSubstitution", {
    "userId": 'str',
    "substitute": 'ChangedPersonSubstitutionSubstitute | None',
    "from": 'str | None',
    "until": 'str | None',
})

class ChangedPersonSubstitutionSubstitute(TypedDict):
    id: str
    firstName: str
    lastName: str

class ChangedPersonSignIn(TypedDict):
    linked: bool
    connectionId: str | None
    lastSignInAt: str | None
    lastRefusal: ChangedPersonSignInLastRefusal | None

class ChangedPersonSignInLastRefusal(TypedDict):
    at: str
    reason: Literal["address absent", "address not verified", "address unknown", "linked to another account", "subject is an address", "user inactive", "platform role", "role elsewhere", "audience"]

class ChangedPersonAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: ChangedPerson
    etag: NotRequired[str]

class ForgetSignInBody(TypedDict):
    id: str

class Move(TypedDict):
    id: str
    companyId: str
    askedFor: str
    departmentId: str | None
    bandId: str | None
    status: Literal["OPEN", "AGREED", "DECLINED", "WITHDRAWN", "EXPIRED"]
    requestedAt: str
    expiresAt: str
    decidedAt: str | None
    company: MoveCompany
    fromCompany: MoveFromCompany | None
    user: MoveUser | None
    mayDecide: bool

class MoveCompany(TypedDict):
    id: str
    name: str

class MoveFromCompany(TypedDict):
    id: str
    name: str

class MoveUser(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str

class MoveList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Move]
    pagination: Pagination | CursorPagination

class RequestMoveBody(TypedDict):
    companyId: str
    userIds: NotRequired[list[str]]
    emails: NotRequired[list[str]]
    departmentId: NotRequired[str]
    bandId: NotRequired[str]

class MoveResult(TypedDict):
    id: str | None
    askedFor: str | None
    status: Literal["OPEN", "AGREED", "DECLINED", "WITHDRAWN", "EXPIRED", "REFUSED"]
    code: str | None
    message: str | None

class MoveResults(TypedDict):
    results: list[MoveResult]

class MoveResultsAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: MoveResults
    etag: NotRequired[str]

class AgreeMoveBody(TypedDict):
    ids: list[str]

class DeclineMoveBody(TypedDict):
    ids: list[str]

class WithdrawMoveBody(TypedDict):
    ids: list[str]

class Leaver(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str

class LimitExample(TypedDict):
    line: int | None
    email: str
    before: str
    after: str | None

class OverLimit(TypedDict):
    limit: Literal["maxLeavers", "maxChanged", "maxAddresses", "maxMoved", "asOf", "columns"]
    count: int
    allowed: int
    looksLike: str | None
    message: str
    examples: list[LimitExample]

class ImportProblem(TypedDict):
    line: int | None
    column: str | None
    value: str | None
    message: str

ImportAction: TypeAlias = 'Literal["added", "changed"]'

class ImportedField(TypedDict):
    field: str
    before: list[str] | str | int | bool | None
    after: list[str] | str | int | bool | None

class ImportChange(TypedDict):
    line: int
    id: str | None
    email: str
    action: ImportAction
    fields: list[ImportedField]

class UsersImport(TypedDict):
    added: int
    changed: int
    unchanged: int
    leavers: NotRequired[int]
    leaving: NotRequired[list[Leaver]]
    over: NotRequired[list[OverLimit]]
    confirm: NotRequired[str]
    keysMade: NotRequired[int]
    problems: list[ImportProblem]
    problemsTotal: int
    leftOut: NotRequired[list[ImportProblem]]
    leftOutTotal: NotRequired[int]
    notes: NotRequired[list[ImportProblem]]
    notesTotal: NotRequired[int]
    changes: list[ImportChange]
    changesNext: int | None

class UsersImportAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: UsersImport
    etag: NotRequired[str]

class UsersImportRefused(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: NotRequired[UsersImport]
    etag: NotRequired[str]

class UsersImportRefusedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: NotRequired[UsersImport]
    etag: NotRequired[str]

MailKind: TypeAlias = 'Literal["INVITATION", "ADDED", "SUBSTITUTE", "KEY_EXPIRES", "WEBHOOK_OFF", "DIRECTORY_REFUSED"]'

MailState: TypeAlias = 'Literal["QUEUED", "SENT", "FAILED", "DROPPED", "LEFT"]'

class Mail(TypedDict):
    id: str
    companyId: str | None
    userId: str
    kind: MailKind
    subjectId: str | None
    createdAt: str
    name: str
    status: MailState
    attempts: int
    nextAttemptAt: str | None
    error: str | None
    sentAt: str | None
    acceptedAt: str | None

class MailList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Mail]
    pagination: Pagination | CursorPagination

class InviteUserBody(TypedDict):
    id: str

class MailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Mail
    etag: NotRequired[str]

class TravelDocument(TypedDict):
    id: str
    lastFour: str
    type: Literal["PASSPORT", "NATIONAL_ID", "RESIDENCE", "VISA", "KNOWN_TRAVELLER", "REDRESS"]
    issuingCountry: str
    nationality: str | None
    issuedOn: str | None
    expiresOn: str | None
    primary: bool
    number: str | None

class LoyaltyProgramme(TypedDict):
    id: str
    lastFour: str
    kind: Literal["AIR", "HOTEL", "CAR", "RAIL"]
    supplier: str
    tier: str | None
    expiresOn: str | None
    number: str | None

class Arranger(TypedDict):
    userId: str
    firstName: str
    lastName: str
    until: str | None
    may: Literal["BOOK", "BOOK_AND_READ_DOCUMENTS"]

TravellerWarning: TypeAlias = 'Literal["DOCUMENT_ENDS_SOON", "LEGAL_NAME_DIFFERS"]'

class Traveller(TypedDict):
    id: str
    legalName: TravellerLegalName | None
    home: TravellerHome | None
    preferences: TravellerPreferences | None
    emergencyContact: TravellerEmergencyContact | None
    title: str | None
    documentGender: Literal["F", "M", "X"] | None
    nationality: str | None
    homeAirport: str | None
    language: str | None
    timeZone: str | None
    documents: list[TravelDocument]
    programmes: list[LoyaltyProgramme]
    arrangers: list[Arranger]
    warnings: list[TravellerWarningsItem]

class TravellerLegalName(TypedDict):
    given: str | None
    middle: str | None
    family: str | None
    suffix: str | None

class TravellerHome(TypedDict):
    cityId: int | None
    city: str | None
    stateId: int | None
    countryCode: str | None

class TravellerPreferences(TypedDict):
    seat: str | None
    meal: str | None
    room: str | None
    accessibility: list[str]
    notes: str | None

class TravellerEmergencyContact(TypedDict):
    name: str | None
    relation: str | None
    phone: str | None
    email: str | None

class TravellerWarningsItem(TypedDict):
    code: TravellerWarning
    field: str
    message: str

class TravellerAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Traveller
    etag: NotRequired[str]

class UpdateTravellerBody(TypedDict):
    id: NotRequired[str]
    legalName: NotRequired[UpdateTravellerBodyLegalName | None]
    home: NotRequired[UpdateTravellerBodyHome | None]
    preferences: NotRequired[UpdateTravellerBodyPreferences | None]
    emergencyContact: NotRequired[UpdateTravellerBodyEmergencyContact | None]
    title: NotRequired[str | None]
    documentGender: NotRequired[Literal["F", "M", "X"] | None]
    nationality: NotRequired[str | None]
    homeAirport: NotRequired[str | None]
    language: NotRequired[str | None]
    timeZone: NotRequired[str | None]
    documents: NotRequired[list[UpdateTravellerBodyDocumentsItem]]
    programmes: NotRequired[list[UpdateTravellerBodyProgrammesItem]]
    arrangers: NotRequired[list[UpdateTravellerBodyArrangersItem]]

class UpdateTravellerBodyLegalName(TypedDict):
    given: NotRequired[str | None]
    middle: NotRequired[str | None]
    family: NotRequired[str | None]
    suffix: NotRequired[str | None]

class UpdateTravellerBodyHome(TypedDict):
    cityId: NotRequired[int | None]
    city: NotRequired[str | None]
    stateId: NotRequired[int | None]
    countryCode: NotRequired[str | None]

class UpdateTravellerBodyPreferences(TypedDict):
    seat: NotRequired[str | None]
    meal: NotRequired[str | None]
    room: NotRequired[str | None]
    accessibility: NotRequired[list[str]]
    notes: NotRequired[str | None]

class UpdateTravellerBodyEmergencyContact(TypedDict):
    name: NotRequired[str | None]
    relation: NotRequired[str | None]
    phone: NotRequired[str | None]
    email: NotRequired[str | None]

class UpdateTravellerBodyDocumentsItem(TypedDict):
    id: NotRequired[str]
    type: Literal["PASSPORT", "NATIONAL_ID", "RESIDENCE", "VISA", "KNOWN_TRAVELLER", "REDRESS"]
    issuingCountry: str
    nationality: NotRequired[str | None]
    issuedOn: NotRequired[str | None]
    expiresOn: NotRequired[str | None]
    primary: NotRequired[bool]
    number: NotRequired[str | None]
    lastFour: NotRequired[Any]

class UpdateTravellerBodyProgrammesItem(TypedDict):
    id: NotRequired[str]
    kind: Literal["AIR", "HOTEL", "CAR", "RAIL"]
    supplier: str
    tier: NotRequired[str | None]
    expiresOn: NotRequired[str | None]
    number: NotRequired[str | None]
    lastFour: NotRequired[Any]

class UpdateTravellerBodyArrangersItem(TypedDict):
    userId: str
    until: NotRequired[str | None]
    may: NotRequired[Literal["BOOK", "BOOK_AND_READ_DOCUMENTS"]]
    firstName: NotRequired[Any]
    lastName: NotRequired[Any]

class TravellerChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: Traveller
    etag: NotRequired[str]

class TravellerChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: Traveller
    etag: NotRequired[str]

class OwnData(TypedDict):
    profile: dict[str, Any]
    traveller: Traveller
    bookings: list[dict[str, Any]]
    arranges: list[OwnDataArrangesItem]

class OwnDataArrangesItem(TypedDict):
    userId: str
    firstName: str
    lastName: str

class OwnDataAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: OwnData
    etag: NotRequired[str]

class Band(TypedDict):
    id: str
    companyId: str
    name: str
    code: str
    autoApprovalLimit: str
    maxBookingLimit: str | None
    externalId: str | None
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    _count: BandCount

class BandCount(TypedDict):
    users: int

class BandList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Band]
    pagination: Pagination | CursorPagination

class BandDetail(TypedDict):
    id: str
    companyId: str
    name: str
    code: str
    autoApprovalLimit: str
    maxBookingLimit: str | None
    externalId: str | None
    createdAt: str
    updatedAt: str
    fields: NotRequired[dict[str, Any]]
    _count: BandDetailCount

class BandDetailCount(TypedDict):
    users: int

class BandDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: BandDetail
    etag: NotRequired[str]

class CreateBandBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    code: str
    autoApprovalLimit: NotRequired[str]
    maxBookingLimit: NotRequired[str | None]
    externalId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]

class UpdateBandBody(TypedDict):
    id: str
    name: NotRequired[str]
    code: NotRequired[str]
    autoApprovalLimit: NotRequired[str]
    maxBookingLimit: NotRequired[str | None]
    externalId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]

class BandDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: BandDetail
    etag: NotRequired[str]

class BandDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: BandDetail
    etag: NotRequired[str]

class DeleteBandBody(TypedDict):
    id: str

ApproverRole: TypeAlias = 'Literal["SUPER_ADMIN", "PLATFORM_RM", "CORPORATE_ADMIN", "MANAGER", "EMPLOYEE", "LINE_MANAGER", "SECOND_LINE_MANAGER", "DEPARTMENT_HEAD", "MANAGEMENT_CHAIN", "COST_CENTER_OWNER", "USERS", "GROUP", "ROLE"]'

class ApprovalPolicyLevel(TypedDict):
    id: str
    level: int
    roleRequired: ApproverRole
    minAmount: str
    maxAmount: NotRequired[str | None]
    minApprovers: NotRequired[int]
    mode: NotRequired[Literal["ANY", "ALL"]]
    approver: NotRequired[ApprovalPolicyLevelApprover | None]

class ApprovalPolicyLevelApprover(TypedDict):
    chain: NotRequired[bool]
    costCenterOwner: NotRequired[bool]
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]
    roleId: NotRequired[str | None]

PolicyScope = TypedDict("PolicyScope", {
    "departmentIds": 'list[str]',
    "bandIds": 'list[str]',
    "conditions": 'dict[str, bool | list[str] | PolicyScopeConditionsValue3 | PolicyScopeConditionsValue4]',
    "priority": 'int',
    "active": 'bool',
    "userIds": NotRequired['list[str]'],
    "costCenters": NotRequired['list[str]'],
    "jobTitles": NotRequired['list[str]'],
    "countryCodes": NotRequired['list[str]'],
    "workerTypes": NotRequired['list[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]'],
    "from": NotRequired['str | None'],
    "until": NotRequired['str | None'],
})

class PolicyScopeConditionsValue3(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

PolicyScopeConditionsValue4 = TypedDict("PolicyScopeConditionsValue4", {
    "not": 'bool | list[str] | PolicyScopeConditionsValue4Not3',
})

class PolicyScopeConditionsValue4Not3(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

class ApprovalPolicy(TypedDict):
    id: str
    name: str
    autoApprovalLimit: str
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    levels: list[ApprovalPolicyLevel]
    scope: NotRequired[PolicyScope]
    active: NotRequired[bool]
    externalId: NotRequired[str | None]

class ApprovalPolicyList(TypedDict):
    success: Literal[True]
    message: str
    data: list[ApprovalPolicy]
    pagination: Pagination | CursorPagination

class ApprovalPolicyDetail(TypedDict):
    id: str
    name: str
    autoApprovalLimit: str
    companyId: str
    distinct: bool
    limit: Literal["SMALLER", "POLICY"]
    excludeReports: bool
    externalId: str | None
    defaultApprovers: ApprovalPolicyDetailDefaultApprovers | None
    reapproveAbove: ApprovalPolicyDetailReapproveAbove | None
    createdAt: str
    updatedAt: str
    fields: NotRequired[dict[str, Any]]
    scope: PolicyScope
    levels: list[ApprovalPolicyLevel]

class ApprovalPolicyDetailDefaultApprovers(TypedDict):
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]

class ApprovalPolicyDetailReapproveAbove(TypedDict):
    percent: NotRequired[float | None]
    amount: NotRequired[str | None]

class ApprovalPolicyDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: ApprovalPolicyDetail
    etag: NotRequired[str]

RequiredRole: TypeAlias = 'str'

class CreateApprovalPolicyBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    autoApprovalLimit: NotRequired[str]
    distinct: NotRequired[bool]
    limit: NotRequired[Literal["SMALLER", "POLICY"]]
    excludeReports: NotRequired[bool]
    externalId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    defaultApprovers: NotRequired[CreateApprovalPolicyBodyDefaultApprovers | None]
    reapproveAbove: NotRequired[CreateApprovalPolicyBodyReapproveAbove | None]
    scope: NotRequired[CreateApprovalPolicyBodyScope]
    levels: NotRequired[list[CreateApprovalPolicyBodyLevelsItem]]

class CreateApprovalPolicyBodyDefaultApprovers(TypedDict):
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]

class CreateApprovalPolicyBodyReapproveAbove(TypedDict):
    percent: NotRequired[float | None]
    amount: NotRequired[str | None]

CreateApprovalPolicyBodyScope = TypedDict("CreateApprovalPolicyBodyScope", {
    "departmentIds": NotRequired['list[str]'],
    "bandIds": NotRequired['list[str]'],
    "userIds": NotRequired['list[str]'],
    "costCenters": NotRequired['list[str]'],
    "jobTitles": NotRequired['list[str]'],
    "countryCodes": NotRequired['list[str]'],
    "workerTypes": NotRequired['list[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]'],
    "conditions": NotRequired['dict[str, bool | list[str] | CreateApprovalPolicyBodyScopeConditionsValue3 | CreateApprovalPolicyBodyScopeConditionsValue4]'],
    "from": NotRequired['str | None'],
    "until": NotRequired['str | None'],
    "priority": NotRequired['int'],
    "active": NotRequired['bool'],
})

class CreateApprovalPolicyBodyScopeConditionsValue3(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

CreateApprovalPolicyBodyScopeConditionsValue4 = TypedDict("CreateApprovalPolicyBodyScopeConditionsValue4", {
    "not": 'bool | list[str] | CreateApprovalPolicyBodyScopeConditionsValue4Not3',
})

class CreateApprovalPolicyBodyScopeConditionsValue4Not3(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

class CreateApprovalPolicyBodyLevelsItem(TypedDict):
    level: int
    minAmount: str
    maxAmount: NotRequired[str | None]
    minApprovers: NotRequired[int]
    mode: NotRequired[Literal["ANY", "ALL"]]
    roleRequired: NotRequired[RequiredRole]
    approver: NotRequired[CreateApprovalPolicyBodyLevelsItemApprover | None]

class CreateApprovalPolicyBodyLevelsItemApprover(TypedDict):
    chain: NotRequired[bool]
    costCenterOwner: NotRequired[bool]
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]
    roleId: NotRequired[str | None]

class UpdateApprovalPolicyBody(TypedDict):
    id: str
    name: NotRequired[str]
    autoApprovalLimit: NotRequired[str]
    distinct: NotRequired[bool]
    limit: NotRequired[Literal["SMALLER", "POLICY"]]
    excludeReports: NotRequired[bool]
    externalId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]
    defaultApprovers: NotRequired[UpdateApprovalPolicyBodyDefaultApprovers | None]
    reapproveAbove: NotRequired[UpdateApprovalPolicyBodyReapproveAbove | None]
    scope: NotRequired[UpdateApprovalPolicyBodyScope]
    levels: NotRequired[list[UpdateApprovalPolicyBodyLevelsItem]]

class UpdateApprovalPolicyBodyDefaultApprovers(TypedDict):
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]

class UpdateApprovalPolicyBodyReapproveAbove(TypedDict):
    percent: NotRequired[float | None]
    amount: NotRequired[str | None]

UpdateApprovalPolicyBodyScope = TypedDict("UpdateApprovalPolicyBodyScope", {
    "departmentIds": NotRequired['list[str]'],
    "bandIds": NotRequired['list[str]'],
    "userIds": NotRequired['list[str]'],
    "costCenters": NotRequired['list[str]'],
    "jobTitles": NotRequired['list[str]'],
    "countryCodes": NotRequired['list[str]'],
    "workerTypes": NotRequired['list[Literal["EMPLOYEE", "CONTINGENT", "INTERN", "GUEST"]]'],
    "conditions": NotRequired['dict[str, bool | list[str] | UpdateApprovalPolicyBodyScopeConditionsValue3 | UpdateApprovalPolicyBodyScopeConditionsValue4]'],
    "from": NotRequired['str | None'],
    "until": NotRequired['str | None'],
    "priority": NotRequired['int'],
    "active": NotRequired['bool'],
})

class UpdateApprovalPolicyBodyScopeConditionsValue3(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

UpdateApprovalPolicyBodyScopeConditionsValue4 = TypedDict("UpdateApprovalPolicyBodyScopeConditionsValue4", {
    "not": 'bool | list[str] | UpdateApprovalPolicyBodyScopeConditionsValue4Not3',
})

class UpdateApprovalPolicyBodyScopeConditionsValue4Not3(TypedDict):
    min: NotRequired[float]
    max: NotRequired[float]

class UpdateApprovalPolicyBodyLevelsItem(TypedDict):
    id: NotRequired[str]
    level: int
    minAmount: str
    maxAmount: NotRequired[str | None]
    minApprovers: NotRequired[int]
    mode: NotRequired[Literal["ANY", "ALL"]]
    roleRequired: NotRequired[RequiredRole]
    approver: NotRequired[UpdateApprovalPolicyBodyLevelsItemApprover | None]

class UpdateApprovalPolicyBodyLevelsItemApprover(TypedDict):
    chain: NotRequired[bool]
    costCenterOwner: NotRequired[bool]
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]
    roleId: NotRequired[str | None]

class ApprovalPolicyDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: ApprovalPolicyDetail
    etag: NotRequired[str]

class ApprovalPolicyDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: ApprovalPolicyDetail
    etag: NotRequired[str]

class DeleteApprovalPolicyBody(TypedDict):
    id: str

Approver = TypedDict("Approver", {
    "id": NotRequired['str'],
    "firstName": 'str',
    "lastName": 'str',
    "approvalLimit": NotRequired['str'],
    "for": NotRequired['ApproverFor'],
})

class ApproverFor(TypedDict):
    id: NotRequired[str]
    firstName: str
    lastName: str

class RemainingCredit(TypedDict):
    creditLimit: str
    creditUsed: str
    remaining: str
    after: str

class Evaluation(TypedDict):
    policyId: str | None
    policy: EvaluationPolicy | None
    amount: str
    userId: str | None
    decision: Literal["AUTO_APPROVED", "APPROVAL_NEEDED", "OVER_LIMIT", "NOBODY_CAN_APPROVE", "NO_POLICY"]
    autoApprovalLimit: str | None
    limits: EvaluationLimits
    maxBookingLimit: str | None
    steps: list[EvaluationStepsItem]
    reasons: list[EvaluationReasonsItem]
    budget: EvaluationBudget | None
    credit: NotRequired[RemainingCredit]

class EvaluationPolicy(TypedDict):
    id: str
    name: str

class EvaluationLimits(TypedDict):
    policy: str | None
    band: str | None

class EvaluationStepsItem(TypedDict):
    level: int
    roleRequired: ApproverRole
    minAmount: str
    approver: NotRequired[EvaluationStepsItemApprover | None]
    minApprovers: NotRequired[int]
    skipped: Literal["NOBODY", "SAME_PERSON"] | None
    approvers: EvaluationStepsItemApprovers

class EvaluationStepsItemApprover(TypedDict):
    chain: NotRequired[bool]
    costCenterOwner: NotRequired[bool]
    userIds: NotRequired[list[str]]
    groupId: NotRequired[str | None]
    roleId: NotRequired[str | None]

class EvaluationStepsItemApprovers(TypedDict):
    total: int
    people: list[Approver]

class EvaluationReasonsItem(TypedDict):
    code: Literal["APPLIES_BY_DEPARTMENT", "APPLIES_BY_BAND", "APPLIES_BY_CONDITIONS", "APPLIES_BY_SCOPE", "APPLIES_TO_ALL", "AMBIGUOUS", "PERSON_DOES_NOT_WORK", "NO_POLICY", "OVER_MAX_BOOKING", "ABOVE_BAND_LIMIT", "ABOVE_POLICY_LIMIT", "NO_LEVELS", "LOWEST_LEVEL", "CLIMBED_FOR_AUTHORITY", "STEP_SKIPPED", "NO_AUTHORITY", "BAND_LIMITS_IGNORED", "WITHIN_TOLERANCE", "ABOVE_LEVELS", "DEFAULT_APPROVERS", "TOO_FEW_APPROVERS", "DISTINCT", "SUBSTITUTE_AWAY"]
    message: str

EvaluationBudget = TypedDict("EvaluationBudget", {
    "departmentId": 'str',
    "from": 'str',
    "to": 'str',
    "currency": 'str | None',
    "budget": 'str | None',
    "spent": 'str',
    "remaining": 'str | None',
    "after": 'str | None',
    "spentBelow": 'str',
    "remainingWithBelow": 'str | None',
    "overBudget": 'list[EvaluationBudgetOverBudgetItem]',
})

class EvaluationBudgetOverBudgetItem(TypedDict):
    id: str
    name: str
    remainingWithBelow: str

class EvaluationAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Evaluation
    etag: NotRequired[str]

class EvaluateApprovalPolicyBody(TypedDict):
    id: NotRequired[str]
    companyId: NotRequired[str]
    userId: NotRequired[str]
    amount: str
    requestedBy: NotRequired[str]
    approvedAmount: NotRequired[str]
    currency: NotRequired[str]
    facts: NotRequired[dict[str, bool | float | str | list[str]]]
    on: NotRequired[str]

class CheckApprovalPoliciesBody(TypedDict):
    companyId: str

class PolicyCheck(TypedDict):
    policies: list[PolicyCheckPoliciesItem]
    peopleWithoutPolicy: PolicyCheckPeopleWithoutPolicy
    factsSeen: list[PolicyCheckFactsSeenItem]

class PolicyCheckPoliciesItem(TypedDict):
    id: str
    name: str
    active: bool
    nobodyFrom: str | None
    unreachableLevels: list[PolicyCheckPoliciesItemUnreachableLevelsItem]
    neverApplies: Literal["SHADOWED", "OVER"] | None
    shadowedBy: list[PolicyCheckPoliciesItemShadowedByItem]
    ambiguousWith: list[PolicyCheckPoliciesItemAmbiguousWithItem]

class PolicyCheckPoliciesItemUnreachableLevelsItem(TypedDict):
    level: int
    roleRequired: ApproverRole
    minAmount: str
    reason: Literal["NOBODY", "NO_AUTHORITY"]

class PolicyCheckPoliciesItemShadowedByItem(TypedDict):
    id: str
    name: str

class PolicyCheckPoliciesItemAmbiguousWithItem(TypedDict):
    id: str
    name: str

class PolicyCheckPeopleWithoutPolicy(TypedDict):
    total: int
    people: list[PolicyCheckPeopleWithoutPolicyPeopleItem]

class PolicyCheckPeopleWithoutPolicyPeopleItem(TypedDict):
    id: str
    firstName: str
    lastName: str

class PolicyCheckFactsSeenItem(TypedDict):
    name: str
    example: str

class PolicyCheckAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: PolicyCheck
    etag: NotRequired[str]

class Department(TypedDict):
    id: str
    name: str
    budget: str | None
    costCode: str
    parentId: NotRequired[str | None]
    headId: NotRequired[str | None]
    head: NotRequired[DepartmentHead | None]
    externalId: NotRequired[str | None]
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]
    fields: NotRequired[dict[str, Any]]
    _count: DepartmentCount

class DepartmentHead(TypedDict):
    id: str
    firstName: str
    lastName: str

class DepartmentCount(TypedDict):
    users: int

class DepartmentList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Department]
    pagination: Pagination | CursorPagination

class DepartmentDetail(TypedDict):
    id: str
    name: str
    budget: str | None
    costCode: str
    companyId: str
    parentId: str | None
    headId: str | None
    legalEntityId: str | None
    externalId: str | None
    budgets: list[DepartmentDetailBudgetsItem] | None
    head: DepartmentDetailHead | None
    legalEntity: DepartmentDetailLegalEntity | None
    people: DepartmentDetailPeople
    createdAt: str
    updatedAt: str
    fields: NotRequired[dict[str, Any]]
    _count: DepartmentDetailCount

DepartmentDetailBudgetsItem = TypedDict("DepartmentDetailBudgetsItem", {
    "from": 'str | None',
    "budget": 'str | None',
})

class DepartmentDetailHead(TypedDict):
    id: str
    firstName: str
    lastName: str

class DepartmentDetailLegalEntity(TypedDict):
    id: str
    name: str
    inherited: bool

class DepartmentDetailPeople(TypedDict):
    own: int
    withBelow: int

class DepartmentDetailCount(TypedDict):
    users: int

class DepartmentDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: DepartmentDetail
    etag: NotRequired[str]

class CreateDepartmentBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    costCode: str
    budget: NotRequired[str | None]
    budgets: NotRequired[list[CreateDepartmentBodyBudgetsItem] | None]
    parentId: NotRequired[str | None]
    headId: NotRequired[str | None]
    legalEntityId: NotRequired[str | None]
    externalId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]

CreateDepartmentBodyBudgetsItem = TypedDict("CreateDepartmentBodyBudgetsItem", {
    "from": 'str | None',
    "budget": 'str | None',
})

class UpdateDepartmentBody(TypedDict):
    id: str
    name: NotRequired[str]
    costCode: NotRequired[str]
    budget: NotRequired[str | None]
    budgets: NotRequired[list[UpdateDepartmentBodyBudgetsItem] | None]
    parentId: NotRequired[str | None]
    headId: NotRequired[str | None]
    legalEntityId: NotRequired[str | None]
    externalId: NotRequired[str | None]
    fields: NotRequired[dict[str, Any] | None]

UpdateDepartmentBodyBudgetsItem = TypedDict("UpdateDepartmentBodyBudgetsItem", {
    "from": 'str | None',
    "budget": 'str | None',
})

class DepartmentDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: DepartmentDetail
    etag: NotRequired[str]

class DepartmentDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: DepartmentDetail
    etag: NotRequired[str]

class DeleteDepartmentBody(TypedDict):
    id: str

class CostCenter(TypedDict):
    id: str
    companyId: str
    name: str
    code: str
    ownerId: str | None
    externalId: str | None
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]

class CostCenterList(TypedDict):
    success: Literal[True]
    message: str
    data: list[CostCenter]
    pagination: Pagination | CursorPagination

class CostCenterDetail(TypedDict):
    id: str
    companyId: str
    name: str
    code: str
    ownerId: str | None
    externalId: str | None
    createdAt: str
    updatedAt: str

class CostCenterDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: CostCenterDetail
    etag: NotRequired[str]

class CreateCostCentreBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    code: str
    ownerId: NotRequired[str | None]
    externalId: NotRequired[str | None]

class UpdateCostCentreBody(TypedDict):
    id: str
    name: NotRequired[str]
    code: NotRequired[str]
    ownerId: NotRequired[str | None]
    externalId: NotRequired[str | None]

class CostCenterDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: CostCenterDetail
    etag: NotRequired[str]

class CostCenterDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: CostCenterDetail
    etag: NotRequired[str]

class DeleteCostCentreBody(TypedDict):
    id: str

class Group(TypedDict):
    id: str
    companyId: str
    name: str
    externalId: str | None
    userIds: list[str]
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]

class GroupList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Group]
    pagination: Pagination | CursorPagination

class GroupDetail(TypedDict):
    id: str
    companyId: str
    name: str
    externalId: str | None
    userIds: list[str]
    createdAt: str
    updatedAt: str

class GroupDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: GroupDetail
    etag: NotRequired[str]

class CreateGroupBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    userIds: NotRequired[list[str] | None]
    externalId: NotRequired[str | None]

class UpdateGroupBody(TypedDict):
    id: str
    name: NotRequired[str]
    userIds: NotRequired[list[str] | None]
    externalId: NotRequired[str | None]

class GroupDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: GroupDetail
    etag: NotRequired[str]

class GroupDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: GroupDetail
    etag: NotRequired[str]

class DeleteGroupBody(TypedDict):
    id: str

AccessRule: TypeAlias = 'Literal["platform", "superAdmin", "staff", "people", "admin", "audit", "corporate", "corporateAdmin", "companyAdmin"]'

class OwnRole(TypedDict):
    id: str
    companyId: str | None
    key: str
    name: str
    active: bool
    rules: list[AccessRule]
    fixed: bool
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]

class OwnRoleList(TypedDict):
    success: Literal[True]
    message: str
    data: list[OwnRole]
    pagination: Pagination | CursorPagination

class OwnRoleDetail(TypedDict):
    id: str
    companyId: str | None
    key: str
    name: str
    active: bool
    rules: list[AccessRule]
    fixed: bool
    createdAt: str
    updatedAt: str
    _count: OwnRoleDetailCount

class OwnRoleDetailCount(TypedDict):
    users: int | None

class OwnRoleDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: OwnRoleDetail
    etag: NotRequired[str]

class CreateRoleBody(TypedDict):
    id: NotRequired[str]
    companyId: NotRequired[str | None]
    key: str
    name: str
    rules: NotRequired[list[Literal["staff", "people", "corporate", "corporateAdmin", "audit"]] | None]
    active: NotRequired[bool]

class UpdateRoleBody(TypedDict):
    id: str
    name: NotRequired[str]
    rules: NotRequired[list[Literal["staff", "people", "corporate", "corporateAdmin", "audit"]] | None]
    active: NotRequired[bool]

class OwnRoleDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: OwnRoleDetail
    etag: NotRequired[str]

class OwnRoleDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: OwnRoleDetail
    etag: NotRequired[str]

class DeleteRoleBody(TypedDict):
    id: str

class GrantOwnRoleBody(TypedDict):
    id: str
    userId: str

class RevokeOwnRoleBody(TypedDict):
    id: str
    userId: str

class HeldRole(TypedDict):
    id: str
    key: str
    name: str
    companyId: str
    rules: list[AccessRule]

class OwnRoles(TypedDict):
    roles: list[HeldRole]

class OwnRolesAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: OwnRoles
    etag: NotRequired[str]

class TaxRegistration(TypedDict):
    id: str
    type: Literal["GSTIN", "VAT", "TIN", "EIN", "OTHER"]
    number: str
    countryCode: str
    stateId: int | None
    address: str | None
    validFrom: str | None
    validUntil: str | None
    default: bool

class LegalEntity(TypedDict):
    id: str
    companyId: str
    name: str
    registeredName: str
    countryCode: str
    currency: str | None
    timeZone: str | None
    externalId: str | None
    email: str | None
    address: str | None
    active: bool
    default: bool
    taxRegistrations: list[TaxRegistration]
    createdAt: NotRequired[str]
    updatedAt: NotRequired[str]

class LegalEntityList(TypedDict):
    success: Literal[True]
    message: str
    data: list[LegalEntity]
    pagination: Pagination | CursorPagination

class LegalEntityDetail(TypedDict):
    id: str
    companyId: str
    name: str
    registeredName: str
    countryCode: str
    currency: str | None
    timeZone: str | None
    externalId: str | None
    email: str | None
    address: str | None
    active: bool
    default: bool
    taxRegistrations: list[TaxRegistration]
    createdAt: str
    updatedAt: str

class LegalEntityDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: LegalEntityDetail
    etag: NotRequired[str]

class GivenTaxRegistration(TypedDict):
    id: NotRequired[str]
    type: Literal["GSTIN", "VAT", "TIN", "EIN", "OTHER"]
    number: str
    countryCode: str
    stateId: NotRequired[int | None]
    address: NotRequired[str | None]
    validFrom: NotRequired[str | None]
    validUntil: NotRequired[str | None]
    default: NotRequired[bool]

class CreateLegalEntityBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    registeredName: str
    countryCode: str
    currency: NotRequired[str | None]
    timeZone: NotRequired[str | None]
    externalId: NotRequired[str | None]
    email: NotRequired[str | None]
    address: NotRequired[str | None]
    active: NotRequired[bool]
    default: NotRequired[bool]
    taxRegistrations: NotRequired[list[GivenTaxRegistration]]

class UpdateLegalEntityBody(TypedDict):
    id: str
    name: NotRequired[str]
    registeredName: NotRequired[str]
    countryCode: NotRequired[str]
    currency: NotRequired[str | None]
    timeZone: NotRequired[str | None]
    externalId: NotRequired[str | None]
    email: NotRequired[str | None]
    address: NotRequired[str | None]
    active: NotRequired[bool]
    default: NotRequired[bool]
    taxRegistrations: NotRequired[list[GivenTaxRegistration]]

class LegalEntityDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: LegalEntityDetail
    etag: NotRequired[str]

class LegalEntityDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: LegalEntityDetail
    etag: NotRequired[str]

class DeleteLegalEntityBody(TypedDict):
    id: str

class BillTo(TypedDict):
    legalEntityId: str
    name: str
    address: str | None
    number: str | None
    type: str | None
    countryCode: str
    stateId: int | None

class BillToAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: BillTo
    etag: NotRequired[str]

class Field(TypedDict):
    id: str
    companyId: str | None
    entity: Literal["user", "company", "department", "band", "approvalPolicy", "booking"]
    key: str
    label: str
    type: Literal["TEXT", "INTEGER", "DECIMAL", "DATE", "BOOLEAN", "CHOICE", "CHOICES", "PERSON", "URL"]
    required: bool
    pattern: str | None
    readableBy: Literal["SELF", "MANAGER", "ADMIN", "KEY"]
    writableBy: Literal["SELF", "MANAGER", "ADMIN", "KEY"]
    sensitive: bool
    inList: bool
    position: int
    active: bool
    labels: dict[str, str] | None
    choices: list[str] | None
    default: str | float | bool | list[str] | None
    createdAt: str
    updatedAt: str
    missing: NotRequired[int]
    gone: NotRequired[int]

class FieldList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Field]
    pagination: Pagination | CursorPagination

class FieldAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Field
    etag: NotRequired[str]

ExtendedEntity: TypeAlias = 'Literal["user", "company", "department", "band", "approvalPolicy", "booking"]'

FieldType: TypeAlias = 'Literal["TEXT", "INTEGER", "DECIMAL", "DATE", "BOOLEAN", "CHOICE", "CHOICES", "PERSON", "URL"]'

FieldLevel: TypeAlias = 'Literal["SELF", "MANAGER", "ADMIN", "KEY"]'

class CreateFieldBody(TypedDict):
    id: NotRequired[str]
    companyId: NotRequired[str | None]
    entity: ExtendedEntity
    key: str
    label: str
    labels: NotRequired[dict[str, str] | None]
    type: FieldType
    choices: NotRequired[list[str] | None]
    required: NotRequired[bool]
    default: NotRequired[str | float | bool | list[str] | None]
    pattern: NotRequired[str | None]
    readableBy: NotRequired[FieldLevel]
    writableBy: NotRequired[FieldLevel]
    sensitive: NotRequired[bool]
    inList: NotRequired[bool]
    position: NotRequired[int]
    active: NotRequired[bool]

class UpdateFieldBody(TypedDict):
    id: str
    label: NotRequired[str]
    labels: NotRequired[dict[str, str] | None]
    choices: NotRequired[list[str] | None]
    required: NotRequired[bool]
    default: NotRequired[str | float | bool | list[str] | None]
    pattern: NotRequired[str | None]
    readableBy: NotRequired[FieldLevel]
    writableBy: NotRequired[FieldLevel]
    sensitive: NotRequired[bool]
    inList: NotRequired[bool]
    position: NotRequired[int]
    active: NotRequired[bool]

class FieldChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: Field
    etag: NotRequired[str]

class FieldChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: Field
    etag: NotRequired[str]

class DeleteFieldBody(TypedDict):
    id: str

MappedRole: TypeAlias = 'Literal["CORPORATE_ADMIN", "MANAGER", "EMPLOYEE"]'

class GroupMapping(TypedDict):
    id: str
    companyId: str
    groupId: str | None
    groupName: str | None
    role: MappedRole | None
    roleId: str | None
    departmentId: str | None
    bandId: str | None
    priority: int
    _count: GroupMappingCount

class GroupMappingCount(TypedDict):
    groups: int
    users: int

class GroupMappingList(TypedDict):
    success: Literal[True]
    message: str
    data: list[GroupMapping]
    pagination: Pagination | CursorPagination

class GroupMappingAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: GroupMapping
    etag: NotRequired[str]

class CreateGroupMappingBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    groupId: NotRequired[str | None]
    groupName: NotRequired[str | None]
    role: NotRequired[MappedRole | None]
    roleId: NotRequired[str | None]
    departmentId: NotRequired[str | None]
    bandId: NotRequired[str | None]
    priority: NotRequired[int]

class UpdateGroupMappingBody(TypedDict):
    id: str
    groupId: NotRequired[str | None]
    groupName: NotRequired[str | None]
    role: NotRequired[MappedRole | None]
    roleId: NotRequired[str | None]
    departmentId: NotRequired[str | None]
    bandId: NotRequired[str | None]
    priority: NotRequired[int]

class GroupMappingChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: GroupMapping
    etag: NotRequired[str]

class GroupMappingChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: GroupMapping
    etag: NotRequired[str]

class DeleteGroupMappingBody(TypedDict):
    id: str

class Directory(TypedDict):
    id: str
    companyId: str
    name: str
    kind: Literal["OKTA", "ENTRA", "GOOGLE", "OTHER"]
    connectionId: str | None
    active: bool
    createdAt: str
    keys: list[DirectoryKeysItem]
    lastRequestAt: str | None
    lastUsedAt: str | None
    prefix: str
    expiresAt: str | None
    _count: DirectoryCount

class DirectoryKeysItem(TypedDict):
    id: str
    name: str
    prefix: str
    createdAt: str
    expiresAt: str | None
    lastUsedAt: str | None

class DirectoryCount(TypedDict):
    users: int
    groups: int

class DirectoryList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Directory]
    pagination: Pagination | CursorPagination

class DirectoryDetail(TypedDict):
    id: str
    companyId: str
    name: str
    kind: Literal["OKTA", "ENTRA", "GOOGLE", "OTHER"]
    connectionId: str | None
    active: bool
    createdAt: str
    keys: list[DirectoryDetailKeysItem]
    lastRequestAt: str | None
    lastUsedAt: str | None
    prefix: str
    expiresAt: str | None
    _count: DirectoryDetailCount
    leftOut: list[DirectoryDetailLeftOutItem]

class DirectoryDetailKeysItem(TypedDict):
    id: str
    name: str
    prefix: str
    createdAt: str
    expiresAt: str | None
    lastUsedAt: str | None

class DirectoryDetailCount(TypedDict):
    users: int
    groups: int
    mappings: int
    roles: int

class DirectoryDetailLeftOutItem(TypedDict):
    at: str
    userId: str | None
    values: dict[str, str]

class DirectoryDetailAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: DirectoryDetail
    etag: NotRequired[str]

class CreateDirectoryBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    name: str
    kind: NotRequired[Literal["OKTA", "ENTRA", "GOOGLE", "OTHER"]]
    connectionId: NotRequired[str | None]
    active: NotRequired[bool]

class UpdateDirectoryBody(TypedDict):
    id: str
    name: NotRequired[str]
    kind: NotRequired[Literal["OKTA", "ENTRA", "GOOGLE", "OTHER"]]
    connectionId: NotRequired[str | None]
    active: NotRequired[bool]

class DirectoryDetailChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: DirectoryDetail
    etag: NotRequired[str]

class DirectoryDetailChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: DirectoryDetail
    etag: NotRequired[str]

class DeleteDirectoryBody(TypedDict):
    id: str
    choice: NotRequired[Literal["HAND_OVER", "KEEP", "LET_GO"]]
    intoId: NotRequired[str]

class JoinDirectoriesBody(TypedDict):
    id: str
    intoId: str

class DirectoryGroup(TypedDict):
    id: str
    name: str
    directory: DirectoryGroupDirectory
    _count: DirectoryGroupCount

class DirectoryGroupDirectory(TypedDict):
    id: str
    name: str

class DirectoryGroupCount(TypedDict):
    users: int
    mappings: int

class DirectoryGroupList(TypedDict):
    success: Literal[True]
    message: str
    data: list[DirectoryGroup]
    pagination: Pagination | CursorPagination

class RenewDirectoryKeyBody(TypedDict):
    id: str
    overlapDays: NotRequired[int]

class NewApiKey(TypedDict):
    id: str
    name: str
    companyId: str | None
    prefix: str
    createdAt: str
    createdBy: str | None
    confirmedBy: str | None
    expiresAt: str | None
    revokedAt: str | None
    scopes: list[Literal["users.read", "users.write", "policies.evaluate", "departments.read", "organization.write", "companies.read", "companies.write", "events.read", "bookings.read", "bookings.write", "webhooks.manage", "scim", "travellers.read", "travellers.documents", "travellers.emergency"]]
    suspended: bool
    lastUsedAt: str | None
    key: str

class NewApiKeyAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: NewApiKey
    etag: NotRequired[str]

class OwnApiKey(TypedDict):
    id: str
    name: str
    companyId: str | None
    prefix: str
    createdAt: str
    createdBy: str | None
    confirmedBy: str | None
    expiresAt: str | None
    revokedAt: str | None
    scopes: list[Literal["users.read", "users.write", "policies.evaluate", "departments.read", "organization.write", "companies.read", "companies.write", "events.read", "bookings.read", "bookings.write", "webhooks.manage", "scim", "travellers.read", "travellers.documents", "travellers.emergency"]]
    suspended: bool
    lastUsedAt: str | None
    company: OwnApiKeyCompany | None

class OwnApiKeyCompany(TypedDict):
    id: str
    name: str

class OwnApiKeyAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: OwnApiKey
    etag: NotRequired[str]

class ApiKey(TypedDict):
    id: str
    name: str
    companyId: str | None
    prefix: str
    createdAt: str
    createdBy: str | None
    confirmedBy: str | None
    expiresAt: str | None
    revokedAt: str | None
    scopes: list[Literal["users.read", "users.write", "policies.evaluate", "departments.read", "organization.write", "companies.read", "companies.write", "events.read", "bookings.read", "bookings.write", "webhooks.manage", "scim", "travellers.read", "travellers.documents", "travellers.emergency"]]
    suspended: bool
    lastUsedAt: str | None

class ApiKeyList(TypedDict):
    success: Literal[True]
    message: str
    data: list[ApiKey]
    pagination: Pagination | CursorPagination

Scope: TypeAlias = 'Literal["users.read", "users.write", "policies.evaluate", "departments.read", "organization.write", "companies.read", "companies.write", "events.read", "bookings.read", "bookings.write", "webhooks.manage", "scim", "travellers.read", "travellers.documents", "travellers.emergency"]'

class CreateApiKeyBody(TypedDict):
    id: NotRequired[str]
    name: str
    scopes: list[Scope]
    companyId: NotRequired[str]
    expiresAt: NotRequired[str]
    directoryId: NotRequired[str]

class RevokeApiKeyBody(TypedDict):
    id: str
    webhooks: NotRequired[Literal["stop", "keep"]]

class RevokedApiKey(TypedDict):
    id: str
    name: str
    companyId: str | None
    prefix: str
    createdAt: str
    createdBy: str | None
    confirmedBy: str | None
    expiresAt: str | None
    revokedAt: str | None
    scopes: list[Literal["users.read", "users.write", "policies.evaluate", "departments.read", "organization.write", "companies.read", "companies.write", "events.read", "bookings.read", "bookings.write", "webhooks.manage", "scim", "travellers.read", "travellers.documents", "travellers.emergency"]]
    suspended: bool
    lastUsedAt: str | None
    webhooks: NotRequired[list[RevokedApiKeyWebhooksItem]]

class RevokedApiKeyWebhooksItem(TypedDict):
    id: str
    url: str
    active: bool

class RevokedApiKeyAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: RevokedApiKey
    etag: NotRequired[str]

class ConfirmApiKeyBody(TypedDict):
    id: str

class ApiKeyAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: ApiKey
    etag: NotRequired[str]

BookingStatus: TypeAlias = 'Literal["BOOKED", "CANCELLED"]'

class RecordBookingsBody(TypedDict):
    bookings: list[RecordBookingsBodyBookingsItem]

class RecordBookingsBodyBookingsItem(TypedDict):
    id: str
    companyId: str
    userId: str
    amount: str
    createdAt: NotRequired[str]
    departmentId: NotRequired[str]
    costCenter: NotRequired[str]
    reference: NotRequired[str]
    status: NotRequired[BookingStatus]
    cancelledAt: NotRequired[str]
    refundOf: NotRequired[str]
    category: NotRequired[str]
    travelDate: NotRequired[str]
    fields: NotRequired[dict[str, Any]]

class RecordedBookings(TypedDict):
    added: int
    changed: int
    unchanged: int

class RecordedBookingsAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: RecordedBookings
    etag: NotRequired[str]

class Booking(TypedDict):
    id: str
    companyId: str
    userId: str
    amount: str
    createdAt: str
    departmentId: str | None
    costCenter: str | None
    reference: str | None
    status: BookingStatus
    cancelledAt: str | None
    refundOf: str | None
    category: str | None
    travelDate: str | None
    bandId: str | None
    legalEntityId: str | None
    updatedAt: str
    fields: NotRequired[dict[str, Any]]
    user: BookingUser
    department: BookingDepartment | None

class BookingUser(TypedDict):
    id: str
    firstName: str
    lastName: str

class BookingDepartment(TypedDict):
    id: str
    name: str

class BookingTotals(TypedDict):
    booked: str
    cancelled: str

class BookingList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Booking]
    totals: NotRequired[BookingTotals]
    pagination: Pagination | CursorPagination

class BookingAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Booking
    etag: NotRequired[str]

class BookingFeed(TypedDict):
    success: Literal[True]
    message: str
    data: list[Booking]
    next: str
    etag: NotRequired[str]

class DepartmentSpending(TypedDict):
    id: str
    name: str
    budget: str | None
    spent: str
    remaining: str | None
    bookings: int
    spentBelow: str
    remainingWithBelow: str | None

DepartmentSpendingList = TypedDict("DepartmentSpendingList", {
    "success": 'Literal[True]',
    "message": 'str',
    "data": 'list[DepartmentSpending]',
    "from": 'str | None',
    "to": 'str | None',
    "currency": 'str | None',
    "pagination": 'Pagination | CursorPagination',
})

SpendingGroup: TypeAlias = 'Literal["month", "department", "costCenter", "person", "band", "category"]'

class CompanySpending(TypedDict):
    month: NotRequired[str]
    departmentId: NotRequired[str | None]
    name: NotRequired[str | None]
    userId: NotRequired[str]
    bandId: NotRequired[str | None]
    category: NotRequired[str | None]
    costCenter: NotRequired[str | None]
    spent: str
    bookings: int

CompanySpendingList = TypedDict("CompanySpendingList", {
    "success": 'Literal[True]',
    "message": 'str',
    "data": 'list[CompanySpending]',
    "from": 'str | None',
    "to": 'str | None',
    "currency": 'str | None',
    "etag": NotRequired['str'],
})

class Webhook(TypedDict):
    id: str
    companyId: str | None
    url: str
    description: str | None
    active: bool
    disabledReason: str | None
    createdAt: str
    updatedAt: str
    entities: list[Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]] | None
    actions: list[Literal["added", "changed", "removed", "erased"]] | None
    fields: list[str] | None
    headerNames: list[str] | None
    failedAttempts: int
    nextAttemptAt: str | None

class WebhookList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Webhook]
    pagination: Pagination | CursorPagination

class WebhookAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Webhook
    etag: NotRequired[str]

EntityName: TypeAlias = 'Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]'

class CreateWebhookBody(TypedDict):
    id: NotRequired[str]
    url: str
    entities: NotRequired[list[EntityName] | None]
    actions: NotRequired[list[Literal["added", "changed", "removed", "erased"]] | None]
    fields: NotRequired[list[str] | None]
    headers: NotRequired[dict[str, str] | None]
    description: NotRequired[str | None]
    companyId: NotRequired[str]

class WebhookWithSecret(TypedDict):
    id: str
    companyId: str | None
    url: str
    description: str | None
    active: bool
    disabledReason: str | None
    createdAt: str
    updatedAt: str
    entities: list[Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]] | None
    actions: list[Literal["added", "changed", "removed", "erased"]] | None
    fields: list[str] | None
    headerNames: list[str] | None
    failedAttempts: int
    nextAttemptAt: str | None
    secret: str

class WebhookWithSecretAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: WebhookWithSecret
    etag: NotRequired[str]

class UpdateWebhookBody(TypedDict):
    id: str
    url: NotRequired[str]
    entities: NotRequired[list[EntityName] | None]
    actions: NotRequired[list[Literal["added", "changed", "removed", "erased"]] | None]
    fields: NotRequired[list[str] | None]
    headers: NotRequired[dict[str, str] | None]
    description: NotRequired[str | None]
    active: NotRequired[bool]

class DeleteWebhookBody(TypedDict):
    id: str

class RotateWebhookSecretBody(TypedDict):
    id: str

class TestWebhookBody(TypedDict):
    id: str

class Delivery(TypedDict):
    at: str
    webhookId: str
    changeId: str | None
    type: str
    attempt: int
    status: int | None
    error: str | None
    milliseconds: int
    nextAttemptAt: str | None
    payload: str | None
    response: str | None
    skippedBy: str | None

class DeliveryAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Delivery
    etag: NotRequired[str]

class SkipWebhookChangeBody(TypedDict):
    id: str
    changeId: str

class ResendWebhookChangesBody(TypedDict):
    id: str
    changeId: NotRequired[str]
    since: NotRequired[str]

class Resent(TypedDict):
    webhook: Webhook
    delivery: ResentDelivery | None

class ResentDelivery(TypedDict):
    at: str
    webhookId: str
    changeId: str | None
    type: str
    attempt: int
    status: int | None
    error: str | None
    milliseconds: int
    nextAttemptAt: str | None
    payload: str | None
    response: str | None
    skippedBy: str | None

class ResentAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Resent
    etag: NotRequired[str]

class DeliveryList(TypedDict):
    success: Literal[True]
    message: str
    data: list[Delivery]
    pagination: Pagination | CursorPagination

class SignInConnection(TypedDict):
    id: str
    companyId: str
    issuer: str
    discoveryUrl: str | None
    audience: str
    clientId: str | None
    scope: str | None
    algorithm: Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA"]
    subjectClaim: str
    tokenUse: Literal["access", "id"]
    emailsVerified: bool
    guests: bool
    relinkUntil: str | None
    active: bool
    demandedClaims: dict[str, str]
    domains: list[str]
    sharedWith: list[str]
    agreedBy: list[SignInConnectionAgreedByItem]
    missingRecords: list[SignInConnectionMissingRecordsItem]
    createdAt: str
    updatedAt: str

class SignInConnectionAgreedByItem(TypedDict):
    id: str
    name: str

class SignInConnectionMissingRecordsItem(TypedDict):
    domain: str
    since: str
    until: str

class SignInConnectionList(TypedDict):
    success: Literal[True]
    message: str
    data: list[SignInConnection]
    pagination: Pagination | CursorPagination

class SignInConnectionAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: SignInConnection
    etag: NotRequired[str]

class CreateSignInConnectionBody(TypedDict):
    id: NotRequired[str]
    companyId: str
    issuer: str
    discoveryUrl: NotRequired[str | None]
    audience: str
    clientId: NotRequired[str | None]
    scope: NotRequired[str | None]
    algorithm: NotRequired[Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA"]]
    subjectClaim: NotRequired[str]
    tokenUse: NotRequired[Literal["access", "id"]]
    emailsVerified: NotRequired[bool]
    guests: NotRequired[bool]
    relinkUntil: NotRequired[str | None]
    active: NotRequired[bool]
    demandedClaims: NotRequired[dict[str, str]]
    domains: NotRequired[list[str]]
    sharedWith: NotRequired[list[str]]

class UpdateSignInConnectionBody(TypedDict):
    id: str
    issuer: NotRequired[str]
    discoveryUrl: NotRequired[str | None]
    audience: NotRequired[str]
    clientId: NotRequired[str | None]
    scope: NotRequired[str | None]
    algorithm: NotRequired[Literal["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA"]]
    subjectClaim: NotRequired[str]
    tokenUse: NotRequired[Literal["access", "id"]]
    emailsVerified: NotRequired[bool]
    guests: NotRequired[bool]
    relinkUntil: NotRequired[str | None]
    active: NotRequired[bool]
    demandedClaims: NotRequired[dict[str, str]]
    domains: NotRequired[list[str]]
    sharedWith: NotRequired[list[str]]

class SignInConnectionChanged(TypedDict):
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: SignInConnection
    etag: NotRequired[str]

class SignInConnectionChangedProblem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    success: Literal[False]
    message: str
    code: ErrorCode
    errors: NotRequired[list[FieldError]]
    requestId: str
    data: SignInConnection
    etag: NotRequired[str]

class DeleteSignInConnectionBody(TypedDict):
    id: str

class TestSignInConnectionBody(TypedDict):
    id: str
    token: NotRequired[str]

class SignInConnectionTest(TypedDict):
    working: bool
    problems: list[SignInConnectionTestProblemsItem]
    domains: list[SignInConnectionTestDomainsItem]
    token: NotRequired[SignInConnectionTestToken]

class SignInConnectionTestProblemsItem(TypedDict):
    field: str
    message: str
    neededFor: Literal["signIn", "console", "recommended"]

class SignInConnectionTestDomainsItem(TypedDict):
    domain: str
    hasRecord: bool

class SignInConnectionTestToken(TypedDict):
    accepted: bool
    reason: str | None
    rule: str
    claims: list[str]
    userId: str | None

class SignInConnectionTestAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: SignInConnectionTest
    etag: NotRequired[str]

class SignInRefusal(TypedDict):
    reason: str
    rule: str
    claims: list[str]
    count: int
    refusedAt: str

class SignInRefusalList(TypedDict):
    success: Literal[True]
    message: str
    data: list[SignInRefusal]
    etag: NotRequired[str]

class ForgetSignInLinksBody(TypedDict):
    id: str

class ForgottenLinks(TypedDict):
    links: int

class ForgottenLinksAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: ForgottenLinks
    etag: NotRequired[str]

class ForeignAddresses(TypedDict):
    domain: str
    own: bool
    people: int
    users: list[ForeignAddressesUsersItem]

class ForeignAddressesUsersItem(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str

class ForeignAddressesList(TypedDict):
    success: Literal[True]
    message: str
    data: list[ForeignAddresses]
    etag: NotRequired[str]

class SharedSignInConnection(TypedDict):
    id: str
    companyId: str
    issuer: str
    audience: str
    emailsVerified: bool
    active: bool
    company: SharedSignInConnectionCompany
    domains: list[str]
    agreed: bool

class SharedSignInConnectionCompany(TypedDict):
    id: str
    name: str

class SharedSignInConnectionList(TypedDict):
    success: Literal[True]
    message: str
    data: list[SharedSignInConnection]
    etag: NotRequired[str]

class AgreeToShareSignInConnectionBody(TypedDict):
    id: str
    companyId: str

class SharedSignInConnectionAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: SharedSignInConnection
    etag: NotRequired[str]

class LeaveSharedSignInConnectionBody(TypedDict):
    id: str
    companyId: str

class NamedChange(TypedDict):
    id: str
    changedAt: str
    action: Literal["added", "changed", "removed", "erased", "refused", "searched"]
    entity: Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]
    entityId: str
    userId: str | None
    companyId: str | None
    policyId: NotRequired[str]
    actor: NamedChangeActor
    requestId: str | None
    changes: list[NamedChangeChangesItem]
    actorName: str | None
    entityName: str | None
    names: dict[str, str | None]

class NamedChangeActor(TypedDict):
    kind: Literal["user", "key", "import", "command"]
    userId: str | None
    runId: str | None
    keyId: NotRequired[str]

class NamedChangeChangesItem(TypedDict):
    field: str
    before: str | int | bool | dict[str, Any] | list[Any] | None
    after: str | int | bool | dict[str, Any] | list[Any] | None
    kept: bool

class ChangeGroup(TypedDict):
    id: str
    requestId: str | None
    changedAt: str
    actor: ChangeGroupActor
    actorName: str | None
    counts: list[ChangeGroupCountsItem]
    subjects: list[ChangeGroupSubjectsItem]
    subjectCount: int
    main: NamedChange

class ChangeGroupActor(TypedDict):
    kind: Literal["user", "key", "import", "command"]
    userId: str | None
    runId: str | None
    keyId: NotRequired[str]

class ChangeGroupCountsItem(TypedDict):
    entity: Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]
    action: Literal["added", "changed", "removed", "erased", "refused", "searched"]
    count: int

class ChangeGroupSubjectsItem(TypedDict):
    entity: Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]
    id: str
    name: str | None

AuditItem: TypeAlias = 'NamedChange | ChangeGroup'

class AuditItemList(TypedDict):
    success: Literal[True]
    message: str
    data: list[AuditItem]
    pagination: Pagination | CursorPagination

class Change(TypedDict):
    id: str
    changedAt: str
    action: Literal["added", "changed", "removed", "erased", "refused", "searched"]
    entity: Literal["company", "department", "band", "user", "companyRole", "systemRole", "group", "role", "roleGrant", "approvalPolicy", "approvalPolicyLevel", "costCenter", "legalEntity", "taxRegistration", "substitution", "field", "payment", "apiKey", "webhook", "groupMapping", "signInConnection", "traveller", "travellerDocument", "travellerProgramme", "travellerArranger", "userMove", "directory", "mail"]
    entityId: str
    userId: str | None
    companyId: str | None
    policyId: NotRequired[str]
    actor: ChangeActor
    requestId: str | None
    changes: list[ChangeChangesItem]

class ChangeActor(TypedDict):
    kind: Literal["user", "key", "import", "command"]
    userId: str | None
    runId: str | None
    keyId: NotRequired[str]

class ChangeChangesItem(TypedDict):
    field: str
    before: str | int | bool | dict[str, Any] | list[Any] | None
    after: str | int | bool | dict[str, Any] | list[Any] | None
    kept: bool

class ChangeFeed(TypedDict):
    success: Literal[True]
    message: str
    data: list[Change]
    next: str
    etag: NotRequired[str]

class Liveness(TypedDict):
    process: Literal["up"]

class LivenessAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Liveness
    etag: NotRequired[str]

class Readiness(TypedDict):
    version: str
    database: Literal["up", "read-only", "down"]
    replica: NotRequired[Literal["up", "behind", "down"]]
    disk: NotRequired[Literal["ok", "low"]]
    identityProvider: NotRequired[Literal["up", "unreachable", "no-keys"]]

class ReadinessAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: Readiness
    etag: NotRequired[str]

class ConsoleConfig(TypedDict):
    signIn: Literal["demo", "provider", "token"]
    people: NotRequired[list[ConsoleConfigPeopleItem]]
    provider: NotRequired[ConsoleConfigProvider]
    brand: NotRequired[ConsoleConfigBrand]
    mails: NotRequired[bool]
    asksAddress: NotRequired[bool]

class ConsoleConfigPeopleItem(TypedDict):
    email: str
    name: str
    company: str
    roles: list[Role]
    active: bool
    token: str

class ConsoleConfigProvider(TypedDict):
    issuer: str
    authorizationEndpoint: str
    tokenEndpoint: str
    clientId: str
    scope: str
    resource: str | None
    connectionId: str | None
    tokenUse: Literal["access", "id"]
    responseType: Literal["code", "id_token"]

class ConsoleConfigBrand(TypedDict):
    name: str
    logo: NotRequired[str]
    color: NotRequired[str]
    support: NotRequired[str]
    terms: NotRequired[str]
    text: NotRequired[str]
    links: NotRequired[list[ConsoleConfigBrandLinksItem]]

class ConsoleConfigBrandLinksItem(TypedDict):
    name: str
    url: str

class ConsoleConfigAnswer(TypedDict):
    success: Literal[True]
    message: str
    data: ConsoleConfig
    etag: NotRequired[str]

class CompanyAddedEvent(TypedDict):
    type: Literal["company.added"]
    timestamp: str
    data: Change

class CompanyChangedEvent(TypedDict):
    type: Literal["company.changed"]
    timestamp: str
    data: Change

class CompanyRemovedEvent(TypedDict):
    type: Literal["company.removed"]
    timestamp: str
    data: Change

class DepartmentAddedEvent(TypedDict):
    type: Literal["department.added"]
    timestamp: str
    data: Change

class DepartmentChangedEvent(TypedDict):
    type: Literal["department.changed"]
    timestamp: str
    data: Change

class DepartmentRemovedEvent(TypedDict):
    type: Literal["department.removed"]
    timestamp: str
    data: Change

class BandAddedEvent(TypedDict):
    type: Literal["band.added"]
    timestamp: str
    data: Change

class BandChangedEvent(TypedDict):
    type: Literal["band.changed"]
    timestamp: str
    data: Change

class BandRemovedEvent(TypedDict):
    type: Literal["band.removed"]
    timestamp: str
    data: Change

class UserAddedEvent(TypedDict):
    type: Literal["user.added"]
    timestamp: str
    data: Change

class UserChangedEvent(TypedDict):
    type: Literal["user.changed"]
    timestamp: str
    data: Change

class UserRemovedEvent(TypedDict):
    type: Literal["user.removed"]
    timestamp: str
    data: Change

class CompanyRoleAddedEvent(TypedDict):
    type: Literal["companyRole.added"]
    timestamp: str
    data: Change

class CompanyRoleChangedEvent(TypedDict):
    type: Literal["companyRole.changed"]
    timestamp: str
    data: Change

class CompanyRoleRemovedEvent(TypedDict):
    type: Literal["companyRole.removed"]
    timestamp: str
    data: Change

class SystemRoleAddedEvent(TypedDict):
    type: Literal["systemRole.added"]
    timestamp: str
    data: Change

class SystemRoleChangedEvent(TypedDict):
    type: Literal["systemRole.changed"]
    timestamp: str
    data: Change

class SystemRoleRemovedEvent(TypedDict):
    type: Literal["systemRole.removed"]
    timestamp: str
    data: Change

class GroupAddedEvent(TypedDict):
    type: Literal["group.added"]
    timestamp: str
    data: Change

class GroupChangedEvent(TypedDict):
    type: Literal["group.changed"]
    timestamp: str
    data: Change

class GroupRemovedEvent(TypedDict):
    type: Literal["group.removed"]
    timestamp: str
    data: Change

class RoleAddedEvent(TypedDict):
    type: Literal["role.added"]
    timestamp: str
    data: Change

class RoleChangedEvent(TypedDict):
    type: Literal["role.changed"]
    timestamp: str
    data: Change

class RoleRemovedEvent(TypedDict):
    type: Literal["role.removed"]
    timestamp: str
    data: Change

class RoleGrantAddedEvent(TypedDict):
    type: Literal["roleGrant.added"]
    timestamp: str
    data: Change

class RoleGrantChangedEvent(TypedDict):
    type: Literal["roleGrant.changed"]
    timestamp: str
    data: Change

class RoleGrantRemovedEvent(TypedDict):
    type: Literal["roleGrant.removed"]
    timestamp: str
    data: Change

class ApprovalPolicyAddedEvent(TypedDict):
    type: Literal["approvalPolicy.added"]
    timestamp: str
    data: Change

class ApprovalPolicyChangedEvent(TypedDict):
    type: Literal["approvalPolicy.changed"]
    timestamp: str
    data: Change

class ApprovalPolicyRemovedEvent(TypedDict):
    type: Literal["approvalPolicy.removed"]
    timestamp: str
    data: Change

class ApprovalPolicyLevelAddedEvent(TypedDict):
    type: Literal["approvalPolicyLevel.added"]
    timestamp: str
    data: Change

class ApprovalPolicyLevelChangedEvent(TypedDict):
    type: Literal["approvalPolicyLevel.changed"]
    timestamp: str
    data: Change

class ApprovalPolicyLevelRemovedEvent(TypedDict):
    type: Literal["approvalPolicyLevel.removed"]
    timestamp: str
    data: Change

class CostCenterAddedEvent(TypedDict):
    type: Literal["costCenter.added"]
    timestamp: str
    data: Change

class CostCenterChangedEvent(TypedDict):
    type: Literal["costCenter.changed"]
    timestamp: str
    data: Change

class CostCenterRemovedEvent(TypedDict):
    type: Literal["costCenter.removed"]
    timestamp: str
    data: Change

class LegalEntityAddedEvent(TypedDict):
    type: Literal["legalEntity.added"]
    timestamp: str
    data: Change

class LegalEntityChangedEvent(TypedDict):
    type: Literal["legalEntity.changed"]
    timestamp: str
    data: Change

class LegalEntityRemovedEvent(TypedDict):
    type: Literal["legalEntity.removed"]
    timestamp: str
    data: Change

class TaxRegistrationAddedEvent(TypedDict):
    type: Literal["taxRegistration.added"]
    timestamp: str
    data: Change

class TaxRegistrationChangedEvent(TypedDict):
    type: Literal["taxRegistration.changed"]
    timestamp: str
    data: Change

class TaxRegistrationRemovedEvent(TypedDict):
    type: Literal["taxRegistration.removed"]
    timestamp: str
    data: Change

class SubstitutionAddedEvent(TypedDict):
    type: Literal["substitution.added"]
    timestamp: str
    data: Change

class SubstitutionChangedEvent(TypedDict):
    type: Literal["substitution.changed"]
    timestamp: str
    data: Change

class SubstitutionRemovedEvent(TypedDict):
    type: Literal["substitution.removed"]
    timestamp: str
    data: Change

class FieldAddedEvent(TypedDict):
    type: Literal["field.added"]
    timestamp: str
    data: Change

class FieldChangedEvent(TypedDict):
    type: Literal["field.changed"]
    timestamp: str
    data: Change

class FieldRemovedEvent(TypedDict):
    type: Literal["field.removed"]
    timestamp: str
    data: Change

class PaymentAddedEvent(TypedDict):
    type: Literal["payment.added"]
    timestamp: str
    data: Change

class PaymentChangedEvent(TypedDict):
    type: Literal["payment.changed"]
    timestamp: str
    data: Change

class PaymentRemovedEvent(TypedDict):
    type: Literal["payment.removed"]
    timestamp: str
    data: Change

class ApiKeyAddedEvent(TypedDict):
    type: Literal["apiKey.added"]
    timestamp: str
    data: Change

class ApiKeyChangedEvent(TypedDict):
    type: Literal["apiKey.changed"]
    timestamp: str
    data: Change

class ApiKeyRemovedEvent(TypedDict):
    type: Literal["apiKey.removed"]
    timestamp: str
    data: Change

class WebhookAddedEvent(TypedDict):
    type: Literal["webhook.added"]
    timestamp: str
    data: Change

class WebhookChangedEvent(TypedDict):
    type: Literal["webhook.changed"]
    timestamp: str
    data: Change

class WebhookRemovedEvent(TypedDict):
    type: Literal["webhook.removed"]
    timestamp: str
    data: Change

class GroupMappingAddedEvent(TypedDict):
    type: Literal["groupMapping.added"]
    timestamp: str
    data: Change

class GroupMappingChangedEvent(TypedDict):
    type: Literal["groupMapping.changed"]
    timestamp: str
    data: Change

class GroupMappingRemovedEvent(TypedDict):
    type: Literal["groupMapping.removed"]
    timestamp: str
    data: Change

class SignInConnectionAddedEvent(TypedDict):
    type: Literal["signInConnection.added"]
    timestamp: str
    data: Change

class SignInConnectionChangedEvent(TypedDict):
    type: Literal["signInConnection.changed"]
    timestamp: str
    data: Change

class SignInConnectionRemovedEvent(TypedDict):
    type: Literal["signInConnection.removed"]
    timestamp: str
    data: Change

class TravellerAddedEvent(TypedDict):
    type: Literal["traveller.added"]
    timestamp: str
    data: Change

class TravellerChangedEvent(TypedDict):
    type: Literal["traveller.changed"]
    timestamp: str
    data: Change

class TravellerRemovedEvent(TypedDict):
    type: Literal["traveller.removed"]
    timestamp: str
    data: Change

class TravellerDocumentAddedEvent(TypedDict):
    type: Literal["travellerDocument.added"]
    timestamp: str
    data: Change

class TravellerDocumentChangedEvent(TypedDict):
    type: Literal["travellerDocument.changed"]
    timestamp: str
    data: Change

class TravellerDocumentRemovedEvent(TypedDict):
    type: Literal["travellerDocument.removed"]
    timestamp: str
    data: Change

class TravellerProgrammeAddedEvent(TypedDict):
    type: Literal["travellerProgramme.added"]
    timestamp: str
    data: Change

class TravellerProgrammeChangedEvent(TypedDict):
    type: Literal["travellerProgramme.changed"]
    timestamp: str
    data: Change

class TravellerProgrammeRemovedEvent(TypedDict):
    type: Literal["travellerProgramme.removed"]
    timestamp: str
    data: Change

class TravellerArrangerAddedEvent(TypedDict):
    type: Literal["travellerArranger.added"]
    timestamp: str
    data: Change

class TravellerArrangerChangedEvent(TypedDict):
    type: Literal["travellerArranger.changed"]
    timestamp: str
    data: Change

class TravellerArrangerRemovedEvent(TypedDict):
    type: Literal["travellerArranger.removed"]
    timestamp: str
    data: Change

class UserMoveAddedEvent(TypedDict):
    type: Literal["userMove.added"]
    timestamp: str
    data: Change

class UserMoveChangedEvent(TypedDict):
    type: Literal["userMove.changed"]
    timestamp: str
    data: Change

class UserMoveRemovedEvent(TypedDict):
    type: Literal["userMove.removed"]
    timestamp: str
    data: Change

class DirectoryAddedEvent(TypedDict):
    type: Literal["directory.added"]
    timestamp: str
    data: Change

class DirectoryChangedEvent(TypedDict):
    type: Literal["directory.changed"]
    timestamp: str
    data: Change

class DirectoryRemovedEvent(TypedDict):
    type: Literal["directory.removed"]
    timestamp: str
    data: Change

class MailAddedEvent(TypedDict):
    type: Literal["mail.added"]
    timestamp: str
    data: Change

class MailChangedEvent(TypedDict):
    type: Literal["mail.changed"]
    timestamp: str
    data: Change

class MailRemovedEvent(TypedDict):
    type: Literal["mail.removed"]
    timestamp: str
    data: Change

class UserErasedEvent(TypedDict):
    type: Literal["user.erased"]
    timestamp: str
    data: Change

class CompanyRefusedEvent(TypedDict):
    type: Literal["company.refused"]
    timestamp: str
    data: Change

class UserSearchedEvent(TypedDict):
    type: Literal["user.searched"]
    timestamp: str
    data: Change

class TestEvent(TypedDict):
    type: Literal["test"]
    timestamp: str
    data: TestEventData

class TestEventData(TypedDict):
    webhookId: str


class Operations:
    """Each operation of the contract, by its operationId."""

    def get(self, path: str, query: Mapping[str, object] | None = None) -> Any:
        raise NotImplementedError

    def post(
        self,
        path: str,
        body: object = None,
        *,
        query: Mapping[str, object] | None = None,
        content_type: str = "application/json",
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> Any:
        raise NotImplementedError

    def get_profile(
        self,
        *,
        include: str | None = None,
    ) -> OwnProfileAnswer:
        """Get own profile."""
        answer: OwnProfileAnswer = self.get("/api/users/profile", {"include": include})
        return answer

    def update_profile(
        self,
        body: UpdateProfileBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> UpdatedProfileAnswer:
        """Update own profile."""
        answer: UpdatedProfileAnswer = self.post("/api/users/update-profile", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_cities(
        self,
        *,
        search: str | None = None,
        alternateNames: bool | None = None,
        stateId: int | None = None,
        within: bool | None = None,
        near: str | None = None,
        countryId: int | None = None,
        countryCode: str | None = None,
        ids: str | None = None,
        include: str | None = None,
        lang: str | None = None,
        isPaginationNeeded: bool | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> CityList:
        """List cities."""
        answer: CityList = self.get("/api/cities/list", {"search": search, "alternateNames": alternateNames, "stateId": stateId, "within": within, "near": near, "countryId": countryId, "countryCode": countryCode, "ids": ids, "include": include, "lang": lang, "isPaginationNeeded": isPaginationNeeded, "after": after, "page": page, "limit": limit})
        return answer

    def list_states(
        self,
        *,
        search: str | None = None,
        alternateNames: bool | None = None,
        countryId: int | None = None,
        countryCode: str | None = None,
        hasCities: bool | None = None,
        ids: str | None = None,
        include: str | None = None,
        lang: str | None = None,
        isPaginationNeeded: bool | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> StateList:
        """List states and union territories."""
        answer: StateList = self.get("/api/states/list", {"search": search, "alternateNames": alternateNames, "countryId": countryId, "countryCode": countryCode, "hasCities": hasCities, "ids": ids, "include": include, "lang": lang, "isPaginationNeeded": isPaginationNeeded, "after": after, "page": page, "limit": limit})
        return answer

    def list_countries(
        self,
        *,
        search: str | None = None,
        alternateNames: bool | None = None,
        ids: str | None = None,
        include: str | None = None,
        lang: str | None = None,
        isPaginationNeeded: bool | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> CountryList:
        """List countries."""
        answer: CountryList = self.get("/api/countries/list", {"search": search, "alternateNames": alternateNames, "ids": ids, "include": include, "lang": lang, "isPaginationNeeded": isPaginationNeeded, "after": after, "page": page, "limit": limit})
        return answer

    def list_companies(
        self,
        *,
        search: str | None = None,
        activeOnly: bool | None = None,
        inactiveOnly: bool | None = None,
        overCredit: bool | None = None,
        sort: Literal["name", "-name", "creditLimit", "-creditLimit", "creditDays", "-creditDays", "updatedAt", "-updatedAt"] | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> CompanyList:
        """List companies."""
        answer: CompanyList = self.get("/api/companies/list", {"search": search, "activeOnly": activeOnly, "inactiveOnly": inactiveOnly, "overCredit": overCredit, "sort": sort, "updatedSince": updatedSince, "include": include, "externalId": externalId, "after": after, "page": page, "limit": limit})
        return answer

    def get_company(
        self,
        *,
        id: str,
        include: str | None = None,
    ) -> CompanyWithCountsAnswer:
        """Get a company."""
        answer: CompanyWithCountsAnswer = self.get("/api/companies/get", {"id": id, "include": include})
        return answer

    def create_company(
        self,
        body: CreateCompanyBody,
        *,
        idempotency_key: str | None = None,
    ) -> CompanyDetailAnswer:
        """Create a company."""
        answer: CompanyDetailAnswer = self.post("/api/companies/create", body, idempotency_key=idempotency_key)
        return answer

    def update_company(
        self,
        body: UpdateCompanyBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> CompanyDetailAnswer:
        """Update a company."""
        answer: CompanyDetailAnswer = self.post("/api/companies/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def record_company_payment(
        self,
        body: RecordCompanyPaymentBody,
        *,
        idempotency_key: str | None = None,
    ) -> PaymentAnswer:
        """Record a payment of a company."""
        answer: PaymentAnswer = self.post("/api/companies/record-payment", body, idempotency_key=idempotency_key)
        return answer

    def close_company_period(
        self,
        body: CloseCompanyPeriodBody,
        *,
        idempotency_key: str | None = None,
    ) -> CompanyDetailAnswer:
        """Close the past of a company."""
        answer: CompanyDetailAnswer = self.post("/api/companies/close-period", body, idempotency_key=idempotency_key)
        return answer

    def list_users(
        self,
        *,
        companyId: str,
        search: str | None = None,
        broad: bool | None = None,
        departmentId: str | None = None,
        departmentIds: str | None = None,
        below: bool | None = None,
        bandId: str | None = None,
        bandIds: str | None = None,
        role: CompanyRole | None = None,
        roles: str | None = None,
        ownRoleId: str | None = None,
        workerType: str | None = None,
        activeOnly: bool | None = None,
        inactiveOnly: bool | None = None,
        guests: bool | None = None,
        sort: Literal["name", "-name", "approvalLimit", "-approvalLimit", "updatedAt", "-updatedAt"] | None = None,
        email: str | None = None,
        employeeNumber: str | None = None,
        externalId: str | None = None,
        managerId: str | None = None,
        signedIn: bool | None = None,
        directoryId: str | None = None,
        documentsExpireBefore: str | None = None,
        substituteId: str | None = None,
        arrangedBy: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> UserList:
        """List people."""
        answer: UserList = self.get("/api/users/list", {"companyId": companyId, "search": search, "broad": broad, "departmentId": departmentId, "departmentIds": departmentIds, "below": below, "bandId": bandId, "bandIds": bandIds, "role": role, "roles": roles, "ownRoleId": ownRoleId, "workerType": workerType, "activeOnly": activeOnly, "inactiveOnly": inactiveOnly, "guests": guests, "sort": sort, "email": email, "employeeNumber": employeeNumber, "externalId": externalId, "managerId": managerId, "signedIn": signedIn, "directoryId": directoryId, "documentsExpireBefore": documentsExpireBefore, "substituteId": substituteId, "arrangedBy": arrangedBy, "updatedSince": updatedSince, "include": include, "after": after, "page": page, "limit": limit})
        return answer

    def search_users(
        self,
        *,
        search: str,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> FoundUserList:
        """Search people of all companies."""
        answer: FoundUserList = self.get("/api/users/search", {"search": search, "after": after, "page": page, "limit": limit})
        return answer

    def get_user(
        self,
        *,
        id: str,
        include: str | None = None,
    ) -> PersonAnswer:
        """Get a person."""
        answer: PersonAnswer = self.get("/api/users/get", {"id": id, "include": include})
        return answer

    def create_user(
        self,
        body: CreateUserBody,
        *,
        idempotency_key: str | None = None,
    ) -> UserDetailAnswer:
        """Create a person."""
        answer: UserDetailAnswer = self.post("/api/users/create", body, idempotency_key=idempotency_key)
        return answer

    def update_user(
        self,
        body: UpdateUserBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> ChangedUserAnswer:
        """Update a person."""
        answer: ChangedUserAnswer = self.post("/api/users/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def save_users(
        self,
        body: SaveUsersBody,
        *,
        idempotency_key: str | None = None,
    ) -> SavedUsersAnswer:
        """Create and update many people."""
        answer: SavedUsersAnswer = self.post("/api/users/save", body, idempotency_key=idempotency_key)
        return answer

    def set_substitute(
        self,
        body: SetSubstituteBody,
        *,
        idempotency_key: str | None = None,
    ) -> SubstitutionAnswer:
        """Set a substitute."""
        answer: SubstitutionAnswer = self.post("/api/users/set-substitute", body, idempotency_key=idempotency_key)
        return answer

    def grant_role(
        self,
        body: GrantRoleBody,
        *,
        idempotency_key: str | None = None,
    ) -> UserDetailAnswer:
        """Grant a role."""
        answer: UserDetailAnswer = self.post("/api/users/grant-role", body, idempotency_key=idempotency_key)
        return answer

    def revoke_role(
        self,
        body: RevokeRoleBody,
        *,
        idempotency_key: str | None = None,
    ) -> ChangedPersonAnswer:
        """Revoke a role."""
        answer: ChangedPersonAnswer = self.post("/api/users/revoke-role", body, idempotency_key=idempotency_key)
        return answer

    def forget_sign_in(
        self,
        body: ForgetSignInBody,
        *,
        idempotency_key: str | None = None,
    ) -> UserDetailAnswer:
        """Forget how a person signs in."""
        answer: UserDetailAnswer = self.post("/api/users/forget-sign-in", body, idempotency_key=idempotency_key)
        return answer

    def list_moves(
        self,
        *,
        companyId: str,
        status: Literal["OPEN", "AGREED", "DECLINED", "WITHDRAWN", "EXPIRED"] | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> MoveList:
        """List moves between companies."""
        answer: MoveList = self.get("/api/users/moves", {"companyId": companyId, "status": status, "after": after, "page": page, "limit": limit})
        return answer

    def request_move(
        self,
        body: RequestMoveBody,
        *,
        idempotency_key: str | None = None,
    ) -> MoveResultsAnswer:
        """Ask for people of other companies."""
        answer: MoveResultsAnswer = self.post("/api/users/request-move", body, idempotency_key=idempotency_key)
        return answer

    def agree_move(
        self,
        body: AgreeMoveBody,
        *,
        idempotency_key: str | None = None,
    ) -> MoveResultsAnswer:
        """Agree to moves."""
        answer: MoveResultsAnswer = self.post("/api/users/agree-move", body, idempotency_key=idempotency_key)
        return answer

    def decline_move(
        self,
        body: DeclineMoveBody,
        *,
        idempotency_key: str | None = None,
    ) -> MoveResultsAnswer:
        """Decline moves."""
        answer: MoveResultsAnswer = self.post("/api/users/decline-move", body, idempotency_key=idempotency_key)
        return answer

    def withdraw_move(
        self,
        body: WithdrawMoveBody,
        *,
        idempotency_key: str | None = None,
    ) -> MoveResultsAnswer:
        """Withdraw requests for people."""
        answer: MoveResultsAnswer = self.post("/api/users/withdraw-move", body, idempotency_key=idempotency_key)
        return answer

    def import_users(
        self,
        content: bytes,
        *,
        companyId: str,
        dryRun: bool | None = None,
        invite: bool | None = None,
        mode: Literal["some", "all"] | None = None,
        scope: Literal["company", "file"] | None = None,
        maxLeavers: int | None = None,
        maxChanged: int | None = None,
        maxAddresses: int | None = None,
        maxMoved: int | None = None,
        asOf: str | None = None,
        feed: str | None = None,
        confirm: str | None = None,
        choices: str | None = None,
        changes: bool | None = None,
        after: int | None = None,
        limit: int | None = None,
        idempotency_key: str | None = None,
    ) -> UsersImportAnswer:
        """Import people from CSV."""
        answer: UsersImportAnswer = self.post("/api/users/import", content, query={"companyId": companyId, "dryRun": dryRun, "invite": invite, "mode": mode, "scope": scope, "maxLeavers": maxLeavers, "maxChanged": maxChanged, "maxAddresses": maxAddresses, "maxMoved": maxMoved, "asOf": asOf, "feed": feed, "confirm": confirm, "choices": choices, "changes": changes, "after": after, "limit": limit}, content_type="text/csv", idempotency_key=idempotency_key)
        return answer

    def list_mails(
        self,
        *,
        companyId: str | None = None,
        userId: str | None = None,
        status: Literal["QUEUED", "SENT", "FAILED", "DROPPED", "LEFT"] | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> MailList:
        """List mails."""
        answer: MailList = self.get("/api/mails/list", {"companyId": companyId, "userId": userId, "status": status, "after": after, "page": page, "limit": limit})
        return answer

    def invite_user(
        self,
        body: InviteUserBody,
        *,
        idempotency_key: str | None = None,
    ) -> MailAnswer:
        """Invite a person."""
        answer: MailAnswer = self.post("/api/users/invite", body, idempotency_key=idempotency_key)
        return answer

    def get_traveller(
        self,
        *,
        id: str | None = None,
        reveal: bool | None = None,
    ) -> TravellerAnswer:
        """Get what a person needs to travel."""
        answer: TravellerAnswer = self.get("/api/users/get-traveller", {"id": id, "reveal": reveal})
        return answer

    def update_traveller(
        self,
        body: UpdateTravellerBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> TravellerAnswer:
        """Change what a person needs to travel."""
        answer: TravellerAnswer = self.post("/api/users/update-traveller", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def export_own_data(
        self,
    ) -> OwnDataAnswer:
        """Export own data."""
        answer: OwnDataAnswer = self.get("/api/users/export-own", {})
        return answer

    def list_bands(
        self,
        *,
        companyId: str,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> BandList:
        """List bands."""
        answer: BandList = self.get("/api/bands/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "externalId": externalId, "after": after, "page": page, "limit": limit})
        return answer

    def get_band(
        self,
        *,
        id: str,
    ) -> BandDetailAnswer:
        """Get band."""
        answer: BandDetailAnswer = self.get("/api/bands/get", {"id": id})
        return answer

    def create_band(
        self,
        body: CreateBandBody,
        *,
        idempotency_key: str | None = None,
    ) -> BandDetailAnswer:
        """Create band."""
        answer: BandDetailAnswer = self.post("/api/bands/create", body, idempotency_key=idempotency_key)
        return answer

    def update_band(
        self,
        body: UpdateBandBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> BandDetailAnswer:
        """Update band."""
        answer: BandDetailAnswer = self.post("/api/bands/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_band(
        self,
        body: DeleteBandBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> BandDetailAnswer:
        """Delete band."""
        answer: BandDetailAnswer = self.post("/api/bands/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_approval_policies(
        self,
        *,
        companyId: str,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        sort: Literal["precedence"] | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> ApprovalPolicyList:
        """List approval policies."""
        answer: ApprovalPolicyList = self.get("/api/approval-policies/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "externalId": externalId, "sort": sort, "after": after, "page": page, "limit": limit})
        return answer

    def get_approval_policy(
        self,
        *,
        id: str,
    ) -> ApprovalPolicyDetailAnswer:
        """Get approval policy."""
        answer: ApprovalPolicyDetailAnswer = self.get("/api/approval-policies/get", {"id": id})
        return answer

    def create_approval_policy(
        self,
        body: CreateApprovalPolicyBody,
        *,
        idempotency_key: str | None = None,
    ) -> ApprovalPolicyDetailAnswer:
        """Create approval policy."""
        answer: ApprovalPolicyDetailAnswer = self.post("/api/approval-policies/create", body, idempotency_key=idempotency_key)
        return answer

    def update_approval_policy(
        self,
        body: UpdateApprovalPolicyBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApprovalPolicyDetailAnswer:
        """Update approval policy."""
        answer: ApprovalPolicyDetailAnswer = self.post("/api/approval-policies/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_approval_policy(
        self,
        body: DeleteApprovalPolicyBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> ApprovalPolicyDetailAnswer:
        """Delete approval policy."""
        answer: ApprovalPolicyDetailAnswer = self.post("/api/approval-policies/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def evaluate_approval_policy(
        self,
        *,
        amount: str,
        id: str | None = None,
        companyId: str | None = None,
        userId: str | None = None,
        requestedBy: str | None = None,
        approvedAmount: str | None = None,
        currency: str | None = None,
        facts: dict[str, bool | float | str | list[str]] | None = None,
        on: str | None = None,
    ) -> EvaluationAnswer:
        """Evaluate an approval."""
        answer: EvaluationAnswer = self.get("/api/approval-policies/evaluate", {"id": id, "companyId": companyId, "userId": userId, "amount": amount, "requestedBy": requestedBy, "approvedAmount": approvedAmount, "currency": currency, "facts": facts, "on": on})
        return answer

    def check_approval_policies(
        self,
        body: CheckApprovalPoliciesBody,
    ) -> PolicyCheckAnswer:
        """Check approval policies."""
        answer: PolicyCheckAnswer = self.post("/api/approval-policies/check", body)
        return answer

    def list_departments(
        self,
        *,
        companyId: str,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> DepartmentList:
        """List departments."""
        answer: DepartmentList = self.get("/api/departments/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "externalId": externalId, "after": after, "page": page, "limit": limit})
        return answer

    def get_department(
        self,
        *,
        id: str,
    ) -> DepartmentDetailAnswer:
        """Get department."""
        answer: DepartmentDetailAnswer = self.get("/api/departments/get", {"id": id})
        return answer

    def create_department(
        self,
        body: CreateDepartmentBody,
        *,
        idempotency_key: str | None = None,
    ) -> DepartmentDetailAnswer:
        """Create department."""
        answer: DepartmentDetailAnswer = self.post("/api/departments/create", body, idempotency_key=idempotency_key)
        return answer

    def update_department(
        self,
        body: UpdateDepartmentBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> DepartmentDetailAnswer:
        """Update department."""
        answer: DepartmentDetailAnswer = self.post("/api/departments/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_department(
        self,
        body: DeleteDepartmentBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> DepartmentDetailAnswer:
        """Delete department."""
        answer: DepartmentDetailAnswer = self.post("/api/departments/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_cost_centres(
        self,
        *,
        companyId: str,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> CostCenterList:
        """List cost centres."""
        answer: CostCenterList = self.get("/api/cost-centers/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "externalId": externalId, "after": after, "page": page, "limit": limit})
        return answer

    def get_cost_centre(
        self,
        *,
        id: str,
    ) -> CostCenterDetailAnswer:
        """Get cost centre."""
        answer: CostCenterDetailAnswer = self.get("/api/cost-centers/get", {"id": id})
        return answer

    def create_cost_centre(
        self,
        body: CreateCostCentreBody,
        *,
        idempotency_key: str | None = None,
    ) -> CostCenterDetailAnswer:
        """Create cost centre."""
        answer: CostCenterDetailAnswer = self.post("/api/cost-centers/create", body, idempotency_key=idempotency_key)
        return answer

    def update_cost_centre(
        self,
        body: UpdateCostCentreBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> CostCenterDetailAnswer:
        """Update cost centre."""
        answer: CostCenterDetailAnswer = self.post("/api/cost-centers/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_cost_centre(
        self,
        body: DeleteCostCentreBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> CostCenterDetailAnswer:
        """Delete cost centre."""
        answer: CostCenterDetailAnswer = self.post("/api/cost-centers/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_groups(
        self,
        *,
        companyId: str,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> GroupList:
        """List groups."""
        answer: GroupList = self.get("/api/groups/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "externalId": externalId, "after": after, "page": page, "limit": limit})
        return answer

    def get_group(
        self,
        *,
        id: str,
    ) -> GroupDetailAnswer:
        """Get group."""
        answer: GroupDetailAnswer = self.get("/api/groups/get", {"id": id})
        return answer

    def create_group(
        self,
        body: CreateGroupBody,
        *,
        idempotency_key: str | None = None,
    ) -> GroupDetailAnswer:
        """Create group."""
        answer: GroupDetailAnswer = self.post("/api/groups/create", body, idempotency_key=idempotency_key)
        return answer

    def update_group(
        self,
        body: UpdateGroupBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> GroupDetailAnswer:
        """Update group."""
        answer: GroupDetailAnswer = self.post("/api/groups/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_group(
        self,
        body: DeleteGroupBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> GroupDetailAnswer:
        """Delete group."""
        answer: GroupDetailAnswer = self.post("/api/groups/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_roles(
        self,
        *,
        companyId: str | None = None,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        fixed: bool | None = None,
        userId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> OwnRoleList:
        """List roles."""
        answer: OwnRoleList = self.get("/api/roles/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "fixed": fixed, "userId": userId, "after": after, "page": page, "limit": limit})
        return answer

    def get_role(
        self,
        *,
        id: str,
    ) -> OwnRoleDetailAnswer:
        """Get role."""
        answer: OwnRoleDetailAnswer = self.get("/api/roles/get", {"id": id})
        return answer

    def create_role(
        self,
        body: CreateRoleBody,
        *,
        idempotency_key: str | None = None,
    ) -> OwnRoleDetailAnswer:
        """Create role."""
        answer: OwnRoleDetailAnswer = self.post("/api/roles/create", body, idempotency_key=idempotency_key)
        return answer

    def update_role(
        self,
        body: UpdateRoleBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> OwnRoleDetailAnswer:
        """Update role."""
        answer: OwnRoleDetailAnswer = self.post("/api/roles/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_role(
        self,
        body: DeleteRoleBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> OwnRoleDetailAnswer:
        """Delete role."""
        answer: OwnRoleDetailAnswer = self.post("/api/roles/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def grant_own_role(
        self,
        body: GrantOwnRoleBody,
        *,
        idempotency_key: str | None = None,
    ) -> OwnRoleDetailAnswer:
        """Grant a role of the company’s own."""
        answer: OwnRoleDetailAnswer = self.post("/api/roles/grant", body, idempotency_key=idempotency_key)
        return answer

    def revoke_own_role(
        self,
        body: RevokeOwnRoleBody,
        *,
        idempotency_key: str | None = None,
    ) -> OwnRoleDetailAnswer:
        """Revoke a role of the company’s own."""
        answer: OwnRoleDetailAnswer = self.post("/api/roles/revoke", body, idempotency_key=idempotency_key)
        return answer

    def get_own_roles(
        self,
    ) -> OwnRolesAnswer:
        """Get the roles that one holds."""
        answer: OwnRolesAnswer = self.get("/api/roles/own", {})
        return answer

    def list_legal_entities(
        self,
        *,
        companyId: str,
        search: str | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        externalId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> LegalEntityList:
        """List legal entities."""
        answer: LegalEntityList = self.get("/api/legal-entities/list", {"companyId": companyId, "search": search, "updatedSince": updatedSince, "include": include, "externalId": externalId, "after": after, "page": page, "limit": limit})
        return answer

    def get_legal_entity(
        self,
        *,
        id: str,
    ) -> LegalEntityDetailAnswer:
        """Get legal entity."""
        answer: LegalEntityDetailAnswer = self.get("/api/legal-entities/get", {"id": id})
        return answer

    def create_legal_entity(
        self,
        body: CreateLegalEntityBody,
        *,
        idempotency_key: str | None = None,
    ) -> LegalEntityDetailAnswer:
        """Create legal entity."""
        answer: LegalEntityDetailAnswer = self.post("/api/legal-entities/create", body, idempotency_key=idempotency_key)
        return answer

    def update_legal_entity(
        self,
        body: UpdateLegalEntityBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> LegalEntityDetailAnswer:
        """Update legal entity."""
        answer: LegalEntityDetailAnswer = self.post("/api/legal-entities/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_legal_entity(
        self,
        body: DeleteLegalEntityBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> LegalEntityDetailAnswer:
        """Delete legal entity."""
        answer: LegalEntityDetailAnswer = self.post("/api/legal-entities/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def get_bill_to(
        self,
        *,
        userId: str,
        stateId: int | None = None,
        countryCode: str | None = None,
    ) -> BillToAnswer:
        """Get name, address and number to bill."""
        answer: BillToAnswer = self.get("/api/legal-entities/bill-to", {"userId": userId, "stateId": stateId, "countryCode": countryCode})
        return answer

    def list_fields(
        self,
        *,
        companyId: str | None = None,
        entity: Literal["user", "company", "department", "band", "approvalPolicy", "booking"] | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> FieldList:
        """List fields."""
        answer: FieldList = self.get("/api/fields/list", {"companyId": companyId, "entity": entity, "after": after, "page": page, "limit": limit})
        return answer

    def get_field(
        self,
        *,
        id: str,
    ) -> FieldAnswer:
        """Get a field."""
        answer: FieldAnswer = self.get("/api/fields/get", {"id": id})
        return answer

    def create_field(
        self,
        body: CreateFieldBody,
        *,
        idempotency_key: str | None = None,
    ) -> FieldAnswer:
        """Create field."""
        answer: FieldAnswer = self.post("/api/fields/create", body, idempotency_key=idempotency_key)
        return answer

    def update_field(
        self,
        body: UpdateFieldBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> FieldAnswer:
        """Update field."""
        answer: FieldAnswer = self.post("/api/fields/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_field(
        self,
        body: DeleteFieldBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> FieldAnswer:
        """Delete a field."""
        answer: FieldAnswer = self.post("/api/fields/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_group_mappings(
        self,
        *,
        companyId: str,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> GroupMappingList:
        """List group mappings."""
        answer: GroupMappingList = self.get("/api/group-mappings/list", {"companyId": companyId, "after": after, "page": page, "limit": limit})
        return answer

    def get_group_mapping(
        self,
        *,
        id: str,
    ) -> GroupMappingAnswer:
        """Get group mapping."""
        answer: GroupMappingAnswer = self.get("/api/group-mappings/get", {"id": id})
        return answer

    def create_group_mapping(
        self,
        body: CreateGroupMappingBody,
        *,
        idempotency_key: str | None = None,
    ) -> GroupMappingAnswer:
        """Create group mapping."""
        answer: GroupMappingAnswer = self.post("/api/group-mappings/create", body, idempotency_key=idempotency_key)
        return answer

    def update_group_mapping(
        self,
        body: UpdateGroupMappingBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> GroupMappingAnswer:
        """Update group mapping."""
        answer: GroupMappingAnswer = self.post("/api/group-mappings/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_group_mapping(
        self,
        body: DeleteGroupMappingBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> GroupMappingAnswer:
        """Delete group mapping."""
        answer: GroupMappingAnswer = self.post("/api/group-mappings/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def list_directories(
        self,
        *,
        companyId: str,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> DirectoryList:
        """List directories."""
        answer: DirectoryList = self.get("/api/directories/list", {"companyId": companyId, "after": after, "page": page, "limit": limit})
        return answer

    def get_directory(
        self,
        *,
        id: str,
    ) -> DirectoryDetailAnswer:
        """Get directory."""
        answer: DirectoryDetailAnswer = self.get("/api/directories/get", {"id": id})
        return answer

    def create_directory(
        self,
        body: CreateDirectoryBody,
        *,
        idempotency_key: str | None = None,
    ) -> DirectoryDetailAnswer:
        """Create directory."""
        answer: DirectoryDetailAnswer = self.post("/api/directories/create", body, idempotency_key=idempotency_key)
        return answer

    def update_directory(
        self,
        body: UpdateDirectoryBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> DirectoryDetailAnswer:
        """Update directory."""
        answer: DirectoryDetailAnswer = self.post("/api/directories/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_directory(
        self,
        body: DeleteDirectoryBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> DirectoryDetailAnswer:
        """End a directory."""
        answer: DirectoryDetailAnswer = self.post("/api/directories/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def join_directories(
        self,
        body: JoinDirectoriesBody,
        *,
        idempotency_key: str | None = None,
    ) -> DirectoryDetailAnswer:
        """Join two directories."""
        answer: DirectoryDetailAnswer = self.post("/api/directories/join", body, idempotency_key=idempotency_key)
        return answer

    def list_directory_groups(
        self,
        *,
        companyId: str,
        directoryId: str | None = None,
        search: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> DirectoryGroupList:
        """List groups of directories."""
        answer: DirectoryGroupList = self.get("/api/directories/groups", {"companyId": companyId, "directoryId": directoryId, "search": search, "after": after, "page": page, "limit": limit})
        return answer

    def renew_directory_key(
        self,
        body: RenewDirectoryKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> NewApiKeyAnswer:
        """Renew the key of a directory."""
        answer: NewApiKeyAnswer = self.post("/api/directories/renew-key", body, idempotency_key=idempotency_key)
        return answer

    def get_own_api_key(
        self,
    ) -> OwnApiKeyAnswer:
        """Get the calling API key."""
        answer: OwnApiKeyAnswer = self.get("/api/api-keys/self", {})
        return answer

    def list_api_keys(
        self,
        *,
        companyId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> ApiKeyList:
        """List API keys."""
        answer: ApiKeyList = self.get("/api/api-keys/list", {"companyId": companyId, "after": after, "page": page, "limit": limit})
        return answer

    def create_api_key(
        self,
        body: CreateApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> NewApiKeyAnswer:
        """Create an API key."""
        answer: NewApiKeyAnswer = self.post("/api/api-keys/create", body, idempotency_key=idempotency_key)
        return answer

    def revoke_api_key(
        self,
        body: RevokeApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> RevokedApiKeyAnswer:
        """Revoke an API key."""
        answer: RevokedApiKeyAnswer = self.post("/api/api-keys/revoke", body, idempotency_key=idempotency_key)
        return answer

    def confirm_api_key(
        self,
        body: ConfirmApiKeyBody,
        *,
        idempotency_key: str | None = None,
    ) -> ApiKeyAnswer:
        """Confirm an API key."""
        answer: ApiKeyAnswer = self.post("/api/api-keys/confirm", body, idempotency_key=idempotency_key)
        return answer

    def record_bookings(
        self,
        body: RecordBookingsBody,
        *,
        idempotency_key: str | None = None,
    ) -> RecordedBookingsAnswer:
        """Record bookings."""
        answer: RecordedBookingsAnswer = self.post("/api/bookings/record", body, idempotency_key=idempotency_key)
        return answer

    def list_bookings(
        self,
        *,
        companyId: str,
        userId: str | None = None,
        departmentId: str | None = None,
        status: BookingStatus | None = None,
        from_: str | None = None,
        to: str | None = None,
        search: str | None = None,
        sort: Literal["createdAt", "-createdAt", "amount", "-amount"] | None = None,
        updatedSince: str | None = None,
        include: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> BookingList:
        """List bookings."""
        answer: BookingList = self.get("/api/bookings/list", {"companyId": companyId, "userId": userId, "departmentId": departmentId, "status": status, "from": from_, "to": to, "search": search, "sort": sort, "updatedSince": updatedSince, "include": include, "after": after, "page": page, "limit": limit})
        return answer

    def get_booking(
        self,
        *,
        id: str,
        include: str | None = None,
    ) -> BookingAnswer:
        """Get a booking."""
        answer: BookingAnswer = self.get("/api/bookings/get", {"id": id, "include": include})
        return answer

    def follow_bookings(
        self,
        *,
        companyId: str,
        after: str,
        limit: int | None = None,
    ) -> BookingFeed:
        """Follow bookings."""
        answer: BookingFeed = self.get("/api/bookings/changes", {"companyId": companyId, "after": after, "limit": limit})
        return answer

    def list_department_spending(
        self,
        *,
        companyId: str,
        from_: str | None = None,
        to: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> DepartmentSpendingList:
        """List department spending."""
        answer: DepartmentSpendingList = self.get("/api/departments/spending", {"companyId": companyId, "from": from_, "to": to, "after": after, "page": page, "limit": limit})
        return answer

    def list_company_spending(
        self,
        *,
        companyId: str,
        from_: str | None = None,
        to: str | None = None,
        by: SpendingGroup | None = None,
        departmentId: str | None = None,
    ) -> CompanySpendingList:
        """List company spending."""
        answer: CompanySpendingList = self.get("/api/companies/spending", {"companyId": companyId, "from": from_, "to": to, "by": by, "departmentId": departmentId})
        return answer

    def list_webhooks(
        self,
        *,
        companyId: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> WebhookList:
        """List webhooks."""
        answer: WebhookList = self.get("/api/webhooks/list", {"companyId": companyId, "after": after, "page": page, "limit": limit})
        return answer

    def get_webhook(
        self,
        *,
        id: str,
    ) -> WebhookAnswer:
        """Get a webhook."""
        answer: WebhookAnswer = self.get("/api/webhooks/get", {"id": id})
        return answer

    def create_webhook(
        self,
        body: CreateWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecretAnswer:
        """Create a webhook."""
        answer: WebhookWithSecretAnswer = self.post("/api/webhooks/create", body, idempotency_key=idempotency_key)
        return answer

    def update_webhook(
        self,
        body: UpdateWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookAnswer:
        """Update a webhook."""
        answer: WebhookAnswer = self.post("/api/webhooks/update", body, idempotency_key=idempotency_key)
        return answer

    def delete_webhook(
        self,
        body: DeleteWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookAnswer:
        """Delete a webhook."""
        answer: WebhookAnswer = self.post("/api/webhooks/delete", body, idempotency_key=idempotency_key)
        return answer

    def rotate_webhook_secret(
        self,
        body: RotateWebhookSecretBody,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecretAnswer:
        """Rotate the secret of a webhook."""
        answer: WebhookWithSecretAnswer = self.post("/api/webhooks/rotate-secret", body, idempotency_key=idempotency_key)
        return answer

    def test_webhook(
        self,
        body: TestWebhookBody,
        *,
        idempotency_key: str | None = None,
    ) -> DeliveryAnswer:
        """Test a webhook."""
        answer: DeliveryAnswer = self.post("/api/webhooks/test", body, idempotency_key=idempotency_key)
        return answer

    def skip_webhook_change(
        self,
        body: SkipWebhookChangeBody,
        *,
        idempotency_key: str | None = None,
    ) -> WebhookAnswer:
        """Skip the change first in line."""
        answer: WebhookAnswer = self.post("/api/webhooks/skip", body, idempotency_key=idempotency_key)
        return answer

    def resend_webhook_changes(
        self,
        body: ResendWebhookChangesBody,
        *,
        idempotency_key: str | None = None,
    ) -> ResentAnswer:
        """Send changes of a webhook again."""
        answer: ResentAnswer = self.post("/api/webhooks/resend", body, idempotency_key=idempotency_key)
        return answer

    def list_webhook_deliveries(
        self,
        *,
        id: str,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> DeliveryList:
        """List the deliveries of a webhook."""
        answer: DeliveryList = self.get("/api/webhooks/deliveries", {"id": id, "after": after, "page": page, "limit": limit})
        return answer

    def list_sign_in_connections(
        self,
        *,
        companyId: str,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> SignInConnectionList:
        """List sign-in connections."""
        answer: SignInConnectionList = self.get("/api/sign-in-connections/list", {"companyId": companyId, "after": after, "page": page, "limit": limit})
        return answer

    def get_sign_in_connection(
        self,
        *,
        id: str,
    ) -> SignInConnectionAnswer:
        """Get sign-in connection."""
        answer: SignInConnectionAnswer = self.get("/api/sign-in-connections/get", {"id": id})
        return answer

    def create_sign_in_connection(
        self,
        body: CreateSignInConnectionBody,
        *,
        idempotency_key: str | None = None,
    ) -> SignInConnectionAnswer:
        """Create sign-in connection."""
        answer: SignInConnectionAnswer = self.post("/api/sign-in-connections/create", body, idempotency_key=idempotency_key)
        return answer

    def update_sign_in_connection(
        self,
        body: UpdateSignInConnectionBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> SignInConnectionAnswer:
        """Update sign-in connection."""
        answer: SignInConnectionAnswer = self.post("/api/sign-in-connections/update", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def delete_sign_in_connection(
        self,
        body: DeleteSignInConnectionBody,
        *,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> SignInConnectionAnswer:
        """Delete sign-in connection."""
        answer: SignInConnectionAnswer = self.post("/api/sign-in-connections/delete", body, if_match=if_match, idempotency_key=idempotency_key)
        return answer

    def test_sign_in_connection(
        self,
        body: TestSignInConnectionBody,
        *,
        idempotency_key: str | None = None,
    ) -> SignInConnectionTestAnswer:
        """Test sign-in connection."""
        answer: SignInConnectionTestAnswer = self.post("/api/sign-in-connections/test", body, idempotency_key=idempotency_key)
        return answer

    def list_sign_in_refusals(
        self,
        *,
        id: str,
    ) -> SignInRefusalList:
        """Refusals of a connection."""
        answer: SignInRefusalList = self.get("/api/sign-in-connections/refusals", {"id": id})
        return answer

    def forget_sign_in_links(
        self,
        body: ForgetSignInLinksBody,
        *,
        idempotency_key: str | None = None,
    ) -> ForgottenLinksAnswer:
        """Forget the links of a connection."""
        answer: ForgottenLinksAnswer = self.post("/api/sign-in-connections/forget-links", body, idempotency_key=idempotency_key)
        return answer

    def list_foreign_addresses(
        self,
        *,
        companyId: str,
    ) -> ForeignAddressesList:
        """List addresses of another company."""
        answer: ForeignAddressesList = self.get("/api/sign-in-connections/foreign-addresses", {"companyId": companyId})
        return answer

    def list_shared_sign_in_connections(
        self,
        *,
        companyId: str,
    ) -> SharedSignInConnectionList:
        """List shared sign-in connections."""
        answer: SharedSignInConnectionList = self.get("/api/sign-in-connections/shared", {"companyId": companyId})
        return answer

    def agree_to_share_sign_in_connection(
        self,
        body: AgreeToShareSignInConnectionBody,
        *,
        idempotency_key: str | None = None,
    ) -> SharedSignInConnectionAnswer:
        """Agree to share a connection."""
        answer: SharedSignInConnectionAnswer = self.post("/api/sign-in-connections/agree-sharing", body, idempotency_key=idempotency_key)
        return answer

    def leave_shared_sign_in_connection(
        self,
        body: LeaveSharedSignInConnectionBody,
        *,
        idempotency_key: str | None = None,
    ) -> SharedSignInConnectionAnswer:
        """Leave a shared connection."""
        answer: SharedSignInConnectionAnswer = self.post("/api/sign-in-connections/leave-sharing", body, idempotency_key=idempotency_key)
        return answer

    def list_audit_trail(
        self,
        *,
        entity: EntityName | None = None,
        entityId: str | None = None,
        userId: str | None = None,
        companyId: str | None = None,
        actorId: str | None = None,
        actorKind: Literal["user", "key", "import", "command"] | None = None,
        action: Literal["added", "changed", "removed", "erased", "refused", "searched"] | None = None,
        requestId: str | None = None,
        group: Literal["request"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        after: str | None = None,
        page: int | None = None,
        limit: int | None = None,
    ) -> AuditItemList:
        """List the audit trail."""
        answer: AuditItemList = self.get("/api/audit/list", {"entity": entity, "entityId": entityId, "userId": userId, "companyId": companyId, "actorId": actorId, "actorKind": actorKind, "action": action, "requestId": requestId, "group": group, "from": from_, "to": to, "after": after, "page": page, "limit": limit})
        return answer

    def list_events(
        self,
        *,
        after: str | None = None,
        from_: Literal["now"] | None = None,
        entity: EntityName | None = None,
        userId: str | None = None,
        companyId: str | None = None,
        wait: int | None = None,
        limit: int | None = None,
    ) -> ChangeFeed:
        """Follow the changes."""
        answer: ChangeFeed = self.get("/api/events/list", {"after": after, "from": from_, "entity": entity, "userId": userId, "companyId": companyId, "wait": wait, "limit": limit})
        return answer

    def get_liveness(
        self,
    ) -> LivenessAnswer:
        """Liveness probe."""
        answer: LivenessAnswer = self.get("/livez", {})
        return answer

    def get_readiness(
        self,
    ) -> ReadinessAnswer:
        """Readiness probe."""
        answer: ReadinessAnswer = self.get("/readyz", {})
        return answer

    def get_console_config(
        self,
        *,
        domain: str | None = None,
    ) -> ConsoleConfigAnswer:
        """Get the console's configuration."""
        answer: ConsoleConfigAnswer = self.get("/console/config", {"domain": domain})
        return answer
