-- Gives approval policies people, groups, lines of managers and owners of cost centres as approvers, and a wider scope.
-- Scans: approval_policies, approval_policy_levels, approval_policy_levels.

alter table approval_policies
  add column cost_centers      text check (cost_centers <> ''),
  add column job_titles        text check (job_titles <> ''),
  add column country_codes     text check (country_codes <> ''),
  add column worker_types      text check (worker_types <> ''),
  add column user_ids          text check (user_ids <> ''),
  add column applies_from      date,
  add column applies_until     date,
  add column default_user_ids  text check (default_user_ids <> ''),
  add column default_group_id  uuid references directory_groups on delete set null deferrable,
  add column is_distinct       boolean not null default false,
  add column limit_rule        text    not null default 'SMALLER' check (limit_rule in ('SMALLER', 'POLICY')),
  add column exclude_reports   boolean not null default false,
  add column reapprove_percent money_amount,
  add column reapprove_amount  money_amount;

comment on column approval_policies.cost_centers      is 'Cost centres to whose people it applies, as a JSON list; null: all';
comment on column approval_policies.job_titles        is 'Job titles of the people to whom it applies, as a JSON list; null: all';
comment on column approval_policies.country_codes     is 'Countries to whose people it applies, as a JSON list; null: all';
comment on column approval_policies.worker_types      is 'Kinds of people to whom it applies, as a JSON list; null: all';
comment on column approval_policies.user_ids          is 'People to whom it applies, separated by spaces; null: all';
comment on column approval_policies.applies_from      is 'First day; null: since ever';
comment on column approval_policies.applies_until     is 'Last day; null: for ever';
comment on column approval_policies.default_user_ids  is 'Who is asked where a step would have nobody, separated by spaces';
comment on column approval_policies.default_group_id  is 'The group that is asked where a step would have nobody';
comment on column approval_policies.is_distinct       is 'Whether each signature is of another person';
comment on column approval_policies.limit_rule        is 'SMALLER: the limits of the band count too; POLICY: they do not';
comment on column approval_policies.exclude_reports   is 'Whether nobody approves who is below the person who books';
comment on column approval_policies.reapprove_percent is 'How much more than was approved needs no new approval, in percent';
comment on column approval_policies.reapprove_amount  is 'How much more than was approved needs no new approval';

create index approval_policies_default_group on approval_policies (default_group_id) where default_group_id is not null;

-- The release before inserts levels without these columns.
alter table approval_policy_levels
  add column part          integer not null default 1 check (part >= 1),
  add column max_amount    money_amount,
  add column min_approvers integer not null default 1 check (min_approvers >= 1),
  add column mode          text    not null default 'ANY' check (mode in ('ANY', 'ALL')),
  add column user_ids      text    check (user_ids <> ''),
  add column group_id      uuid    references directory_groups on delete set null deferrable;

alter table approval_policy_levels drop constraint approval_policy_levels_role_required_check;
alter table approval_policy_levels add constraint approval_policy_levels_role_required_check check (role_required in
  ('SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE', 'LINE_MANAGER', 'SECOND_LINE_MANAGER',
   'DEPARTMENT_HEAD', 'MANAGEMENT_CHAIN', 'COST_CENTER_OWNER', 'USERS', 'GROUP'));

-- The same name: the release before defers it.
alter table approval_policy_levels drop constraint approval_policy_levels_policy_id_level_key;
alter table approval_policy_levels add constraint approval_policy_levels_policy_id_level_key unique (policy_id, level, part) deferrable;

comment on column approval_policy_levels.part          is 'From 1: several levels of one number are parallel';
comment on column approval_policy_levels.max_amount    is 'Up to this amount the level has to approve; null: up to any';
comment on column approval_policy_levels.min_approvers is 'How many different people have to approve';
comment on column approval_policy_levels.mode          is 'ANY: min_approvers of its people approve; ALL: all of them';
comment on column approval_policy_levels.user_ids      is 'Of USERS: the people who approve, separated by spaces';
comment on column approval_policy_levels.group_id      is 'Of GROUP: the group whose members approve; null once a directory has removed it';

create index approval_policy_levels_group on approval_policy_levels (group_id) where group_id is not null;

create table approval_policy_people (
  policy_id text    not null references approval_policies on delete cascade,
  user_id   uuid    not null references users,
  place     integer not null,
  primary key (policy_id, user_id)
);
create table approval_policy_defaults (
  policy_id text    not null references approval_policies on delete cascade,
  user_id   uuid    not null references users,
  place     integer not null,
  primary key (policy_id, user_id)
);
create table approval_policy_level_people (
  level_id text    not null references approval_policy_levels on delete cascade,
  user_id  uuid    not null references users,
  place    integer not null,
  primary key (level_id, user_id)
);

comment on table approval_policy_people       is 'approval_policies.user_ids, one a row. Written by triggers alone';
comment on table approval_policy_defaults     is 'approval_policies.default_user_ids, one a row. Written by triggers alone';
comment on table approval_policy_level_people is 'approval_policy_levels.user_ids, one a row. Written by triggers alone';

create index approval_policy_people_user on approval_policy_people (user_id);
create index approval_policy_defaults_user on approval_policy_defaults (user_id);
create index approval_policy_level_people_user on approval_policy_level_people (user_id);

create trigger approval_policies_people after insert on approval_policies
  for each row when (new.user_ids is not null)
  execute function keep_list('user_ids', 'approval_policy_people', 'policy_id', 'uuid');
create trigger approval_policies_people_changed after update of user_ids on approval_policies
  for each row when (old.user_ids is distinct from new.user_ids)
  execute function keep_list('user_ids', 'approval_policy_people', 'policy_id', 'uuid');
create trigger approval_policies_defaults after insert on approval_policies
  for each row when (new.default_user_ids is not null)
  execute function keep_list('default_user_ids', 'approval_policy_defaults', 'policy_id', 'uuid');
create trigger approval_policies_defaults_changed after update of default_user_ids on approval_policies
  for each row when (old.default_user_ids is distinct from new.default_user_ids)
  execute function keep_list('default_user_ids', 'approval_policy_defaults', 'policy_id', 'uuid');
create trigger approval_policy_levels_people after insert on approval_policy_levels
  for each row when (new.user_ids is not null)
  execute function keep_list('user_ids', 'approval_policy_level_people', 'level_id', 'uuid');
create trigger approval_policy_levels_people_changed after update of user_ids on approval_policy_levels
  for each row when (old.user_ids is distinct from new.user_ids)
  execute function keep_list('user_ids', 'approval_policy_level_people', 'level_id', 'uuid');

create trigger approval_policy_people_written before insert on approval_policy_people
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger approval_policy_defaults_written before insert on approval_policy_defaults
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger approval_policy_level_people_written before insert on approval_policy_level_people
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();

create table cost_centers (
  id          uuid         primary key,
  company_id  uuid         not null references companies,
  name        display_name not null,
  code        text         not null check (char_length(code) between 1 and 100),
  owner_id    uuid,
  name_folded text generated always as (fold(name)) stored,
  search_text text generated always as (fold(name) || chr(10) || fold(code)) stored,
  code_key    text generated always as (lower_letters(code)) stored,
  updated_at  timestamptz  not null default now(),

  constraint cost_centers_code unique (company_id, code_key) deferrable,
  constraint cost_centers_owner foreign key (company_id, owner_id) references users (company_id, id) deferrable
);

alter table cost_centers alter column name_folded set storage main;

comment on table  cost_centers            is 'Cost centres that have an owner: users.cost_center is the code of one';
comment on column cost_centers.code_key   is 'The code as it is compared';
comment on column cost_centers.updated_at is 'When the row was changed last';

create index cost_centers_order on cost_centers (company_id, name_folded collate "C", id);
create index cost_centers_owner on cost_centers (owner_id) where owner_id is not null;

create table seen_facts (
  company_id uuid not null references companies on delete cascade,
  name       text not null,
  example    text not null,
  primary key (company_id, name)
);

comment on table seen_facts is 'Facts that evaluations of a company have named, each with a value, as JSON: the console offers them';
