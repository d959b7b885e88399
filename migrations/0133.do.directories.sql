-- Makes directories things of their own, to which keys, groups and people belong: one for each API key of SCIM so far.
-- Scans: api_keys, directory_groups, scim_users, api_keys, directory_groups, scim_users.
create table directories (
  id            uuid        primary key,
  company_id    uuid        not null references companies,
  name          text        not null check (char_length(name) between 1 and 100),
  kind          text        not null default 'OTHER' check (kind in ('OKTA', 'ENTRA', 'GOOGLE', 'OTHER')),
  connection_id uuid        references sign_in_connections,
  active        boolean     not null default true,
  created_at    timestamptz not null default now()
);

comment on table  directories               is 'What provisions the people of a company by SCIM';
comment on column directories.id            is 'Of those of before and with the first key, the id of that key';
comment on column directories.connection_id is 'The connection by which its people sign in';
comment on column directories.active        is 'Whether its keys are accepted';

create index directories_company on directories (company_id, id);
create index directories_connection on directories (connection_id) where connection_id is not null;

insert into directories (id, company_id, name, created_at)
select id, company_id, name, created_at from api_keys
 where directory_id is null and company_id is not null
   and (('scim' = any (string_to_array(scopes, ' ')) and revoked_at is null)
        or id in (select api_key_id from directory_groups) or id in (select api_key_id from scim_users));

alter table api_keys drop constraint api_keys_directory_id_fkey;
alter table api_keys add constraint api_keys_directory foreign key (directory_id) references directories on delete set null;
alter table directory_groups drop constraint directory_groups_api_key_id_fkey;
alter table directory_groups add constraint directory_groups_directory foreign key (api_key_id) references directories;
alter table scim_users drop constraint scim_users_api_key_id_fkey;
alter table scim_users add constraint scim_users_directory foreign key (api_key_id) references directories;

comment on column api_keys.directory_id is 'The directory of a key for SCIM; null: the one with the id of the key';
comment on column directory_groups.api_key_id is 'The directory that sent the group: its keys alone see it';
comment on column scim_users.api_key_id is 'The directory that has written the person last';

-- Keys that the version before makes have a directory, too.
create function keep_directory() returns trigger
  language plpgsql security definer as $$
begin
  insert into directories (id, company_id, name, created_at)
  values (new.id, new.company_id, new.name, coalesce(new.created_at, now())) on conflict do nothing;
  return null;
end
$$;

create trigger api_keys_directory after insert on api_keys for each row
  when (new.directory_id is null and new.company_id is not null and new.revoked_at is null
        and 'scim' = any (string_to_array(new.scopes, ' ')))
  execute function keep_directory();

-- So do groups that come with the id of any other key.
create function keep_group_directory() returns trigger
  language plpgsql security definer as $$
begin
  insert into directories (id, company_id, name)
  select id, new.company_id, name from api_keys where id = new.api_key_id on conflict do nothing;
  return new;
end
$$;

create trigger directory_groups_directory before insert or update of api_key_id on directory_groups
  for each row execute function keep_group_directory();

do $$
begin
  execute format('alter function keep_group_directory() set search_path = %I, pg_temp', current_schema());
  execute format('alter function keep_directory() set search_path = %I, pg_temp', current_schema());
end
$$;
