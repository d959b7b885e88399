-- Who changed what of whom, and in which order followers are told.

create table audit_changes (
  -- Taken while the changed row is locked: among the changes of one row a later one has a higher id.
  id           bigint      generated always as identity primary key,
  position     bigint      check (position >= 1),
  changed_at   timestamptz not null default clock_timestamp(),
  actor_kind   text        not null check (actor_kind in ('user', 'import', 'command')),
  actor_id     uuid,
  request_id   text        check (char_length(request_id) between 1 and 128),
  run_id       uuid,
  action       text        not null check (action in ('added', 'changed', 'erased')),
  entity       text        not null check (entity in ('company', 'department', 'band', 'user', 'companyRole', 'systemRole',
                                                      'approvalPolicy', 'approvalPolicyLevel')),
  entity_id    text        not null,
  -- No foreign keys: the trail outlives what it speaks of.
  user_id      uuid,
  company_id   uuid,
  fields       text[]      not null,
  field_values jsonb,

  check (case actor_kind
           when 'user' then actor_id is not null and request_id is not null and run_id is null
           when 'import' then run_id is not null and actor_id is null and request_id is null
           else actor_id is null and request_id is null and run_id is null
         end),
  check ((action = 'changed') = (fields <> '{}'))
);

comment on table  audit_changes              is 'The audit trail: one row for each thing that was added or changed. Rows are never changed or removed';
comment on column audit_changes.position     is 'The place in the change feed, from 1 without gaps; null until the change is published';
comment on column audit_changes.actor_kind   is 'What changed it: a user by a request, an import, a command';
comment on column audit_changes.run_id       is 'The import: all its changes have the same one';
comment on column audit_changes.user_id      is 'The person concerned; null where it is none';
comment on column audit_changes.company_id   is 'The company concerned, after the change; null where it is none';
comment on column audit_changes.fields       is 'The fields that changed, as the API calls them; empty for what was added';
comment on column audit_changes.field_values is 'Field -> [before, after], of the fields that are not personal';

-- Of one caller: newest first for the list, by position for the feed.
create index audit_changes_order on audit_changes (position, id);
create index audit_changes_user on audit_changes (user_id, position, id) where user_id is not null;
create index audit_changes_company on audit_changes (company_id, position, id) where company_id is not null;
-- Says itself that no place is given twice.
create unique index audit_changes_position on audit_changes (position) where position is not null;

create table audit_personal_values (
  -- No foreign key: both are written by one statement, and the change never goes.
  change_id    bigint primary key,
  field_values jsonb  not null
);

comment on table  audit_personal_values              is 'The personal values of the audit trail, apart from it so that they can be erased';
comment on column audit_personal_values.field_values is 'Field -> [before, after]';

create function refuse_audit_change() returns trigger
  language plpgsql as $$
begin
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

create function publish_audit_changes(batch integer) returns integer
  language plpgsql as $$
declare
  published integer;
begin
  -- Any number will do that no other program uses for advisory locks on this database. Held until what is numbered here is
  -- there for all.
  if not pg_try_advisory_xact_lock(7241908) then
    return 0;
  end if;
  -- A statement of its own: it sees what earlier holders of the lock have numbered.
  update audit_changes
     set position = newest.position + unpublished.place
    from (select id, row_number() over (order by id) as place
            from (select id from audit_changes where position is null order by position, id limit batch) next) unpublished,
         (select coalesce(max(position), 0) as position from audit_changes) newest
   where audit_changes.id = unpublished.id;
  get diagnostics published = row_count;
  return published;
end
$$;

comment on function publish_audit_changes(integer) is 'Gives the oldest committed changes without a position the next ones, in the order of their ids; says how many';

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
