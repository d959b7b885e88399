-- Keeps the id by which each directory knows a person: two directories of a company may know one person, or use the same ids.
-- Scans: scim_users, users.
create table directory_people (
  directory_id uuid not null references directories on delete cascade,
  user_id      uuid not null references users on delete cascade,
  external_id  text not null check (char_length(external_id) between 1 and 500),
  primary key (directory_id, user_id),
  constraint directory_people_external_id unique (directory_id, external_id)
);

comment on table  directory_people             is 'By which id a directory knows a person';
comment on column directory_people.external_id is 'The first one of a person in the company is in users, too';

create index directory_people_user on directory_people (user_id);

insert into directory_people (directory_id, user_id, external_id)
select api_key_id, users.id, users.external_id
  from scim_users join users on users.id = scim_users.user_id and users.company_id = scim_users.company_id
 where api_key_id is not null and users.external_id is not null;

-- Files, administrators and the version before write the id in users: it stays the one of the same directory. Nobody takes theirs to another
-- company.
create function keep_external_id() returns trigger
  language plpgsql security definer as $$
begin
  with gone as (
    delete from directory_people
     where user_id = new.id and (external_id = old.external_id or new.company_id is distinct from old.company_id) returning directory_id)
  insert into directory_people (directory_id, user_id, external_id)
  select directory_id, new.id, new.external_id from gone
   where new.external_id is not null and new.company_id is not distinct from old.company_id on conflict do nothing;
  return null;
end
$$;

create trigger users_external_id after update of external_id, company_id on users for each row
  when (old.external_id is distinct from new.external_id or old.company_id is distinct from new.company_id)
  execute function keep_external_id();

-- The first directory that writes a person knows them by the id that they have.
create function keep_first_external_id() returns trigger
  language plpgsql security definer as $$
begin
  insert into directory_people (directory_id, user_id, external_id)
  select new.api_key_id, id, external_id from users
   where id = new.user_id and company_id = new.company_id and external_id is not null
     and not exists (select from directory_people where user_id = new.user_id)
      on conflict do nothing;
  return null;
end
$$;

create trigger scim_users_external_id after insert or update of api_key_id on scim_users for each row
  when (new.api_key_id is not null) execute function keep_first_external_id();

do $$
begin
  execute format('alter function keep_external_id() set search_path = %I, pg_temp', current_schema());
  execute format('alter function keep_first_external_id() set search_path = %I, pg_temp', current_schema());
end
$$;
