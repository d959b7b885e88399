-- Tells to which legal entity departments and people belong, and for which one a booking was made.
-- Scans: departments, users.

alter table departments add column legal_entity_id uuid;
alter table users       add column legal_entity_id uuid;
alter table bookings    add column legal_entity_id uuid;

alter table departments add constraint departments_legal_entity
  foreign key (company_id, legal_entity_id) references legal_entities (company_id, id) deferrable;
alter table users add constraint users_legal_entity
  foreign key (company_id, legal_entity_id) references legal_entities (company_id, id) deferrable;

comment on column departments.legal_entity_id is 'Null: that of the department above, at the top the default one of the company';
comment on column users.legal_entity_id       is 'Null: that of the department';
comment on column bookings.legal_entity_id    is 'Legal entity of the person when it was made, also one that is gone';

create index departments_legal_entity on departments (legal_entity_id) where legal_entity_id is not null;
create index users_legal_entity on users (legal_entity_id) where legal_entity_id is not null;

create function legal_entity_of(own uuid, department uuid, of_company uuid) returns uuid stable language sql as $$
  select coalesce(own, (
    with recursive ladder (parent_id, legal_entity_id, depth) as (
      select parent_id, legal_entity_id, 1 from departments where id = department
       union all
      select departments.parent_id, departments.legal_entity_id, depth + 1
        from ladder join departments on departments.id = ladder.parent_id
       where ladder.legal_entity_id is null and depth < 50)
    select legal_entity_id from ladder where legal_entity_id is not null limit 1), (
    select id from legal_entities where company_id = of_company and is_default),
    -- That of a company that is created in this transaction comes at its end, with this id.
    of_company)
$$;

comment on function legal_entity_of(uuid, uuid, uuid) is
  'The legal entity that counts: the own one, else that of the nearest department upwards, else the default one of the company';

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
  select payer.department_id, coalesce(users.cost_center, payer.cost_center) as cost_center, payer.band_id,
         legal_entity_of(coalesce(users.legal_entity_id, payer.legal_entity_id), payer.department_id, users.company_id) as legal_entity_id
    into person
    from users
    join users payer
      on payer.id = case when users.worker_type = 'GUEST' then coalesce(users.host_id, users.manager_id, users.id) else users.id end
   where users.id = new.user_id and users.company_id = new.company_id;
  if found then
    new.department_id := coalesce(new.department_id, person.department_id);
    new.cost_center := coalesce(new.cost_center, person.cost_center);
    new.band_id := coalesce(new.band_id, person.band_id);
    new.legal_entity_id := coalesce(new.legal_entity_id, person.legal_entity_id);
  end if;
  return new;
end
$$;

do $$
begin
  execute format('alter function keep_booking_origin() set search_path = %I, pg_temp', current_schema());
end
$$;
