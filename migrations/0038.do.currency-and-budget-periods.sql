-- What a company's amounts and budgets stand for.

alter table companies
  add column currency          text,
  add column budget_period     text    not null default 'YEAR',
  add column fiscal_year_start integer not null default 1;
-- Not valid: companies that are there have the defaults.
alter table companies
  add constraint companies_currency check (currency ~ '^[A-Z]{3}$') not valid,
  add constraint companies_budget_period check (budget_period in ('MONTH', 'QUARTER', 'YEAR')) not valid,
  add constraint companies_fiscal_year_start check (fiscal_year_start between 1 and 12) not valid;

comment on column companies.currency          is 'ISO 4217; null: the one that the setting DEFAULT_CURRENCY names';
comment on column companies.budget_period     is 'The period that the budgets of its departments are for';
comment on column companies.fiscal_year_start is 'The month in which its financial year begins';
