-- Makes people.

create table users (
  id               uuid         primary key,
  email            text         not null check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  first_name       text         not null check (char_length(first_name) between 1 and 100),
  last_name        text         not null check (char_length(last_name) <= 100),
  phone            text         check (phone <> ''),
  client_type      text         not null check (client_type in ('CORPORATE', 'AGENCY', 'DIRECT')),
  company_id       uuid         not null references companies,
  department_id    uuid         not null,
  band_id          uuid         not null,
  approval_limit   money_amount not null,
  date_of_birth    date,
  gender           text         check (char_length(gender) between 1 and 50),
  address_line_1   text         check (char_length(address_line_1) between 1 and 255),
  address_line_2   text         check (char_length(address_line_2) between 1 and 255),
  pincode          text         check (char_length(pincode) between 3 and 12),
  loyalty_points   integer      not null default 0,
  active           boolean      not null default true,
  created_at       timestamptz  not null default now(),
  updated_at       timestamptz  not null default now(),
  name_folded      text generated always as (fold(first_name || ' ' || last_name)) stored,
  search_text      text generated always as (fold(first_name || ' ' || last_name) || chr(10) || fold(email)) stored,
  external_id      text         check (char_length(external_id) between 1 and 500),
  employee_number  text         check (char_length(employee_number) between 1 and 50),
  job_title        text         check (char_length(job_title) between 1 and 200),
  cost_center      text         check (char_length(cost_center) between 1 and 100),
  manager_id       uuid,
  start_date       date,
  end_date         date,
  substitute_id    uuid,
  substitute_from  date,
  substitute_until date,

  -- The target of the keys of managers, substitutes and heads: they are people of the same company.
  constraint users_of_company unique (company_id, id),
  -- Deferrable, so that a department or band can move to another company together with its people, and people together.
  foreign key (company_id, department_id) references departments (company_id, id) deferrable,
  foreign key (company_id, band_id) references employee_bands (company_id, id) deferrable,
  constraint users_manager foreign key (company_id, manager_id) references users (company_id, id) deferrable,
  constraint users_substitute foreign key (company_id, substitute_id) references users (company_id, id) deferrable
);

alter table users alter column name_folded set storage main;

comment on table  users                 is 'People: employees of companies and the staff of the platform';
comment on column users.approval_limit  is 'The largest amount this person may approve';
comment on column users.date_of_birth   is 'A calendar date: no time zone moves it';
comment on column users.external_id     is 'The id that the company''s directory or HR system has for the person';
comment on column users.employee_number is 'Unique in the company, whatever the case of letters';
comment on column users.manager_id      is 'The line manager; managers never form a circle';
comment on column users.start_date      is 'The first day (UTC) on which the person works; null where there is no such limit';
comment on column users.end_date        is 'The last day (UTC) on which the person works; null where there is no such limit';
comment on column users.substitute_id   is 'Who decides for the person from substitute_from to substitute_until';

create unique index users_email on users (lower_letters(email));
create unique index users_employee_number on users (company_id, lower_letters(employee_number)) where employee_number is not null;
create unique index users_external_id on users (company_id, external_id) where external_id is not null;

-- Pages of a company's people come in order from an index, and so do those of a department, a band and a manager. What people are
-- searched in and narrowed by stands in it too: the rows themselves are scattered over the whole table.
create index users_order on users (company_id, name_folded collate "C", id) include (search_text, active);
create index users_department on users (department_id, name_folded collate "C", id) include (company_id);
create index users_band on users (band_id, name_folded collate "C", id) include (company_id);
create index users_manager on users (manager_id, name_folded collate "C", id) where manager_id is not null;
create index users_approval_limit on users (company_id, approval_limit, id);
create index users_updated on users (company_id, updated_at, id);
create index users_substitute on users (substitute_id) where substitute_id is not null;

alter table departments
  add constraint departments_head foreign key (company_id, head_id) references users (company_id, id) deferrable;

create table unfinished_imports (
  user_id    uuid   primary key,
  company_id uuid   not null,
  before     jsonb,
  roles      text[] not null
);

comment on table  unfinished_imports            is 'What people were before an import that is being written in pieces; empty once all pieces are written. Embedded database only';
comment on column unfinished_imports.user_id    is 'Somebody whom the import added or changed';
comment on column unfinished_imports.company_id is 'Company of the import';
comment on column unfinished_imports.before     is 'Row of users before; null: the import added it';
comment on column unfinished_imports.roles      is 'Roles held in the company before';
