-- Lets people have several substitutions.
-- Scans: nothing.

-- The first one stays in users, where the release before reads and writes it.
create table substitutions (
  id            uuid primary key,
  company_id    uuid not null references companies,
  user_id       uuid not null,
  substitute_id uuid not null,
  first_day     date not null,
  last_day      date not null check (last_day >= first_day),

  constraint substitutions_day unique (user_id, first_day) deferrable,
  constraint substitutions_user foreign key (company_id, user_id) references users (company_id, id) deferrable,
  constraint substitutions_substitute foreign key (company_id, substitute_id) references users (company_id, id) deferrable
);

comment on table substitutions is 'Who decides for a person on some days, beside users.substitute_id';

create index substitutions_company on substitutions (company_id, last_day);
create index substitutions_substitute on substitutions (substitute_id);

create function substitute_on(person uuid, day date) returns uuid stable language sql as $$
  select substitute_id from (
    select substitute_id, substitute_from as first_day from users
     where id = person and substitute_id is not null and day between substitute_from and substitute_until
     union all
    select substitute_id, first_day from substitutions where user_id = person and day between first_day and last_day) found
   order by first_day, substitute_id limit 1
$$;

comment on function substitute_on(uuid, date) is 'Who is named as the substitute of a person on a day';

create function stand_in_on(person uuid, day date) returns uuid stable language sql as $$
  select stand_in.id
    from (select substitute_on(person, day) as id, 1 as place
           union all
          select substitute_on(substitute_on(person, day), day), 2) named
    join users stand_in on stand_in.id = named.id
   where active and coalesce(start_date <= day, true) and coalesce(end_date >= day, true) and substitute_on(stand_in.id, day) is null
   order by place limit 1
$$;

comment on function stand_in_on(uuid, date) is
  'Who stands in for a person on a day: the substitute, or, where they do not work or are away, their own one';
