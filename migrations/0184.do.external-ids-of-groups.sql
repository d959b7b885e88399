-- Gives groups of companies the ids that other systems have for them.
-- Scans: company_groups.

alter table company_groups
  add column external_key text,
  add constraint company_groups_external_id unique (company_id, external_key) deferrable;

comment on column company_groups.external_key is 'The id that another system has for it, unique in the company';
