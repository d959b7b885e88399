-- What is old in the audit trail can be removed: by one function, in order and from the beginning of the feed alone.

create or replace function refuse_audit_change() returns trigger
  language plpgsql as $$
begin
  -- remove_old_audit_changes says so for its own statement.
  if tg_op = 'DELETE' and current_setting('orgdesk.removes_old_changes', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception 'The audit trail is append-only: % of % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;

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
comment on table audit_changes is
  'The audit trail: one row for each thing that was added, changed or removed. Rows are never changed; old ones are removed where AUDIT_RETENTION says so';

revoke execute on function remove_old_audit_changes(integer, integer) from public;

-- It finds this schema's tables, and no others, whatever the search path of who calls it.
do $$
begin
  execute format('alter function remove_old_audit_changes(integer, integer) set search_path = %I, pg_temp', current_schema());
end
$$;
