-- Tells what people are to their company, and who receives a guest, whose department then pays.
-- Scans: users, users.

alter table users
  add column worker_type text not null default 'EMPLOYEE' check (worker_type in ('EMPLOYEE', 'CONTINGENT', 'INTERN', 'GUEST')),
  add column host_id     uuid;

alter table users add constraint users_host foreign key (company_id, host_id) references users (company_id, id) deferrable;

comment on column users.worker_type is 'What the person is to the company; a GUEST does not sign in nor approve';
comment on column users.host_id     is 'Of a guest: the person whose department pays and approves; null: the manager stands for them';

create index users_host on users (host_id) where host_id is not null;

-- Who is a guest holds a role as somebody does who is not active.
create or replace function keep_role_holder() returns trigger
  language plpgsql security definer as $$
begin
  -- Waits for whoever is changing the person.
  select name_folded, approval_limit, active and worker_type <> 'GUEST', start_date, end_date, substitute_id is not null
    into new.holder_name, new.holder_limit, new.holder_active, new.holder_from, new.holder_until, new.holder_leaves
    from users where id = new.user_id for share;
  return new;
end
$$;

create or replace function keep_roles_of_holder() returns trigger
  language plpgsql security definer as $$
begin
  update company_roles
     set holder_name = new.name_folded, holder_limit = new.approval_limit,
         holder_active = new.active and new.worker_type <> 'GUEST',
         holder_from = new.start_date, holder_until = new.end_date, holder_leaves = new.substitute_id is not null
   where user_id = new.id;
  return null;
end
$$;

drop trigger users_role_holder on users;
create trigger users_role_holder after update on users
  for each row when ((old.name_folded, old.approval_limit, old.active, old.start_date, old.end_date, old.substitute_id, old.worker_type)
                     is distinct from (new.name_folded, new.approval_limit, new.active, new.start_date, new.end_date, new.substitute_id, new.worker_type))
  execute function keep_roles_of_holder();

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
  select payer.department_id, coalesce(users.cost_center, payer.cost_center) as cost_center, payer.band_id into person
    from users
    join users payer
      on payer.id = case when users.worker_type = 'GUEST' then coalesce(users.host_id, users.manager_id, users.id) else users.id end
   where users.id = new.user_id and users.company_id = new.company_id;
  if found then
    new.department_id := coalesce(new.department_id, person.department_id);
    new.cost_center := coalesce(new.cost_center, person.cost_center);
    new.band_id := coalesce(new.band_id, person.band_id);
  end if;
  return new;
end
$$;

create or replace function stand_in_on(person uuid, day date) returns uuid stable language sql as $$
  select stand_in.id
    from (select substitute_on(person, day) as id, 1 as place
           union all
          select substitute_on(substitute_on(person, day), day), 2) named
    join users stand_in on stand_in.id = named.id
   where active and worker_type <> 'GUEST' and coalesce(start_date <= day, true) and coalesce(end_date >= day, true)
     and substitute_on(stand_in.id, day) is null
   order by place limit 1
$$;

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{keep_role_holder(),keep_roles_of_holder(),keep_booking_origin()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;
