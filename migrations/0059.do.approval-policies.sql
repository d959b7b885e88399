-- Makes approval policies with their levels.

create table approval_policies (
  id                  text         primary key check (char_length(id) between 1 and 100),
  company_id          uuid         not null references companies,
  name                display_name not null,
  auto_approval_limit money_amount not null,
  name_folded         text generated always as (fold(name)) stored,
  department_ids      text         check (department_ids <> ''),
  band_ids            text         check (band_ids <> ''),
  conditions          text         check (conditions <> ''),
  priority            integer      not null default 100 check (priority >= 0),
  active              boolean      not null default true,
  updated_at          timestamptz  not null default now()
);

alter table approval_policies alter column name_folded set storage main;

comment on table  approval_policies                     is 'Approval policies of a company';
comment on column approval_policies.auto_approval_limit is 'Amounts up to this one are approved by themselves';
comment on column approval_policies.department_ids      is 'Departments to whose people it applies, and those below them, separated by spaces; null: all';
comment on column approval_policies.band_ids            is 'Bands to whose people it applies, separated by spaces; null: all';
comment on column approval_policies.conditions          is 'Facts under which it applies, as JSON: name -> a boolean, or texts of which one holds';
comment on column approval_policies.priority            is 'Of several that apply the one with the lowest number decides';
comment on column approval_policies.updated_at          is 'Moves with the levels, too. Of rows from before this column: when it was added';

create index approval_policies_order on approval_policies (company_id, name_folded collate "C", id collate "C");

create table approval_policy_levels (
  id            text         primary key default gen_random_uuid()::text check (char_length(id) between 1 and 100),
  policy_id     text         not null references approval_policies,
  level         integer      not null check (level >= 1),
  role_required text         not null check (role_required in
                                ('SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE',
                                 'LINE_MANAGER', 'SECOND_LINE_MANAGER', 'DEPARTMENT_HEAD')),
  min_amount    money_amount not null,

  -- Deferrable: checked at the end of a statement, so that levels can be reordered.
  unique (policy_id, level) deferrable
);

comment on table  approval_policy_levels            is 'The steps of an approval policy, by ascending level';
comment on column approval_policy_levels.min_amount is 'From this amount on the level has to approve';
