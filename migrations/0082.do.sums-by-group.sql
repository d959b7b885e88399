-- Sums bookings by person, band and category, so that a year of them need not be read.
-- Scans: bookings, bookings.

-- As in booking_sums, writers only add rows: none waits for another.
create table booking_group_sums (
  id         bigint  generated always as identity primary key,
  company_id uuid    not null,
  kind       text    not null,
  value      text,
  month      date    not null,
  bookings   bigint  not null,
  amount     numeric not null
);

create index booking_group_sums_month on booking_group_sums (company_id, kind, month) include (value, bookings, amount);

comment on table  booking_group_sums          is 'As booking_sums, by person, band and category. Written by triggers alone';
comment on column booking_group_sums.kind     is 'PERSON, BAND or CATEGORY';
comment on column booking_group_sums.value    is 'The id of the person or band, or the category';
comment on column booking_group_sums.month    is 'The first day of the month, in the time zone of the company';
comment on column booking_group_sums.bookings is 'Bookings that came, less those that went';

create function merge_booking_group_sums(companies uuid[]) returns void
  language plpgsql as $$
declare
  chosen bigint[];
begin
  -- Rows that another transaction is merging stay: nobody waits.
  select array_agg(id) into chosen
    from (select id from booking_group_sums
           where id = any (array(
             select id from (
               select id, count(*) over (partition by company_id, kind, value, month) as rows
                 from booking_group_sums where company_id = any (companies)) counted
              where rows > 1))
             for update skip locked) free;
  with gone as (
    delete from booking_group_sums where id = any (chosen) returning *
  )
  insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
  select company_id, kind, value, month, sum(bookings), sum(amount) from gone
   group by 1, 2, 3, 4 having sum(bookings) <> 0 or sum(amount) <> 0;
exception
  -- Under repeatable read: merged by another since this transaction's snapshot. Next time, then.
  when serialization_failure then null;
end
$$;

comment on function merge_booking_group_sums(uuid[]) is 'Puts one row in the place of many, as merge_booking_sums does';

create function sum_booking_groups() returns trigger
  language plpgsql security definer as $$
declare
  added_rows text := 'select 1 as sign, * from added';
  gone_rows  text := 'select -1 as sign, * from removed where updated_at is not null';
  rows       integer;
begin
  if tg_op = 'TRUNCATE' then
    truncate booking_group_sums;
    return null;
  end if;
  -- A new time zone sums all anew; sum_in_zone has locked the bookings.
  if tg_table_name = 'companies' then
    delete from booking_group_sums where company_id = new.id;
  end if;
  execute format(
    $sums$
      with changed as (%s)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0
    $sums$,
    case
      when tg_table_name = 'companies' then format('select 1 as sign, * from bookings where company_id = %L', new.id)
      when tg_op = 'INSERT' then added_rows
      when tg_op = 'DELETE' then gone_rows
      else added_rows || ' union all ' || gone_rows
    end);
  get diagnostics rows = row_count;
  if tg_table_name = 'bookings' and random() < greatest(rows, 32) / 8192.0 then
    if tg_op = 'DELETE' then
      perform merge_booking_group_sums(array(select distinct company_id from removed));
    else
      perform merge_booking_group_sums(array(select distinct company_id from added));
    end if;
  end if;
  return null;
end
$$;

comment on function sum_booking_groups() is 'Adds the bookings of a statement, or all of a company in its new time zone, to the sums by person, band and category';

insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
  from (select bookings.*, created_at as at, 1 as number, amount as entry from bookings where status = 'BOOKED' or reversed
        union all select bookings.*, cancelled_at, 0, -amount from bookings where reversed) entries
  join companies on companies.id = company_id
 cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
 group by 1, 2, 3, 4;

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{merge_booking_group_sums(uuid[]),sum_booking_groups()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

create trigger bookings_groups_added after insert on bookings
  referencing new table as added for each statement execute function sum_booking_groups();
create trigger bookings_groups_changed after update on bookings
  referencing new table as added old table as removed for each statement execute function sum_booking_groups();
create trigger bookings_groups_removed after delete on bookings
  referencing old table as removed for each statement execute function sum_booking_groups();
create trigger bookings_groups_truncated after truncate on bookings
  for each statement execute function sum_booking_groups();
create trigger companies_time_zone_groups after update on companies
  for each row when (old.time_zone is distinct from new.time_zone) execute function sum_booking_groups();
create trigger booking_group_sums_written before insert on booking_group_sums
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
