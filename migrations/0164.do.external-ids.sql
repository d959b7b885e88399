-- Gives companies, departments, bands, approval policies and cost centres the ids that other systems have for them.
-- Scans: companies, departments, employee_bands, approval_policies, cost_centers.

-- Not external_id: statements of 0.3.0 name that of directory_groups beside companies.
alter table companies
  add column external_key text,
  add constraint companies_external_id unique (external_key) deferrable;
alter table departments
  add column external_key text,
  add constraint departments_external_id unique (company_id, external_key) deferrable;
alter table employee_bands
  add column external_key text,
  add constraint employee_bands_external_id unique (company_id, external_key) deferrable;
alter table approval_policies
  add column external_key text,
  add constraint approval_policies_external_id unique (company_id, external_key) deferrable;
alter table cost_centers
  add column external_key text,
  add constraint cost_centers_external_id unique (company_id, external_key) deferrable;

comment on column companies.external_key         is 'The id that another system has for it, unique on the platform';
comment on column departments.external_key       is 'The id that another system has for it, unique in the company';
comment on column employee_bands.external_key    is 'The id that another system has for it, unique in the company';
comment on column approval_policies.external_key is 'The id that another system has for it, unique in the company';
comment on column cost_centers.external_key      is 'The id that another system has for it, unique in the company';
