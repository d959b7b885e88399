-- Who has to approve what, from which amount on.

create table approval_policies (
  id                  text         primary key check (char_length(id) between 1 and 100),
  company_id          uuid         not null references companies,
  name                display_name not null,
  auto_approval_limit money_amount not null,

  name_folded         text generated always as (fold(name)) stored
);

comment on table  approval_policies                     is 'Approval policies of a company';
comment on column approval_policies.auto_approval_limit is 'Amounts up to this one are approved by themselves';

create index approval_policies_order on approval_policies (company_id, name_folded collate "C", id collate "C");

create table approval_policy_levels (
  id            text         primary key default gen_random_uuid()::text check (char_length(id) between 1 and 100),
  policy_id     text         not null references approval_policies,
  level         integer      not null check (level >= 1),
  role_required text         not null check (role_required in
                                ('SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE')),
  min_amount    money_amount not null,
  -- Deferrable: checked at the end of a statement, so that levels can be reordered.
  unique (policy_id, level) deferrable
);

comment on table  approval_policy_levels            is 'The steps of an approval policy, by ascending level';
comment on column approval_policy_levels.min_amount is 'From this amount on the level has to approve';
