-- Gives companies groups of people of their own, which approval policies name beside those of directories.
-- Scans: nothing.

create table company_groups (
  id          uuid         primary key,
  company_id  uuid         not null references companies,
  name        display_name not null,
  user_ids    text         check (user_ids <> ''),
  name_folded text generated always as (fold(name)) stored,
  name_key    text generated always as (lower_letters(name)) stored,
  created_at  timestamptz  not null default now(),
  updated_at  timestamptz  not null default now(),

  constraint company_groups_name unique (company_id, name_key) deferrable
);

alter table company_groups alter column name_folded set storage main;

comment on table  company_groups            is 'Groups of people that a company has beside those of its directories';
comment on column company_groups.user_ids   is 'Its people, separated by spaces';
comment on column company_groups.name_key   is 'The name as it is compared';
comment on column company_groups.updated_at is 'When the row was changed last';

create index company_groups_order on company_groups (company_id, name_folded collate "C", id);

create table company_group_members (
  group_id uuid    not null references company_groups on delete cascade deferrable,
  user_id  uuid    not null references users deferrable,
  place    integer not null,
  primary key (group_id, user_id)
);

comment on table company_group_members is 'company_groups.user_ids, one a row. Written by triggers alone';

create index company_group_members_user on company_group_members (user_id);

create trigger company_groups_members after insert on company_groups
  for each row when (new.user_ids is not null)
  execute function keep_list('user_ids', 'company_group_members', 'group_id', 'uuid');
create trigger company_groups_members_changed after update of user_ids on company_groups
  for each row when (old.user_ids is distinct from new.user_ids)
  execute function keep_list('user_ids', 'company_group_members', 'group_id', 'uuid');
create trigger company_group_members_written before insert on company_group_members
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- In the place of foreign keys: a policy names a group of either kind.
alter table approval_policies drop constraint approval_policies_default_group_id_fkey;
alter table approval_policy_levels drop constraint approval_policy_levels_group_id_fkey;

comment on column approval_policies.default_group_id is 'The group, in company_groups or directory_groups, that is asked where a step would have nobody';
comment on column approval_policy_levels.group_id    is 'Of GROUP: the group, in company_groups or directory_groups, whose members approve; null once a directory has removed it';

create function check_named_group() returns trigger
  language plpgsql security definer as $$
declare
  named uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  -- Whoever removes the group waits.
  perform from company_groups where id = named for key share;
  if found then return null; end if;
  perform from directory_groups where id = named for key share;
  if found then return null; end if;
  raise foreign_key_violation using message = format('there is no group %s', named), constraint = tg_name, table = tg_table_name;
end
$$;

comment on function check_named_group() is 'Asserts that a group is there. Argument: the column that names it';

create function leave_group() returns trigger
  language plpgsql security definer as $$
begin
  if tg_table_name = 'directory_groups' then
    update approval_policies set default_group_id = null where default_group_id = old.id;
    update approval_policy_levels set group_id = null where group_id = old.id;
  elsif exists (select from approval_policies where default_group_id = old.id)
     or exists (select from approval_policy_levels where group_id = old.id) then
    raise foreign_key_violation using message = format('approval policies name the group %s', old.id), constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;

comment on function leave_group() is 'Takes a group that a directory removes out of approval policies; one of the company stays while they name it';

do $$
begin
  execute format('alter function check_named_group() set search_path = %I, pg_temp', current_schema());
  execute format('alter function leave_group() set search_path = %I, pg_temp', current_schema());
end
$$;

create constraint trigger approval_policies_default_group_added after insert on approval_policies
  deferrable for each row when (new.default_group_id is not null) execute function check_named_group('default_group_id');
create constraint trigger approval_policies_default_group_changed after update of default_group_id on approval_policies
  deferrable for each row when (new.default_group_id is distinct from old.default_group_id and new.default_group_id is not null)
  execute function check_named_group('default_group_id');
create constraint trigger approval_policy_levels_group_added after insert on approval_policy_levels
  deferrable for each row when (new.group_id is not null) execute function check_named_group('group_id');
create constraint trigger approval_policy_levels_group_changed after update of group_id on approval_policy_levels
  deferrable for each row when (new.group_id is distinct from old.group_id and new.group_id is not null)
  execute function check_named_group('group_id');
create trigger directory_groups_removed after delete on directory_groups for each row execute function leave_group();
create trigger company_groups_removed after delete on company_groups for each row execute function leave_group();
