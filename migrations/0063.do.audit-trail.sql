-- Makes the audit trail and the change feed: who changed what of whom, and in which order followers are told.

create table audit_changes (
  -- Taken while the changed row is locked: among the changes of one row a later one has a higher id.
  id           bigint      generated always as identity primary key,
  position     bigint      check (position >= 1),
  changed_at   timestamptz not null default clock_timestamp(),
  actor_kind   text        not null check (actor_kind in ('user', 'key', 'import', 'command')),
  actor_id     uuid,
  request_id   text        check (char_length(request_id) between 1 and 128),
  run_id       uuid,
  action       text        not null check (action in ('added', 'changed', 'removed', 'erased', 'refused', 'searched')),
  entity       text        not null check (entity ~ '^[a-z][A-Za-z]{1,49}$'),
  entity_id    text        not null,
  -- No foreign keys: the trail outlives what it speaks of.
  user_id      uuid,
  company_id   uuid,
  fields       text[]      not null,
  field_values jsonb,

  constraint audit_changes_check check (
    case
      when actor_kind in ('user', 'key') then actor_id is not null and request_id is not null and run_id is null
      when actor_kind = 'import' then run_id is not null and actor_id is null and request_id is null
      else actor_id is null and request_id is null and run_id is null
    end),
  constraint audit_changes_fields check (action <> 'changed' or fields <> '{}')
);

comment on table  audit_changes              is 'The audit trail: one row for each thing that was added, changed or removed. Rows are never changed; old ones are removed where AUDIT_RETENTION says so';
comment on column audit_changes.position     is 'The place in the change feed, from 1 without gaps; null until the change is published';
comment on column audit_changes.actor_kind   is 'What changed it: a user or an API key by a request, an import, a command';
comment on column audit_changes.run_id       is 'The import: all its changes have the same one';
comment on column audit_changes.user_id      is 'The person concerned; null where it is none';
comment on column audit_changes.company_id   is 'The company concerned, after the change; null where it is none';
comment on column audit_changes.fields       is 'The fields that changed, as the API calls them; of what was added or removed those that have a value';
comment on column audit_changes.field_values is 'Field -> [before, after], of the fields that are not personal; what was added has null before, what was removed null after';

-- Of one caller: newest first for the list, by position for the feed.
create index audit_changes_order on audit_changes (position, id);
create index audit_changes_user on audit_changes (user_id, position, id) where user_id is not null;
create index audit_changes_company on audit_changes (company_id, position, id) where company_id is not null;
-- Says itself that no place is given twice.
create unique index audit_changes_position on audit_changes (position) where position is not null;
-- The changes of a thing. Those of people are found by the person: what concerns nobody is changed seldom.
create index audit_changes_thing on audit_changes (entity, entity_id, position, id) where user_id is null;
-- Of levels of a policy that are gone the trail alone knows whose they were.
create index audit_changes_level on audit_changes ((coalesce(field_values -> 'policyId' ->> 1, field_values -> 'policyId' ->> 0)))
  where entity = 'approvalPolicyLevel';
-- What one person or key changed, and what was changed in some hours.
create index audit_changes_actor on audit_changes (actor_id, position, id) where actor_id is not null;
create index audit_changes_time on audit_changes (changed_at);
-- The changes of one request, of one import, or, where there is neither, of one command: the trail is listed by these.
create index audit_changes_request on audit_changes ((coalesce(run_id::text, request_id, id::text)), id);
-- The last change of the roles of a person, and of a role in a company.
create index audit_changes_roles on audit_changes (user_id, company_id, id) where entity = 'companyRole';
create index audit_changes_role on audit_changes
    (company_id, (coalesce(field_values -> 'role' ->> 1, field_values -> 'role' ->> 0)), id) where entity = 'companyRole';

create table audit_personal_values (
  -- No foreign key: both are written by one statement.
  change_id    bigint primary key,
  field_values jsonb  not null
);

comment on table  audit_personal_values              is 'The personal values of the audit trail, apart from it so that they can be erased';
comment on column audit_personal_values.field_values is 'Field -> [before, after]';

create function refuse_audit_change() returns trigger
  language plpgsql as $$
begin
  -- remove_old_audit_changes says so for its own statement.
  if tg_op = 'DELETE' and current_setting('orgdesk.removes_old_changes', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception 'The audit trail is append-only: % of % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;

create trigger audit_changes_kept before delete or truncate on audit_changes
  for each statement execute function refuse_audit_change();
-- All that may be written later on is the position, once.
create trigger audit_changes_unchanged before update on audit_changes
  for each row when (
    old.position is not null
    or (old.id, old.changed_at, old.actor_kind, old.actor_id, old.request_id, old.run_id, old.action, old.entity, old.entity_id,
        old.user_id, old.company_id, old.fields, old.field_values)
       is distinct from
       (new.id, new.changed_at, new.actor_kind, new.actor_id, new.request_id, new.run_id, new.action, new.entity, new.entity_id,
        new.user_id, new.company_id, new.fields, new.field_values))
  execute function refuse_audit_change();
-- Rows of it may go: that is what erasing is.
create trigger audit_personal_values_unchanged before update or truncate on audit_personal_values
  for each statement execute function refuse_audit_change();

create table change_feed (
  singleton boolean primary key default true check (singleton),
  id        uuid    not null default gen_random_uuid(),
  position  bigint  not null check (position >= 0)
);

comment on table  change_feed          is 'One row: what cursors of the change feed belong to';
comment on column change_feed.id       is 'Another one after each restore of a backup: a cursor is good for the feed that gave it alone';
comment on column change_feed.position is 'The last position that was given to a change; it only grows';

insert into change_feed (position) values (0);

-- A plan that was made while the trail was empty would read all of it each time.
create function publish_audit_changes(batch integer) returns integer
  language plpgsql set plan_cache_mode = force_custom_plan as $$
declare
  last      bigint;
  published integer;
begin
  -- Held until what is numbered here is there for all.
  if not pg_try_advisory_xact_lock(7241908) then
    return null;
  end if;
  -- Statements of their own: they see what earlier holders of the lock have numbered.
  select position into strict last from change_feed;
  update audit_changes
     set position = last + unpublished.place
    from (select id, row_number() over (order by id) as place
            from (select id from audit_changes where position is null order by position, id limit batch) next) unpublished
   where audit_changes.id = unpublished.id;
  get diagnostics published = row_count;
  if published > 0 then
    update change_feed set position = last + published;
  end if;
  return published;
end
$$;

comment on function publish_audit_changes(integer) is
  'Gives the oldest committed changes without a position the next ones, in the order of their ids; says how many, null where somebody else is about it';

create function erase_audit_values(person uuid) returns integer
  language plpgsql as $$
declare
  erased integer;
begin
  delete from audit_personal_values
   using audit_changes
   where audit_changes.id = audit_personal_values.change_id
     and audit_changes.user_id = person and audit_changes.entity = 'user';
  get diagnostics erased = row_count;
  if erased > 0 then
    insert into audit_changes (actor_kind, action, entity, entity_id, user_id, company_id, fields)
    values ('command', 'erased', 'user', person, person, (select company_id from users where id = person), '{}');
  end if;
  return erased;
end
$$;

comment on function erase_audit_values(uuid) is 'Erases the former and new values of a person''s own fields in the audit trail, and notes there that it did; says of how many changes';

-- By the rights of the owner: who may call it can remove nothing that is younger than a week.
create function remove_old_audit_changes(older_than_days integer, batch integer) returns integer
  language plpgsql security definer as $$
declare
  feed_end bigint;
  slowest  bigint;
  old_end  bigint;
  removed  integer;
begin
  if older_than_days < 7 then
    raise exception 'Changes of the last 7 days are not removed' using errcode = 'restrict_violation';
  end if;
  select position into strict feed_end from change_feed;
  -- Switched off or not: a webhook goes on where it stood.
  select min(position) into slowest from webhook_progress;
  -- Up to the first one that is young, whatever comes after it.
  select coalesce(min(position) filter (where changed_at >= now() - older_than_days * interval '1 day') - 1, max(position)) into old_end
    from (select position, changed_at from audit_changes where position is not null order by position limit batch + 1) oldest;
  perform set_config('orgdesk.removes_old_changes', pg_current_xact_id()::text, true);
  -- The last one stays: followers who have come to it are known by it.
  with gone as (
    delete from audit_changes where position < least(old_end, feed_end, slowest) returning id),
  personal as (
    delete from audit_personal_values using gone where change_id = gone.id)
  select count(*) into removed from gone;
  perform set_config('orgdesk.removes_old_changes', '', true);
  return removed;
end
$$;

comment on function remove_old_audit_changes(integer, integer) is
  'Removes the oldest changes of the feed that are older than so many days, but for the last of these and what a webhook has not got yet; says how many';

revoke execute on function remove_old_audit_changes(integer, integer) from public;

-- It finds this schema's tables, and no others, whatever the search path of who calls it.
do $$
begin
  execute format('alter function remove_old_audit_changes(integer, integer) set search_path = %I, pg_temp', current_schema());
end
$$;
