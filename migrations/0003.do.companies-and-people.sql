-- Companies, what they are divided into, their people and who may do what.

-- An amount of money that cannot be negative, NaN or infinite (numeric takes both words).
create domain money_amount as numeric(15, 2)
  check (value >= 0 and value <= 9999999999999.99);

create table companies (
  id           uuid         primary key,
  name         display_name not null,
  legal_name   display_name not null,
  gstin        text         not null check (gstin ~ '^[0-9A-Za-z-]{1,30}$'),
  email        text         not null check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  credit_limit money_amount not null,
  credit_days  integer      not null check (credit_days >= 0),
  active       boolean      not null default true,
  created_at   timestamptz  not null default now(),
  updated_at   timestamptz  not null default now(),

  name_folded  text generated always as (fold(name)) stored,
  -- What the companies list searches. A folded text has no line feed, so no match runs across two fields.
  search_text  text generated always as
    (fold(name) || chr(10) || fold(legal_name) || chr(10) || fold(gstin) || chr(10) || fold(email)) stored
);

comment on table  companies              is 'Companies registered on the platform; the operator of the platform is one of them';
comment on column companies.gstin        is 'Tax registration number (GSTIN in India), unique whatever its case';
comment on column companies.email        is 'Contact address: searched, never returned';
comment on column companies.credit_days  is 'Days within which an invoice is to be paid';

create unique index companies_gstin on companies (lower(gstin collate "C"));
create index companies_order on companies (name_folded collate "C", id);

create table departments (
  id          uuid         primary key,
  company_id  uuid         not null references companies,
  name        display_name not null,
  cost_code   text         not null check (cost_code <> '' and cost_code = btrim(cost_code)
                                           and char_length(cost_code) <= 50 and cost_code !~ '[\u0000-\u001f\u007f]'),
  budget      money_amount not null,

  name_folded text generated always as (fold(name)) stored,
  search_text text generated always as (fold(name) || chr(10) || fold(cost_code)) stored,
  -- The target of the users' key: a user's department is one of the user's company.
  unique (company_id, id)
);

comment on table  departments           is 'Departments of a company';
comment on column departments.cost_code is 'Cost centre code in the company''s books';

create index departments_order on departments (company_id, name_folded collate "C", id);

create table employee_bands (
  id                  uuid         primary key,
  company_id          uuid         not null references companies,
  name                display_name not null,
  code                text         not null check (code <> '' and code = btrim(code)
                                                   and char_length(code) <= 50 and code !~ '[\u0000-\u001f\u007f]'),
  auto_approval_limit money_amount not null,
  max_booking_limit   money_amount,
  -- The target of the users' key: a user's band is one of the user's company.
  unique (company_id, id)
);

comment on table  employee_bands                     is 'Grades of employees in a company: "band" on the wire';
comment on column employee_bands.auto_approval_limit is 'Bookings up to this amount need no approval';
comment on column employee_bands.max_booking_limit   is 'No booking above this amount; null where there is no such limit';

create table users (
  id             uuid         primary key,
  email          text         not null check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  first_name     text         not null check (char_length(first_name) between 1 and 100),
  last_name      text         not null check (char_length(last_name) between 1 and 100),
  phone          text         not null check (phone <> ''),
  client_type    text         not null check (client_type in ('CORPORATE', 'AGENCY', 'DIRECT')),
  company_id     uuid         not null references companies,
  department_id  uuid         not null,
  band_id        uuid         not null,
  approval_limit money_amount not null,
  date_of_birth  date         not null,
  gender         text         not null check (char_length(gender) between 1 and 50),
  address_line_1 text         not null check (char_length(address_line_1) between 1 and 255),
  address_line_2 text         check (char_length(address_line_2) between 1 and 255),
  pincode        text         not null check (char_length(pincode) between 3 and 12),
  loyalty_points integer      not null default 0,
  active         boolean      not null default true,
  created_at     timestamptz  not null default now(),
  updated_at     timestamptz  not null default now(),

  -- Deferrable, so that a department or band can move to another company together with its users.
  foreign key (company_id, department_id) references departments (company_id, id) deferrable,
  foreign key (company_id, band_id) references employee_bands (company_id, id) deferrable
);

comment on table  users                is 'People: employees of companies and the staff of the platform';
comment on column users.approval_limit is 'The largest amount this person may approve';
comment on column users.date_of_birth  is 'A calendar date: no time zone moves it';

create unique index users_email on users (lower(email collate "C"));
create index users_company on users (company_id);
create index users_department on users (department_id);
create index users_band on users (band_id);

create table company_roles (
  id         text primary key default gen_random_uuid()::text check (char_length(id) between 1 and 100),
  user_id    uuid not null references users,
  company_id uuid not null references companies,
  role       text not null check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE')),
  -- Deferrable: checked at the end of a statement, so that rows can swap theirs.
  unique (user_id, company_id, role) deferrable
);

comment on table company_roles is 'Roles that people hold in a company, their own or another';

create index company_roles_company on company_roles (company_id);

create table system_roles (
  user_id uuid    primary key references users,
  role    text    not null check (role in ('SUPER_ADMIN', 'PLATFORM_RM')),
  active  boolean not null default true
);

comment on table  system_roles        is 'Platform-wide roles, one a person at the most: "systemRoleMap" on the wire';
comment on column system_roles.active is 'A role that is not active is shown and grants nothing';
