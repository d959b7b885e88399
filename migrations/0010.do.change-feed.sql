-- The change feed has an identity, and keeps by itself how far its positions go.

create table change_feed (
  singleton boolean primary key default true check (singleton),
  id        uuid    not null default gen_random_uuid(),
  position  bigint  not null check (position >= 0)
);

comment on table  change_feed          is 'One row: what cursors of the change feed belong to';
comment on column change_feed.id       is 'Another one after each restore of a backup: a cursor is good for the feed that gave it alone';
comment on column change_feed.position is 'The last position that was given to a change; it only grows';

-- Whoever is about to publish has done so before the positions are looked at.
do $$
begin
  perform pg_advisory_xact_lock(7241908);
  insert into change_feed (position) select coalesce(max(position), 0) from audit_changes;
end
$$;

create or replace function publish_audit_changes(batch integer) returns integer
  language plpgsql as $$
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
