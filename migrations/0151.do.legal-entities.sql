-- Gives companies legal entities with tax registrations: one by default, whose number is that of the company.
-- Scans: companies, companies, legal_entities, tax_registrations.

create table legal_entities (
  id              uuid         primary key default gen_random_uuid(),
  company_id      uuid         not null references companies on delete cascade deferrable,
  name            display_name not null,
  registered_name display_name not null,
  country_code    text         not null check (country_code ~ '^[A-Z]{2}$'),
  currency        text         check (currency ~ '^[A-Z]{3}$'),
  time_zone       text,
  external_id     text,
  email           text,
  address         text,
  active          boolean      not null default true,
  is_default      boolean      not null default false,
  name_folded     text generated always as (fold(name)) stored,
  search_text     text generated always as (fold(name) || chr(10) || fold(registered_name)) stored,
  created_at      timestamptz  not null default now(),
  updated_at      timestamptz  not null default now(),

  constraint legal_entities_company unique (company_id, id),
  constraint legal_entities_external_id unique (company_id, external_id) deferrable,
  constraint legal_entities_default exclude using btree (company_id with =) where (is_default) deferrable,
  constraint legal_entities_default_active check (active or not is_default)
);

alter table legal_entities alter column name_folded set storage main;

comment on table  legal_entities              is 'Companies in law, of which a company of the platform has one or several';
comment on column legal_entities.country_code is 'ISO 3166-1; ZZ: not known';
comment on column legal_entities.is_default   is 'That of people and departments for whom nothing else is said; each company has one';
comment on column legal_entities.updated_at   is 'When the row was changed last';

create index legal_entities_order on legal_entities (company_id, name_folded collate "C", id);

create table tax_registrations (
  id              uuid    primary key default gen_random_uuid(),
  legal_entity_id uuid    not null references legal_entities on delete cascade deferrable,
  type            text    not null check (type in ('GSTIN', 'VAT', 'TIN', 'EIN', 'OTHER')),
  number          text    not null check (number ~ '^[0-9A-Za-z-]{1,30}$'),
  country_code    text    not null check (country_code ~ '^[A-Z]{2}$'),
  state_id        integer,
  address         text,
  valid_from      date,
  valid_until     date,
  is_default      boolean not null default false
);

comment on table  tax_registrations          is 'Numbers under which tax offices know legal entities; that of the default one of the default one is companies.gstin';
comment on column tax_registrations.state_id is 'A state of the geography, which is no table';

create index tax_registrations_entity on tax_registrations (legal_entity_id);
create index tax_registrations_number on tax_registrations (lower_letters(number));

create function state_of_gstin(gstin text) returns integer immutable language sql as $$
  select ('{"01":4029,"02":4020,"03":4015,"04":4031,"05":4016,"06":4007,"07":4021,"08":4014,"09":4022,"10":4037,"11":4034,"12":4024,
    "13":4018,"14":4010,"15":4036,"16":4038,"17":4006,"18":4027,"19":4853,"20":4025,"21":4013,"22":4040,"23":4039,"24":4030,"25":4033,
    "26":4033,"27":4008,"28":4017,"29":4026,"30":4009,"31":4019,"32":4028,"33":4035,"34":4011,"35":4023,"36":4012,"37":4017,
    "38":4852}'::jsonb ->> left(gstin, 2))::integer
$$;

comment on function state_of_gstin(text) is 'The state of the geography in which a GSTIN is registered; null for the codes of no state';

-- A number is that of one registration among those of active legal entities at a time.
create function check_tax_number() returns trigger
  language plpgsql security definer as $$
declare
  of_company boolean := (select new.is_default and is_default from legal_entities where id = new.legal_entity_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('tax number ' || lower_letters(new.number), 0));
  if exists (
    select from legal_entities own, tax_registrations other join legal_entities on legal_entities.id = other.legal_entity_id
     where own.id = new.legal_entity_id and own.active and legal_entities.active and other.id <> new.id
       and lower_letters(other.number) = lower_letters(new.number)
       -- Companies may exchange their numbers: that of the other one follows.
       and not (other.is_default and legal_entities.is_default and exists (
         select from companies where id = legal_entities.company_id and gstin <> other.number))
       and daterange(other.valid_from, other.valid_until, '[]') && daterange(new.valid_from, new.valid_until, '[]')) then
    raise unique_violation using message = 'another registration has this number',
      constraint = case when of_company then 'companies_gstin' else 'tax_registrations_number' end;
  end if;
  return null;
end
$$;

comment on function check_tax_number() is 'Keeps a tax number that is in use from a second registration';

create constraint trigger tax_registrations_unique after insert or update on tax_registrations
  initially deferred for each row execute function check_tax_number();

create function check_tax_numbers() returns trigger
  language plpgsql security definer as $$
begin
  update tax_registrations set number = number where legal_entity_id = new.id;
  return null;
end
$$;

comment on function check_tax_numbers() is 'Checks the tax numbers of a legal entity that becomes active';

create trigger legal_entities_activated after update on legal_entities
  for each row when (new.active and not old.active) execute function check_tax_numbers();

-- Of rows that a trigger writes: on behalf of whoever changed the company last. Version 0.3.0, which does not say its release, cannot show
-- changes of kinds that it does not know.
create function note_change_of_company(company companies, action text, entity text, entity_id uuid, changed jsonb) returns void
  language sql security definer as $$
  insert into audit_changes (actor_kind, actor_id, request_id, run_id, action, entity, entity_id, company_id, fields, field_values)
  select coalesce(actor_kind, 'command'), actor_id, request_id, run_id, action, entity, entity_id::text,
         case entity when 'legalEntity' then company.id end, array(select jsonb_object_keys(changed)), changed
    from (select) one left join lateral (
      select actor_kind, actor_id, request_id, run_id from audit_changes changes
       where changes.entity = 'company' and changes.entity_id = company.id::text and changes.user_id is null
       order by id desc limit 1) last on true
   where current_setting('orgdesk.release', true) <> ''
$$;

comment on function note_change_of_company(companies, text, text, uuid, jsonb) is 'Writes a change that follows from one of a company into the trail';

create function added_values(given jsonb) returns jsonb immutable language sql as $$
  select coalesce(jsonb_object_agg(key, jsonb_build_array(null, value)), '{}') from jsonb_each(given) where value <> 'null'
$$;

comment on function added_values(jsonb) is 'Values of a row that was added, as the trail has them';

-- Deferred: a restore or an import brings the legal entity itself. Its first ids are that of the company.
create function keep_registration_of_company() returns trigger
  language plpgsql security definer as $$
declare
  present companies;
  entity  uuid;
  held    tax_registrations;
  kept    tax_registrations;
begin
  select * into present from companies where id = new.id;
  if not found then
    return null;
  end if;
  select id into entity from legal_entities where company_id = present.id and is_default;
  if entity is null then
    insert into legal_entities (id, company_id, name, registered_name, country_code, is_default)
    values (present.id, present.id, present.name, present.legal_name, coalesce(present.country, 'ZZ'), true) returning id into entity;
    perform note_change_of_company(present, 'added', 'legalEntity', entity, added_values(jsonb_build_object(
      'companyId', present.id, 'name', present.name, 'registeredName', present.legal_name,
      'countryCode', coalesce(present.country, 'ZZ'), 'active', true, 'default', true)));
  end if;
  select * into held from tax_registrations where legal_entity_id = entity and is_default;
  if held.id is null then
    insert into tax_registrations (id, legal_entity_id, type, number, country_code, state_id, is_default)
    select case when exists (select from tax_registrations where id = present.id) then gen_random_uuid() else present.id end, entity,
           case when country_of_gstin(present.gstin) is null then 'OTHER' else 'GSTIN' end, present.gstin,
           coalesce(country_of_gstin(present.gstin), present.country, 'ZZ'),
           case when country_of_gstin(present.gstin) is not null then state_of_gstin(present.gstin) end, true
    returning * into held;
    perform note_change_of_company(present, 'added', 'taxRegistration', held.id, added_values(jsonb_build_object(
      'legalEntityId', entity, 'type', held.type, 'number', held.number, 'countryCode', held.country_code, 'stateId', held.state_id,
      'default', true)));
  elsif held.number <> present.gstin then
    update tax_registrations
       set number = present.gstin,
           type = case when country_of_gstin(present.gstin) is not null then 'GSTIN' when type = 'GSTIN' then 'OTHER' else type end,
           country_code = coalesce(country_of_gstin(present.gstin), country_code),
           state_id = case when country_of_gstin(present.gstin) is not null then state_of_gstin(present.gstin) else state_id end
     where id = held.id returning * into kept;
    perform note_change_of_company(present, 'changed', 'taxRegistration', held.id, (
      select jsonb_object_agg(field, jsonb_build_array(former, latter))
        from (values ('number', to_jsonb(held.number), to_jsonb(kept.number)), ('type', to_jsonb(held.type), to_jsonb(kept.type)),
                     ('countryCode', to_jsonb(held.country_code), to_jsonb(kept.country_code)),
                     ('stateId', to_jsonb(held.state_id), to_jsonb(kept.state_id))) each (field, former, latter)
       where former is distinct from latter));
  end if;
  return null;
end
$$;

comment on function keep_registration_of_company() is 'Gives a company the default legal entity, whose default registration has its number';

create function keep_number_of_company() returns trigger
  language plpgsql security definer as $$
begin
  update companies set gstin = number, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), companies.updated_at + interval '1 millisecond')
    from legal_entities join tax_registrations on tax_registrations.legal_entity_id = legal_entities.id
   where legal_entities.company_id = companies.id and legal_entities.is_default and tax_registrations.is_default
     and legal_entities.id = (to_jsonb(new) ->> tg_argv[0])::uuid and companies.gstin <> number;
  return null;
end
$$;

comment on function keep_number_of_company() is 'Gives a company the number of the default registration of its default legal entity';

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{check_tax_number(),check_tax_numbers(),keep_registration_of_company(),keep_number_of_company(),"note_change_of_company(companies,text,text,uuid,jsonb)"}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

insert into legal_entities (id, company_id, name, registered_name, country_code, is_default)
select id, id, name, legal_name, coalesce(country, 'ZZ'), true from companies;
insert into tax_registrations (id, legal_entity_id, type, number, country_code, state_id, is_default)
select id, id, case when country_of_gstin(gstin) is null then 'OTHER' else 'GSTIN' end, gstin, coalesce(country_of_gstin(gstin), country, 'ZZ'),
       case when country_of_gstin(gstin) is not null then state_of_gstin(gstin) end, true
  from companies;
create constraint trigger companies_registration after insert or update of gstin on companies
  initially deferred for each row execute function keep_registration_of_company();
create constraint trigger tax_registrations_of_company after insert or update on tax_registrations
  initially deferred for each row when (new.is_default) execute function keep_number_of_company('legal_entity_id');
create constraint trigger legal_entities_of_company after insert or update on legal_entities
  initially deferred for each row when (new.is_default) execute function keep_number_of_company('id');
create trigger tax_registrations_added after insert on tax_registrations referencing new table as changed
  for each statement execute function touch_owner('legal_entities', 'legal_entity_id');
create trigger tax_registrations_removed after delete on tax_registrations referencing old table as changed
  for each statement execute function touch_owner('legal_entities', 'legal_entity_id');
create trigger tax_registrations_changed after update on tax_registrations referencing new table as changed
  for each statement execute function touch_owner('legal_entities', 'legal_entity_id');
