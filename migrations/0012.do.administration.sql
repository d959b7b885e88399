-- People are made with less, companies have defaults, lists of people and bands have an order, and the trail tells all values.

-- Null until the person, or whoever looks after them, gives it.
alter table users
  alter column phone drop not null,
  alter column date_of_birth drop not null,
  alter column gender drop not null,
  alter column address_line_1 drop not null,
  alter column pincode drop not null,
  add column name_folded text generated always as (fold(first_name || ' ' || last_name)) stored,
  add column search_text text generated always as (fold(first_name || ' ' || last_name) || chr(10) || fold(email)) stored;

-- Pages of a company's people, and of those of a department or band, come in order from an index.
create index users_order on users (company_id, name_folded collate "C", id);
drop index users_company;
drop index users_department;
create index users_department on users (department_id, name_folded collate "C", id);
drop index users_band;
create index users_band on users (band_id, name_folded collate "C", id);

-- Those who hold a role in a company: who has to approve, and who is its last administrator.
drop index company_roles_company;
create index company_roles_company on company_roles (company_id, role, user_id);

alter table employee_bands
  add column name_folded text generated always as (fold(name)) stored,
  add column search_text text generated always as (fold(name) || chr(10) || fold(code)) stored;

create index employee_bands_order on employee_bands (company_id, name_folded collate "C", id);

-- Deferrable: a company is made before its first department and band.
alter table companies
  add column default_department_id uuid,
  add column default_band_id uuid,
  add constraint companies_default_department foreign key (id, default_department_id) references departments (company_id, id) deferrable,
  add constraint companies_default_band foreign key (id, default_band_id) references employee_bands (company_id, id) deferrable;

comment on column companies.default_department_id is 'The department of people who are added without one';
comment on column companies.default_band_id       is 'The band of people who are added without one';
comment on column companies.email                 is 'Contact address: searched, and shown to those who run the company';

alter table audit_changes
  drop constraint audit_changes_check1,
  -- Not looked at again: what is there holds to the narrower one of before, and never changes.
  add constraint audit_changes_fields check (action <> 'changed' or fields <> '{}') not valid;

comment on column audit_changes.fields       is 'The fields that changed, as the API calls them; of what was added or removed those that have a value';
comment on column audit_changes.field_values is 'Field -> [before, after], of the fields that are not personal; what was added has null before, what was removed null after';
