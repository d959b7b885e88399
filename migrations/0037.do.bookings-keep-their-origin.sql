-- A booking keeps the department and cost centre in which it was made, and spending is summed by the database.

-- Rows that are there get their values in small transactions afterwards, while the service goes on: src/db/complete-bookings.ts.
alter table bookings
  add column department_id uuid,
  add column cost_center   text,
  add column reference     text,
  add column status        text not null default 'BOOKED',
  -- Null for a row from before that has no department yet, and is in no sum.
  add column updated_at    timestamptz;
alter table bookings alter column updated_at set default now();
-- Not valid: what is there has none of these values yet.
alter table bookings
  add constraint bookings_cost_center check (char_length(cost_center) between 1 and 100) not valid,
  add constraint bookings_reference check (char_length(reference) between 1 and 100) not valid,
  add constraint bookings_status check (status in ('BOOKED', 'CANCELLED')) not valid,
  add constraint bookings_updated_at check (updated_at is not null) not valid;

comment on table  bookings               is 'Bookings of a company''s people; counted on the companies list, summed in booking_sums';
comment on column bookings.department_id is 'The department in which it was made; no foreign key, as it stays when the department is deleted';
comment on column bookings.cost_center   is 'The cost centre for which it was made';
comment on column bookings.updated_at    is 'When it was last recorded with other content';

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

-- What was booked, by where and when. Writers only add rows, so none waits for another (as in company_counts).
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

-- Until all bookings have their department: who moves leaves theirs in the old one.
create function keep_bookings_of_mover() returns trigger
  language plpgsql security definer as $$
begin
  update bookings set updated_at = now() where user_id = old.id and updated_at is null;
  return new;
end
$$;

-- The functions find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{keep_booking_origin(),sum_bookings(),merge_booking_sums(uuid[]),keep_bookings_of_mover()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

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
create trigger users_leave_bookings before update on users
  for each row when ((old.company_id, old.department_id, old.cost_center) is distinct from (new.company_id, new.department_id, new.cost_center))
  execute function keep_bookings_of_mover();

-- Only the triggers write: a restored dump of the data alone brings these rows as well, and its bookings have been summed.
create trigger booking_sums_written before insert on booking_sums
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
