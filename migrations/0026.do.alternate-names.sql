-- The names that countries, states and cities have beside their own.
-- Rows come with the geography: a database of before gets them at its next start, or by `orgdesk migrate`.

create table alternate_names (
  kind  text    not null check (kind in ('country', 'state', 'city')),
  id    integer not null,
  names text[]  not null check (cardinality(names) > 0 and array_position(names, null) is null
                                and array_to_string(names, '') !~ '[\u0000-\u001f\u007f]'),
  -- No foreign key: a hundred thousand checks would double the time of a load. Names of what is not there are not read.
  primary key (kind, id)
);

comment on table  alternate_names       is 'Names of countries, states and cities beside their own: former ones, in other languages, codes';
comment on column alternate_names.id    is 'Id of the country, state or city';
comment on column alternate_names.names is 'None says the same to a search as another one or as the own name';

create trigger alternate_names_changed after insert or update or delete or truncate on alternate_names
  for each statement execute function note_geography_change();
