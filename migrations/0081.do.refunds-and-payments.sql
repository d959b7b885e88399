-- Takes refunds and late cancellations of bookings, sums them by the months of their company, and takes payments of companies.
-- Scans: bookings, bookings, bookings, bookings, bookings, bookings, bookings.

-- From the domain to its base type: no row is written.
alter table bookings
  alter column amount type numeric(15, 2),
  add column refund_of    text,
  add column cancelled_at timestamptz,
  add column reversed     boolean not null default false,
  add column category     text constraint bookings_category check (char_length(category) between 1 and 100),
  add column travel_date  date,
  add column band_id      uuid,
  add constraint bookings_amount check (amount <> 'NaN' and (amount >= 0 or refund_of is not null)),
  add constraint bookings_reversed check (not reversed or cancelled_at is not null);

comment on column bookings.amount       is 'Negative: a refund of another booking';
comment on column bookings.refund_of    is 'The booking that a negative amount gives back; no foreign key, as an import may bring the refund first';
comment on column bookings.cancelled_at is 'When it was cancelled';
comment on column bookings.reversed     is 'Cancelled after its budget period, or after that was closed: it counts where it was made, and less where it was cancelled';
comment on column bookings.band_id      is 'The band of its person when it was made; no foreign key, as it stays when the band is deleted';

alter table bookings disable trigger user;
update bookings set band_id = users.band_id from users where users.id = bookings.user_id and users.company_id = bookings.company_id;
update bookings set cancelled_at = updated_at where status = 'CANCELLED';
alter table bookings enable trigger user;

-- What a time around whole months reads: found by time alone, with all that is summed.
create index bookings_counted on bookings (company_id, created_at) include (department_id, cost_center, amount, status, reversed);
create index bookings_given_back on bookings (company_id) where amount < 0 or reversed;
create index bookings_reversals on bookings (company_id, cancelled_at) where reversed;
-- Without what it included: nothing summed is to be sought in it.
create index bookings_of_department on bookings (company_id, department_id, created_at);
drop index bookings_department;

create or replace function keep_booking_origin() returns trigger
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
  select department_id, cost_center, band_id into person from users where id = new.user_id and company_id = new.company_id;
  if found then
    new.department_id := coalesce(new.department_id, person.department_id);
    new.cost_center := coalesce(new.cost_center, person.cost_center);
    new.band_id := coalesce(new.band_id, person.band_id);
  end if;
  return new;
end
$$;

comment on function keep_booking_origin() is 'Gives a new booking the department, cost centre and band of its person, unless it brings them';

create function keep_cancellation() returns trigger
  language plpgsql security definer as $$
declare
  zone   text;
  closed date;
begin
  -- A row of a backup brings what was decided.
  if tg_op = 'INSERT' and new.updated_at <> now() then
    return new;
  end if;
  new.reversed := false;
  if new.status = 'BOOKED' then
    new.cancelled_at := null;
    return new;
  end if;
  new.cancelled_at := coalesce(new.cancelled_at, now());
  select time_zone, closed_to into zone, closed from companies where id = new.company_id;
  new.reversed := budget_period_start(new.company_id, (new.cancelled_at at time zone zone)::date)
                    > budget_period_start(new.company_id, (new.created_at at time zone zone)::date)
                  or coalesce((new.created_at at time zone zone)::date < closed, false);
  return new;
end
$$;

comment on function keep_cancellation() is 'Decides whether a cancellation counts where it is made';

create or replace function sum_bookings() returns trigger
  language plpgsql security definer as $$
declare
  touched uuid[];
  rows    integer;
begin
  -- A late cancellation is a second entry, at its own time; the number of bookings stays.
  case tg_op
    when 'INSERT' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select added.*, created_at as at, 1 as number, amount as entry from added where status = 'BOOKED' or reversed
              union all select added.*, cancelled_at, 0, -amount from added where reversed) entries
        join companies on companies.id = company_id group by 1, 2, 3, 4;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'UPDATE' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (with changed as (select 1 as sign, * from added union all select -1, * from removed where updated_at is not null)
              select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'DELETE' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select removed.*, created_at as at, -1 as number, -amount as entry from removed
               where updated_at is not null and (status = 'BOOKED' or reversed)
              union all select removed.*, cancelled_at, 0, amount from removed where updated_at is not null and reversed) entries
        join companies on companies.id = company_id group by 1, 2, 3, 4;
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

comment on column booking_sums.month is 'The first day of the month, in the time zone of the company';

create function sum_in_zone() returns trigger
  language plpgsql security definer as $$
begin
  -- Whoever records bookings waits, and sums them in the new zone.
  lock table bookings in share row exclusive mode;
  delete from booking_sums where company_id = new.id;
  insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
  select company_id, department_id, cost_center, date_trunc('month', at at time zone new.time_zone), sum(number), sum(entry)
    from (select company_id, department_id, cost_center, created_at as at, 1 as number, amount as entry from bookings
           where company_id = new.id and (status = 'BOOKED' or reversed)
          union all
          select company_id, department_id, cost_center, cancelled_at, 0, -amount from bookings where company_id = new.id and reversed) entries
   group by 1, 2, 3, 4;
  return null;
end
$$;

comment on function sum_in_zone() is 'Sums the bookings of a company anew, by the months of its new time zone';

create table company_payments (
  id         uuid          not null primary key,
  company_id uuid          not null references companies,
  amount     money_amount  not null,
  created_at timestamptz   not null default now(),
  reference  text          constraint company_payments_reference check (char_length(reference) between 1 and 100)
);

comment on table company_payments is 'What companies paid on their credit';

create index company_payments_made on company_payments (company_id, created_at);

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{keep_booking_origin(),keep_cancellation(),sum_bookings(),sum_in_zone()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

create trigger bookings_cancelled before insert on bookings
  for each row when (new.status = 'CANCELLED') execute function keep_cancellation();
create trigger bookings_cancelled_later before update on bookings
  for each row when (old.status is distinct from new.status or old.cancelled_at is distinct from new.cancelled_at
                     or new.status = 'CANCELLED' and old.created_at is distinct from new.created_at)
  execute function keep_cancellation();
create trigger companies_time_zone_changed after update on companies
  for each row when (old.time_zone is distinct from new.time_zone) execute function sum_in_zone();
