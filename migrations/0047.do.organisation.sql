-- Makes companies, departments and bands.

create table companies (
  id                    uuid         primary key,
  name                  display_name not null,
  legal_name            display_name not null,
  gstin                 text         not null check (gstin ~ '^[0-9A-Za-z-]{1,30}$'),
  email                 text         not null check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  credit_limit          money_amount not null,
  credit_days           integer      not null check (credit_days >= 0),
  active                boolean      not null default true,
  created_at            timestamptz  not null default now(),
  updated_at            timestamptz  not null default now(),
  name_folded           text generated always as (fold(name)) stored,
  -- A folded text has no line feed, so no match runs across two fields.
  search_text           text generated always as
    (fold(name) || chr(10) || fold(legal_name) || chr(10) || fold(gstin) || chr(10) || fold(email)) stored,
  default_department_id uuid,
  default_band_id       uuid,
  currency              text         constraint companies_currency check (currency ~ '^[A-Z]{3}$'),
  budget_period         text         not null default 'YEAR'
    constraint companies_budget_period check (budget_period in ('MONTH', 'QUARTER', 'YEAR')),
  fiscal_year_start     integer      not null default 1
    constraint companies_fiscal_year_start check (fiscal_year_start between 1 and 12)
);

-- Outside of its row, what lists are ordered by would be fetched again for each comparison of a sort.
alter table companies alter column name_folded set storage main;

comment on table  companies                       is 'Companies registered on the platform; the operator of the platform is one of them';
comment on column companies.gstin                 is 'Tax registration number (GSTIN in India), unique whatever its case';
comment on column companies.email                 is 'Contact address: searched, and shown to those who run the company';
comment on column companies.credit_days           is 'Days within which an invoice is to be paid';
comment on column companies.default_department_id is 'The department of people who are added without one';
comment on column companies.default_band_id       is 'The band of people who are added without one';
comment on column companies.currency              is 'ISO 4217; null: the one that the setting DEFAULT_CURRENCY names';
comment on column companies.budget_period         is 'The period that the budgets of its departments are for';
comment on column companies.fiscal_year_start     is 'The month in which its financial year begins';

create unique index companies_gstin on companies (lower_letters(gstin));
create index companies_order on companies (name_folded collate "C", id);
create index companies_active_order on companies (name_folded collate "C", id) where active;
-- Counts come from here: equal keys share their entries, so that it has a tenth of the pages of another index.
create index companies_active on companies (active);
create index companies_search on companies using gin ((text_runs(search_text, 1, 3)) collate "C");
-- Searches hide from the planner which runs they ask for: statistics of them would cost time and serve nothing.
alter index companies_search alter column 1 set statistics 0;

create table departments (
  id          uuid         primary key,
  company_id  uuid         not null references companies,
  name        display_name not null,
  cost_code   text         not null check (cost_code <> '' and cost_code = btrim(cost_code)
                                           and char_length(cost_code) <= 50 and cost_code !~ '[\u0000-\u001f\u007f]'),
  budget      money_amount not null,
  name_folded text generated always as (fold(name)) stored,
  search_text text generated always as (fold(name) || chr(10) || fold(cost_code)) stored,
  parent_id   uuid,
  head_id     uuid,
  updated_at  timestamptz  not null default now(),

  -- The target of the keys of people and parents: they are of the same company.
  unique (company_id, id),
  constraint departments_parent foreign key (company_id, parent_id) references departments (company_id, id) deferrable
);

alter table departments alter column name_folded set storage main;

comment on table  departments            is 'Departments of a company';
comment on column departments.cost_code  is 'Cost centre code in the company''s books';
comment on column departments.parent_id  is 'The department above; null at the top. Parents never form a circle';
comment on column departments.head_id    is 'The person who heads the department';
comment on column departments.updated_at is 'Of rows from before this column: when it was added';

create unique index departments_cost_code on departments (company_id, lower_letters(cost_code));
create index departments_order on departments (company_id, name_folded collate "C", id);
create index departments_parent on departments (parent_id) where parent_id is not null;
create index departments_head on departments (head_id) where head_id is not null;

create table employee_bands (
  id                  uuid         primary key,
  company_id          uuid         not null references companies,
  name                display_name not null,
  code                text         not null check (code <> '' and code = btrim(code)
                                                   and char_length(code) <= 50 and code !~ '[\u0000-\u001f\u007f]'),
  auto_approval_limit money_amount not null,
  max_booking_limit   money_amount,
  name_folded         text generated always as (fold(name)) stored,
  search_text         text generated always as (fold(name) || chr(10) || fold(code)) stored,
  updated_at          timestamptz  not null default now(),

  -- The target of the keys of people: a person's band is one of the person's company.
  unique (company_id, id)
);

alter table employee_bands alter column name_folded set storage main;

comment on table  employee_bands                     is 'Grades of employees in a company: "band" on the wire';
comment on column employee_bands.auto_approval_limit is 'Bookings up to this amount need no approval';
comment on column employee_bands.max_booking_limit   is 'No booking above this amount; null where there is no such limit';
comment on column employee_bands.updated_at          is 'Of rows from before this column: when it was added';

create unique index employee_bands_code on employee_bands (company_id, lower_letters(code));
create index employee_bands_order on employee_bands (company_id, name_folded collate "C", id);

-- Deferrable: a company is made before its first department and band.
alter table companies
  add constraint companies_default_department foreign key (id, default_department_id) references departments (company_id, id) deferrable,
  add constraint companies_default_band foreign key (id, default_band_id) references employee_bands (company_id, id) deferrable;
