-- Makes bookings, their sums, and the number of people and bookings of each company.

create table bookings (
  id            text         primary key check (char_length(id) between 1 and 100),
  company_id    uuid         not null references companies,
  user_id       uuid         not null references users,
  amount        money_amount not null,
  created_at    timestamptz  not null default now(),
  department_id uuid,
  cost_center   text         constraint bookings_cost_center check (char_length(cost_center) between 1 and 100),
  reference     text         constraint bookings_reference check (char_length(reference) between 1 and 100),
  status        text         not null default 'BOOKED' constraint bookings_status check (status in ('BOOKED', 'CANCELLED')),
  updated_at    timestamptz  not null default now()
);

comment on table  bookings               is 'Bookings of a company''s people; counted on the companies list, summed in booking_sums';
comment on column bookings.department_id is 'The department in which it was made; no foreign key, as it stays when the department is deleted';
comment on column bookings.cost_center   is 'The cost centre for which it was made';
comment on column bookings.updated_at    is 'When it was last recorded with other content';

create index bookings_user on bookings (user_id);
create index bookings_made on bookings (company_id, created_at, id collate "C");
create index bookings_department on bookings (company_id, department_id, created_at) include (amount, status);
create index bookings_updated on bookings (company_id, updated_at, id collate "C");

create function keep_booking_origin() returns trigger
  language plpgsql security definer as $$
declare
  person record;
begin
  if tg_op = 'UPDATE' then
    new.updated_at := greatest(now(), old.updated_at + interval '1 microsecond');
    if old.updated_at is not null then
      return new;
    end if;
  else
    new.updated_at := coalesce(new.updated_at, now());
    -- A row of a backup brings its time; of one that is there already, an update follows.
    if new.updated_at <> now() or exists (select from bookings where id = new.id) then
      return new;
    end if;
  end if;
  select department_id, cost_center into person from users where id = new.user_id and company_id = new.company_id;
  if found then
    new.department_id := coalesce(new.department_id, person.department_id);
    new.cost_center := coalesce(new.cost_center, person.cost_center);
  end if;
  return new;
end
$$;

comment on function keep_booking_origin() is 'Gives a new booking the department and cost centre of its person, unless it brings them';

-- Writers only add rows, so none waits for another, in whatever order they come to companies. What a transaction adds appears and
-- goes with its bookings: in any one state of the data the sums are what summing would give.
create table booking_sums (
  company_id    uuid    not null,
  department_id uuid,
  cost_center   text,
  month         date    not null,
  bookings      bigint  not null,
  amount        numeric not null
);

create index booking_sums_month on booking_sums (company_id, department_id, month);

comment on table  booking_sums          is 'Number and amount of the bookings that are not cancelled: the sums of these rows. Written by triggers alone';
comment on column booking_sums.month    is 'The first day of the month, in UTC';
comment on column booking_sums.bookings is 'Bookings that came, less those that went';

create function sum_bookings() returns trigger
  language plpgsql security definer as $$
declare
  touched uuid[];
  rows    integer;
begin
  case tg_op
    when 'INSERT' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', created_at at time zone 'UTC'), count(*), sum(amount)
        from added where status = 'BOOKED' group by 1, 2, 3, 4;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'UPDATE' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', created_at at time zone 'UTC'), sum(sign), sum(sign * amount)
        from (select 1 as sign, * from added union all select -1, * from removed where updated_at is not null) changed
       where status = 'BOOKED' group by 1, 2, 3, 4 having sum(sign) <> 0 or sum(sign * amount) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'DELETE' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', created_at at time zone 'UTC'), -count(*), -sum(amount)
        from removed where status = 'BOOKED' and updated_at is not null group by 1, 2, 3, 4;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from removed);
    when 'TRUNCATE' then
      truncate booking_sums;
      return null;
  end case;
  -- The more rows a statement adds, the likelier it merges: a company has some thousands more than merged ones.
  if random() < greatest(rows, 32) / 2048.0 then
    perform merge_booking_sums(touched);
  end if;
  return null;
end
$$;

comment on function sum_bookings() is 'Adds the bookings of a statement to the sums';

create function merge_booking_sums(companies uuid[]) returns void
  language plpgsql as $$
declare
  chosen tid[];
begin
  -- Rows that another transaction is merging stay: nobody waits.
  select array_agg(row_id) into chosen
    from (select ctid as row_id from booking_sums
           where ctid = any (array(
             select row_id from (
               select ctid as row_id, count(*) over (partition by company_id, department_id, cost_center, month) as rows
                 from booking_sums where company_id = any (companies)) counted
              where rows > 1))
             for update skip locked) free;
  with gone as (
    delete from booking_sums where ctid = any (chosen) returning *
  )
  insert into booking_sums
  select company_id, department_id, cost_center, month, sum(bookings), sum(amount) from gone
   group by 1, 2, 3, 4 having sum(bookings) <> 0 or sum(amount) <> 0;
exception
  -- Under repeatable read: merged by another since this transaction's snapshot. Next time, then.
  when serialization_failure then null;
end
$$;

comment on function merge_booking_sums(uuid[]) is 'Puts one row in the place of many, for the sums of these companies; changes no sum, and waits for nobody';

-- Writers only add rows here too.
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

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{keep_booking_origin(),sum_bookings(),merge_booking_sums(uuid[]),merge_company_counts(text\, uuid[]),keep_company_counts(),move_company_counts(),drop_company_counts()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

-- 0066 divides it into one of inserts and one of updates.
create trigger bookings_origin before insert or update on bookings
  for each row execute function keep_booking_origin();
create trigger bookings_summed_added after insert on bookings
  referencing new table as added for each statement execute function sum_bookings();
create trigger bookings_summed_changed after update on bookings
  referencing new table as added old table as removed for each statement execute function sum_bookings();
create trigger bookings_summed_removed after delete on bookings
  referencing old table as removed for each statement execute function sum_bookings();
create trigger bookings_summed_truncated after truncate on bookings
  for each statement execute function sum_bookings();

-- Updates are counted row by row: almost none moves a row, and one that does not costs a comparison.
create trigger bookings_added after insert on bookings
  referencing new table as added for each statement execute function keep_company_counts();
create trigger bookings_moved after update on bookings
  for each row when (old.company_id is distinct from new.company_id) execute function move_company_counts();
create trigger bookings_removed after delete on bookings
  referencing old table as removed for each statement execute function keep_company_counts();
create trigger bookings_truncated after truncate on bookings
  for each statement execute function keep_company_counts();

create trigger users_added after insert on users
  referencing new table as added for each statement execute function keep_company_counts();
create trigger users_moved after update on users
  for each row when (old.company_id is distinct from new.company_id) execute function move_company_counts();
create trigger users_removed after delete on users
  referencing old table as removed for each statement execute function keep_company_counts();
create trigger users_truncated after truncate on users
  for each statement execute function keep_company_counts();

create trigger companies_removed after delete on companies
  referencing old table as removed for each statement execute function drop_company_counts();

-- Only the triggers write. Ignored, not refused: a restored dump of the data alone brings these rows as well, and the triggers have
-- counted and summed what it holds.
create trigger booking_sums_written before insert on booking_sums
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger company_counts_written before insert on company_counts
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
