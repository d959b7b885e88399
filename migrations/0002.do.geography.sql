-- The public geography master: countries, their states (union territories and provinces among them), their cities.
-- Ids come with the data and are stable; nothing here makes one up.

-- A name as people read it: trimmed, not empty, no control characters.
create domain display_name as text
  check (value <> '' and value = btrim(value) and char_length(value) <= 200 and value !~ '[\u0000-\u001f\u007f]');

create table countries (
  id   integer      primary key,
  name display_name not null,
  iso2 text         not null unique check (iso2 ~ '^[A-Z]{2}$'),
  iso3 text         not null unique check (iso3 ~ '^[A-Z]{3}$')
);

comment on table  countries      is 'Countries and dependent territories';
comment on column countries.iso2 is 'ISO 3166-1 alpha-2 code';
comment on column countries.iso3 is 'ISO 3166-1 alpha-3 code';

create table states (
  id         integer      primary key,
  country_id integer      not null references countries,
  name       display_name not null,
  state_code text         not null check (state_code <> '' and state_code = btrim(state_code)
                                          and state_code !~ '[\u0000-\u001f\u007f]'),
  -- The target of the cities' key: a city's state and country cannot disagree.
  unique (id, country_id)
);

comment on table  states            is 'First-level divisions of a country: states, provinces, union territories';
comment on column states.state_code is 'Code within the country, as text: 01 keeps its zero';

create index states_country on states (country_id);

create table cities (
  id         integer      primary key,
  state_id   integer      not null,
  country_id integer      not null,
  name       display_name not null,
  foreign key (state_id, country_id) references states (id, country_id)
);

comment on table cities is 'Cities, towns and villages';

create index cities_state on cities (state_id);

-- The number of the data's present state. Every statement that changes geography moves it, and tells whoever listens
-- on the channel geography_changed once its transaction commits: services hold the geography in memory.
create table geography_revision (
  singleton boolean primary key default true check (singleton),
  revision  bigint  not null
);

comment on table geography_revision is 'One row: counts the statements that changed geography';

insert into geography_revision (revision) values (0);

create function note_geography_change() returns trigger
  language plpgsql as $$
begin
  update geography_revision set revision = revision + 1;
  notify geography_changed;
  return null;
end
$$;

create trigger countries_changed after insert or update or delete or truncate on countries
  for each statement execute function note_geography_change();
create trigger states_changed after insert or update or delete or truncate on states
  for each statement execute function note_geography_change();
create trigger cities_changed after insert or update or delete or truncate on cities
  for each statement execute function note_geography_change();
