-- How many users and bookings each company has, kept by the database whoever writes.

-- Writers only add rows, so none waits for another, in whatever order they come to companies. What a transaction adds
-- appears and goes with its users and bookings: in any one state of the data the sums are what counting would give.
create sequence company_counts_id;

create table company_counts (
  counted    text   not null,
  -- No foreign key: each would be a look at the company that the counted row's own key has had.
  company_id uuid   not null,
  id         bigint not null default nextval('company_counts_id'),
  change     bigint not null,
  merged_by  xid8
) partition by list (counted);

alter sequence company_counts_id owned by company_counts.id;

comment on table  company_counts           is 'How many users and bookings a company has: the sum of its rows here. Written by triggers alone';
comment on column company_counts.counted   is 'The table whose rows are counted';
comment on column company_counts.change    is 'Rows that came, less those that went';
comment on column company_counts.merged_by is 'The transaction that put this row in the place of others; null for what a statement added';

-- Apart, so that a TRUNCATE of what is counted can be one of its counts: exact in every isolation level.
create table company_counts_users partition of company_counts for values in ('users');
create table company_counts_bookings partition of company_counts for values in ('bookings');

-- By id: a transaction finds what it added last without passing what it has merged already.
create index company_counts_company on company_counts (company_id, id);

-- Planned once a session: planning would cost more than merging does.
create function merge_company_counts(which text, companies uuid[]) returns void
  language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  own    xid8 := pg_current_xact_id();
  chosen tid[];
begin
  -- What it writes elsewhere is ignored, see below.
  if pg_trigger_depth() = 0 then
    raise exception 'The counts of companies are merged by their triggers alone' using errcode = 'restrict_violation';
  end if;
  -- Rows that another transaction is merging stay: nobody waits. The first time a transaction looks at all rows of a company,
  -- later at those since: its own that it has merged would be passed again and again until it ends.
  select array_agg(row_id) into chosen
    from unnest(companies) touched (company_id)
   cross join lateral (
     select ctid as row_id from company_counts
      where counted = which and company_id = touched.company_id
        and id >= coalesce((select id from company_counts
                             where counted = which and company_id = touched.company_id and merged_by = own
                             order by id desc limit 1), 0)
        for update skip locked) found;

  with gone as (
    delete from company_counts where counted = which and ctid = any (chosen) returning company_id, change
  )
  insert into company_counts (counted, company_id, change, merged_by)
  select which, company_id, sum(change), own from gone group by company_id having sum(change) <> 0;
exception
  -- Under repeatable read: merged by another since this transaction's snapshot. Next time, then.
  when serialization_failure then null;
end
$$;

comment on function merge_company_counts(text, uuid[]) is 'Puts one row in the place of many, for the counts of these companies; changes no sum, and waits for nobody';

create function keep_company_counts() returns trigger
  language plpgsql security definer as $$
declare
  -- Of 64 statements that count for a company one merges, at random: so a company has some 64 rows, however much is written.
  merges boolean := random() < 1.0 / 64;
begin
  case tg_op
    when 'INSERT' then
      insert into company_counts (counted, company_id, change)
      select tg_table_name, company_id, count(*) from added group by company_id;
      if merges then
        perform merge_company_counts(tg_table_name, array(select distinct company_id from added));
      end if;
    when 'DELETE' then
      insert into company_counts (counted, company_id, change)
      select tg_table_name, company_id, -count(*) from removed group by company_id;
      if merges then
        perform merge_company_counts(tg_table_name, array(select distinct company_id from removed));
      end if;
    when 'TRUNCATE' then
      execute format('truncate %I', 'company_counts_' || tg_table_name);
  end case;
  return null;
end
$$;

comment on function keep_company_counts() is 'Counts the rows of a statement for their companies';

create function move_company_counts() returns trigger
  language plpgsql security definer as $$
begin
  insert into company_counts (counted, company_id, change)
  values (tg_table_name, old.company_id, -1), (tg_table_name, new.company_id, 1);
  if random() < 1.0 / 64 then
    perform merge_company_counts(tg_table_name, array[old.company_id, new.company_id]);
  end if;
  return null;
end
$$;

comment on function move_company_counts() is 'Counts a row that has changed its company';

create function drop_company_counts() returns trigger
  language plpgsql security definer as $$
begin
  -- The sums are 0 by then, and a sum of 0 leaves no row.
  perform merge_company_counts(counted, array(select id from removed)) from unnest('{users,bookings}'::text[]) counted;
  return null;
end
$$;

comment on function drop_company_counts() is 'Clears away the counts of companies that are gone';

create function ignore_row() returns trigger
  language plpgsql as $$
begin
  return null;
end
$$;

-- The functions find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{merge_company_counts(text\, uuid[]),keep_company_counts(),move_company_counts(),drop_company_counts()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

-- Writers wait until this migration is done. What those before have committed is counted below.
lock table companies, users, bookings in share row exclusive mode;

-- Updates are counted row by row: almost none moves a row, and one that does not costs a comparison.
create trigger users_added after insert on users
  referencing new table as added for each statement execute function keep_company_counts();
create trigger users_moved after update on users
  for each row when (old.company_id is distinct from new.company_id) execute function move_company_counts();
create trigger users_removed after delete on users
  referencing old table as removed for each statement execute function keep_company_counts();
create trigger users_truncated after truncate on users
  for each statement execute function keep_company_counts();

create trigger bookings_added after insert on bookings
  referencing new table as added for each statement execute function keep_company_counts();
create trigger bookings_moved after update on bookings
  for each row when (old.company_id is distinct from new.company_id) execute function move_company_counts();
create trigger bookings_removed after delete on bookings
  referencing old table as removed for each statement execute function keep_company_counts();
create trigger bookings_truncated after truncate on bookings
  for each statement execute function keep_company_counts();

create trigger companies_removed after delete on companies
  referencing old table as removed for each statement execute function drop_company_counts();

insert into company_counts (counted, company_id, change)
select 'users', company_id, count(*) from users group by company_id
union all
select 'bookings', company_id, count(*) from bookings group by company_id;

-- Only the triggers write. Ignored, not refused: a restored dump of the data alone brings these rows as well, and the triggers
-- have counted its users and bookings.
create trigger company_counts_written before insert on company_counts
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();

analyze company_counts;
