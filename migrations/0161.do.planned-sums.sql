-- Plans the sums of bookings by person, band and category once a session, not once a statement.
-- Scans: nothing.
create or replace function sum_booking_groups() returns trigger
  language plpgsql security definer as $$
declare
  touched uuid[];
  rows    integer;
begin
  case tg_op
    when 'TRUNCATE' then
      truncate booking_group_sums;
      return null;
    when 'INSERT' then
      with changed as (select 1 as sign, * from added)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'DELETE' then
      with changed as (select -1 as sign, * from removed where updated_at is not null)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from removed);
    else
      with changed as (select 1 as sign, * from added
                       union all select -1 as sign, * from removed where updated_at is not null)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
  end case;
  if random() < greatest(rows, 32) / 8192.0 then
    perform merge_booking_group_sums(touched);
  end if;
  return null;
end
$$;

comment on function sum_booking_groups() is 'Adds the bookings of a statement to the sums by person, band and category';

create function sum_groups_in_zone() returns trigger
  language plpgsql security definer as $$
begin
  -- sum_in_zone has locked the bookings.
  delete from booking_group_sums where company_id = new.id;
      with changed as (select 1 as sign, * from bookings where company_id = new.id)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
  return null;
end
$$;

comment on function sum_groups_in_zone() is 'Sums the bookings of a company anew by person, band and category, by the months of its new time zone';

do $$
begin
  execute format('alter function sum_booking_groups() set search_path = %I, pg_temp', current_schema());
  execute format('alter function sum_groups_in_zone() set search_path = %I, pg_temp', current_schema());
end
$$;

create or replace trigger companies_time_zone_groups after update on companies
  for each row when (old.time_zone is distinct from new.time_zone) execute function sum_groups_in_zone();
