-- Rewrites people, departments, bands and companies with the codes by which they are compared, and builds their indexes anew.
-- Scans: users, users, users, users, users, users, users, users, users, users, users, users, departments, employee_bands, companies.

-- People may take addresses and numbers from each other in one statement, and companies, departments and bands their codes: uniqueness
-- is checked at the end of it. Only a constraint can wait, and only columns can have one: codes without regard to case become columns.

alter table users
  add column email_key text generated always as (lower_letters(email)) stored,
  add column employee_number_key text generated always as (lower_letters(employee_number)) stored;
alter table companies add column gstin_key text generated always as (lower_letters(gstin)) stored;
alter table employee_bands add column code_key text generated always as (lower_letters(code)) stored;
alter table departments add column cost_code_key text generated always as (lower_letters(cost_code)) stored;

comment on column users.email_key is 'The e-mail address as it is compared';
comment on column users.employee_number_key is 'The employee number as it is compared';
comment on column companies.gstin_key is 'The GSTIN as it is compared';
comment on column employee_bands.code_key is 'The code as it is compared';
comment on column departments.cost_code_key is 'The cost code as it is compared';

drop index users_email, users_employee_number, users_external_id, companies_gstin, employee_bands_code, departments_cost_code;
alter table users
  add constraint users_email unique (email_key) deferrable,
  add constraint users_employee_number unique (company_id, employee_number_key) deferrable,
  add constraint users_external_id unique (company_id, external_id) deferrable;
alter table companies add constraint companies_gstin unique (gstin_key) deferrable;
alter table employee_bands add constraint employee_bands_code unique (company_id, code_key) deferrable;
alter table departments add constraint departments_cost_code unique (company_id, cost_code_key) deferrable;

create index users_email_of_before on users (lower_letters(email));
comment on index users_email_of_before is 'Sign-ins at instances of the release before, while these still run';
