-- Tells when names that other rows show were changed, and moves updated_at with roles, work addresses and levels.
-- Scans: users, scim_users, audit_changes, audit_changes, departments, employee_bands, approval_policies.

alter table users             add column renamed_at timestamptz;
alter table departments       add column renamed_at timestamptz, add column created_at timestamptz not null default now();
alter table employee_bands    add column renamed_at timestamptz, add column created_at timestamptz not null default now();
alter table approval_policies add column created_at timestamptz not null default now();
alter table cost_centers      add column created_at timestamptz not null default now();
alter table webhooks          add column updated_at timestamptz not null default now();

comment on column users.renamed_at             is 'When the name that others show was changed last; null: never since this column was added';
comment on column departments.renamed_at       is 'When the name that people show was changed last';
comment on column employee_bands.renamed_at    is 'When the name or code that people show was changed last';
comment on column departments.created_at       is 'Of rows from before this column: by the trail, otherwise the change before';
comment on column employee_bands.created_at    is 'Of rows from before this column: by the trail, otherwise the change before';
comment on column approval_policies.created_at is 'Of rows from before this column: by the trail, otherwise the change before';
comment on column webhooks.updated_at          is 'Of rows from before this column: when it was added';

create temporary table made on commit drop as
  select entity_id, min(changed_at) as at from audit_changes
   where action = 'added' and entity in ('department', 'band', 'approvalPolicy') group by 1;
update departments       set created_at = least(updated_at, (select at from made where entity_id = id::text));
update employee_bands    set created_at = least(updated_at, (select at from made where entity_id = id::text));
update approval_policies set created_at = least(updated_at, (select at from made where entity_id = id));

-- What SCIM told as lastModified until now.
update users set updated_at = moved.at
  from (select user_id, company_id, max(at) as at
          from (select user_id, company_id, updated_at as at from scim_users
                union all
                select user_id, company_id, max(changed_at) from audit_changes where entity = 'companyRole' group by 1, 2) known
         group by 1, 2) moved
 where users.id = moved.user_id and users.company_id = moved.company_id and users.updated_at < moved.at;

create index users_renamed on users (company_id, renamed_at) where renamed_at is not null;

create function note_renaming() returns trigger
  language plpgsql as $$
begin
  new.renamed_at := greatest(date_trunc('milliseconds', clock_timestamp()), old.renamed_at + interval '1 millisecond');
  return new;
end
$$;

create trigger users_renamed before update of first_name, last_name on users
  for each row when ((old.first_name, old.last_name) is distinct from (new.first_name, new.last_name)) execute function note_renaming();
create trigger departments_renamed before update of name on departments
  for each row when (old.name is distinct from new.name) execute function note_renaming();
create trigger employee_bands_renamed before update of name, code on employee_bands
  for each row when ((old.name, old.code) is distinct from (new.name, new.code)) execute function note_renaming();

-- Rows that the transaction has written itself have their time: a new person, an import, a restored backup.
create function touch_owner() returns trigger
  language plpgsql as $$
begin
  execute format(
    'update %1$I owner set updated_at = greatest(date_trunc(''milliseconds'', clock_timestamp()), owner.updated_at + interval ''1 millisecond'')
      where owner.id in (select %2$I from changed) and owner.xmin <> pg_current_xact_id()::xid',
    tg_argv[0], tg_argv[1]);
  return null;
end
$$;

create trigger company_roles_added after insert on company_roles referencing new table as changed
  for each statement execute function touch_owner('users', 'user_id');
create trigger company_roles_removed after delete on company_roles referencing old table as changed
  for each statement execute function touch_owner('users', 'user_id');
create trigger approval_policy_levels_added after insert on approval_policy_levels referencing new table as changed
  for each statement execute function touch_owner('approval_policies', 'policy_id');
create trigger approval_policy_levels_removed after delete on approval_policy_levels referencing old table as changed
  for each statement execute function touch_owner('approval_policies', 'policy_id');
create trigger approval_policy_levels_changed after update on approval_policy_levels referencing new table as changed
  for each statement execute function touch_owner('approval_policies', 'policy_id');

-- A row that only notes which directory keeps the person shows nothing else.
create function touch_provisioned() returns trigger
  language plpgsql as $$
declare
  before jsonb := '{}';
  kept   jsonb := '{}';
begin
  if tg_op <> 'INSERT' then
    before := jsonb_strip_nulls(to_jsonb(old) - array['user_id', 'company_id', 'api_key_id', 'updated_at']);
  end if;
  if tg_op <> 'DELETE' then
    kept := jsonb_strip_nulls(to_jsonb(new) - array['user_id', 'company_id', 'api_key_id', 'updated_at']);
  end if;
  if before is distinct from kept then
    update users set updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
     where id = coalesce(new.user_id, old.user_id) and xmin <> pg_current_xact_id()::xid;
  end if;
  return null;
end
$$;

create trigger scim_users_touch after insert or update or delete on scim_users
  for each row execute function touch_provisioned();
