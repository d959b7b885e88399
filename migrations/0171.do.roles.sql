-- Gives companies roles of their own, which approval policies and group mappings name.
-- Scans: approval_policy_levels.

create table own_roles (
  id          uuid         primary key,
  company_id  uuid         not null references companies,
  key         text         not null check (key ~ '^[A-Z][A-Z0-9_]{0,39}$'),
  name        display_name not null,
  rules       text         check (rules ~ '^(staff|people|corporate|corporateAdmin|audit)( (staff|people|corporate|corporateAdmin|audit))*$'),
  active      boolean      not null,
  name_folded text generated always as (fold(name)) stored,
  created_at  timestamptz  not null default now(),
  updated_at  timestamptz  not null default now(),

  constraint own_roles_key unique (company_id, key) deferrable,
  constraint own_roles_of_company unique (company_id, id)
);

alter table own_roles alter column name_folded set storage main;

comment on table  own_roles is 'Roles of a company''s own';
comment on column own_roles.key        is 'Its name for programs';
comment on column own_roles.rules      is 'What it opens, separated by spaces; null: it approves alone';
comment on column own_roles.active     is 'Whether it opens anything';
comment on column own_roles.updated_at is 'When the row was changed last';

create index own_roles_order on own_roles (company_id, name_folded collate "C", id);

create table role_grants (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null,
  company_id uuid not null references companies,
  role_id    uuid not null,
  origin     text not null default 'hand' check (origin in ('hand', 'groups')),

  constraint role_grants_holder unique (user_id, company_id, role_id) deferrable,
  constraint role_grants_user foreign key (company_id, user_id) references users (company_id, id) deferrable,
  constraint role_grants_role foreign key (company_id, role_id) references own_roles (company_id, id) deferrable
);

comment on table  role_grants        is 'Who holds a role of the company''s own: people of that company alone';
comment on column role_grants.origin is 'Who gave the role: an administrator or an import, or groups alone';

create index role_grants_role on role_grants (role_id, user_id);

alter table approval_policy_levels add column role_id uuid references own_roles deferrable;
alter table approval_policy_levels drop constraint approval_policy_levels_role_required_check;
alter table approval_policy_levels add constraint approval_policy_levels_role_required_check
  check (role_required in ('SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE', 'LINE_MANAGER',
                           'SECOND_LINE_MANAGER', 'DEPARTMENT_HEAD', 'MANAGEMENT_CHAIN', 'COST_CENTER_OWNER', 'USERS', 'GROUP', 'ROLE'));

comment on column approval_policy_levels.role_id is 'Of ROLE: the role of the company''s own whose holders approve';

create index approval_policy_levels_role on approval_policy_levels (role_id) where role_id is not null;

alter table group_mappings add column role_id uuid references own_roles deferrable;

comment on column group_mappings.role_id is 'A role of the company''s own that the members get';

create index group_mappings_own_role on group_mappings (role_id) where role_id is not null;
