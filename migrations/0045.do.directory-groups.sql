-- Groups as directories have them, what they give to their members, and where a role comes from.

create table directory_groups (
  id           uuid        primary key default gen_random_uuid(),
  company_id   uuid        not null references companies,
  api_key_id   uuid        not null references api_keys,
  role         text        check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE')),
  display_name text        not null check (char_length(display_name) between 1 and 300),
  external_id  text        check (char_length(external_id) between 1 and 500),
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  constraint directory_groups_role unique (api_key_id, role)
);

comment on table  directory_groups            is 'Groups of a directory, which is an API key. A group of a role has a row once the directory has changed it';
comment on column directory_groups.api_key_id is 'The key that sent the group, and alone sees it';
comment on column directory_groups.role       is 'The role that the group stands for, for the three groups that are always there';

create unique index directory_groups_name on directory_groups (api_key_id, lower_letters(display_name));
create index directory_groups_company on directory_groups (company_id, lower_letters(display_name));

create table directory_group_members (
  group_id uuid not null references directory_groups on delete cascade,
  user_id  uuid not null references users on delete cascade,
  primary key (group_id, user_id)
);

comment on table directory_group_members is 'People whom a directory has put into a group';

create index directory_group_members_user on directory_group_members (user_id);

create table group_mappings (
  id            uuid    primary key,
  company_id    uuid    not null references companies,
  group_id      uuid    references directory_groups,
  group_name    text    check (char_length(group_name) between 1 and 300),
  role          text    check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE')),
  department_id uuid    references departments,
  band_id       uuid    references employee_bands,
  priority      integer not null check (priority >= 0),
  constraint group_mappings_one_group check ((group_id is null) <> (group_name is null))
);

comment on table  group_mappings            is 'What the members of a group get';
comment on column group_mappings.group_name is 'Every group of this name in any case, of any directory of the company';
comment on column group_mappings.priority   is 'The lowest one decides on department and band';

create index group_mappings_company on group_mappings (company_id, priority, id);
create index group_mappings_group on group_mappings (group_id);
create index group_mappings_department on group_mappings (department_id);
create index group_mappings_band on group_mappings (band_id);

alter table company_roles
  add column origin text not null default 'hand' check (origin in ('hand', 'directory', 'groups'));

comment on column company_roles.origin is 'Who gave the role: an administrator or an import, the roles that a directory sent, or groups alone';

update company_roles set origin = 'directory'
 where exists (select from audit_changes
                where audit_changes.user_id = company_roles.user_id and audit_changes.company_id = company_roles.company_id
                  and entity = 'companyRole' and entity_id = company_roles.id and action = 'added' and actor_kind = 'key');

insert into directory_groups (company_id, api_key_id, role, display_name, external_id)
select scim_groups.company_id, api_keys.id, role,
       case role when 'CORPORATE_ADMIN' then 'Corporate Admins' when 'MANAGER' then 'Managers' else 'Employees' end, external_id
  from scim_groups join api_keys on api_keys.company_id = scim_groups.company_id
 where revoked_at is null and ' ' || scopes || ' ' like '% scim %';

drop table scim_groups;

alter table scim_users
  add column locality text check (char_length(locality) between 1 and 200),
  add column region   text check (char_length(region) between 1 and 200),
  add column country  text check (char_length(country) between 1 and 200);

comment on column scim_users.locality is 'City of the work address';
comment on column scim_users.region   is 'State of the work address';
comment on column scim_users.country  is 'Country of the work address, as the directory writes it';

-- The code knows the entities. What is there holds to the narrower rule of before, and never changes.
alter table audit_changes
  drop constraint audit_changes_entity_check,
  add constraint audit_changes_entity_check check (entity ~ '^[a-z][A-Za-z]{1,49}$') not valid;
