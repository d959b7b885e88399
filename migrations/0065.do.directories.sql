-- Makes what sign-in and directories know of people: connections, identities, SCIM, groups.

create table sign_in_connections (
  id              uuid        primary key,
  company_id      uuid        not null references companies,
  issuer          text        not null check (char_length(issuer) between 1 and 500),
  audience        text        not null check (char_length(audience) between 1 and 500),
  client_id       text        check (char_length(client_id) between 1 and 500),
  algorithm       text        not null,
  subject_claim   text        not null check (char_length(subject_claim) between 1 and 100),
  token_use       text        not null check (token_use in ('access', 'id')),
  emails_verified boolean     not null,
  domains         text        not null,
  active          boolean     not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  scope           text        check (char_length(scope) between 1 and 500),

  constraint sign_in_connections_issuer unique (issuer, audience)
);

comment on table  sign_in_connections                 is 'Identity providers by which the people of a company sign in';
comment on column sign_in_connections.issuer          is 'iss of its tokens';
comment on column sign_in_connections.audience        is 'aud of its tokens';
comment on column sign_in_connections.client_id       is 'The client by which people sign in to the console';
comment on column sign_in_connections.algorithm       is 'How it signs';
comment on column sign_in_connections.subject_claim   is 'The claim that names a person';
comment on column sign_in_connections.token_use       is 'Whether access tokens or ID tokens are sent';
comment on column sign_in_connections.emails_verified is 'Whether addresses count as verified of which it does not say so';
comment on column sign_in_connections.domains         is 'Domains of e-mail addresses whose people it signs in, separated by spaces';
comment on column sign_in_connections.scope           is 'The scopes that the console requests; null: openid email';

create index sign_in_connections_company on sign_in_connections (company_id, id);

create table sign_in_domains (
  domain        text primary key,
  connection_id uuid not null references sign_in_connections on delete cascade
);

create index sign_in_domains_connection on sign_in_domains (connection_id);

comment on table sign_in_domains is 'The domains of all connections, each once; kept by a trigger';

create function keep_sign_in_domains() returns trigger language plpgsql as $$
begin
  delete from sign_in_domains where connection_id = new.id and domain <> all (string_to_array(new.domains, ' '));
  insert into sign_in_domains (domain, connection_id)
  select domain, new.id from unnest(string_to_array(new.domains, ' ')) as listed (domain)
   where not exists (select from sign_in_domains kept where kept.domain = listed.domain and kept.connection_id = new.id);
  return null;
end $$;

create trigger sign_in_connections_domains after insert or update of domains on sign_in_connections
  for each row execute function keep_sign_in_domains();

create table user_identities (
  issuer        text        not null check (char_length(issuer) between 1 and 500),
  subject       text        not null check (char_length(subject) between 1 and 255),
  user_id       uuid        not null references users,
  linked_at     timestamptz not null default now(),
  claim         text        not null default 'sub' check (char_length(claim) between 1 and 100),
  connection_id uuid        references sign_in_connections on delete cascade,

  -- An account is known by each connection apart, so that nobody at one of them touches the links of another.
  constraint user_identities_account unique nulls not distinct (issuer, subject, connection_id),
  -- Whoever gets a used e-mail address at the provider later on does not get the user of the one before.
  constraint user_identities_user unique nulls not distinct (user_id, issuer, connection_id)
);

comment on table  user_identities               is 'Who of an identity provider is which user; kept when an e-mail address changes';
comment on column user_identities.issuer        is 'The provider: iss of its tokens';
comment on column user_identities.subject       is 'What the provider calls the person';
comment on column user_identities.linked_at     is 'When the person first signed in';
comment on column user_identities.claim         is 'The claim of its tokens that says so';
comment on column user_identities.connection_id is 'The connection of its tokens; null: the platform''s own provider';

create index user_identities_connection on user_identities (connection_id);

create table sign_ins (
  user_id         uuid        primary key references users on delete cascade,
  last_sign_in_at timestamptz,
  refused_at      timestamptz,
  refusal         text        check (char_length(refusal) between 1 and 100),

  check ((refused_at is null) = (refusal is null))
);

comment on table  sign_ins                 is 'When people last signed in, to the hour, and were last refused';
comment on column sign_ins.refusal         is 'Why the token was refused';

create table scim_users (
  user_id           uuid        primary key references users,
  company_id        uuid        not null references companies,
  work_email        text        check (work_email ~ '^[^@\s]+@[^@\s]+$' and char_length(work_email) <= 254),
  phone_type        text        check (char_length(phone_type) between 1 and 100),
  deleted_at        timestamptz,
  updated_at        timestamptz not null default now(),
  deleted_user_name text        check (char_length(deleted_user_name) <= 254),
  external_id       text,
  locality          text        check (char_length(locality) between 1 and 200),
  region            text        check (char_length(region) between 1 and 200),
  country           text        check (char_length(country) between 1 and 200),
  manager_value     text        check (char_length(manager_value) between 1 and 255),
  left_external_id  text        check (char_length(left_external_id) between 1 and 500),
  api_key_id        uuid        references api_keys,
  work_email_folded text generated always as (fold(work_email)) stored
);

comment on table  scim_users                   is 'What a directory says of people and nobody else needs. One without a row is known to the directory by what users has';
comment on column scim_users.company_id        is 'Whose directory said it: it counts as long as the user belongs to this company';
comment on column scim_users.work_email        is 'The work address, where one was sent; otherwise users.email is taken for it';
comment on column scim_users.phone_type        is 'What the directory calls users.phone: work, mobile, …';
comment on column scim_users.deleted_at        is 'When the directory deleted the user: it does not see them any more';
comment on column scim_users.deleted_user_name is 'The e-mail address that a deleted person had: their own is <id>@deleted.invalid';
comment on column scim_users.external_id       is 'Not used any more: users.external_id';
comment on column scim_users.locality          is 'City of the work address';
comment on column scim_users.region            is 'State of the work address';
comment on column scim_users.country           is 'Country of the work address, as the directory writes it';
comment on column scim_users.manager_value     is 'The manager as the directory names them, until a person of that id, number, address or id of the directory comes';
comment on column scim_users.left_external_id  is 'The external id that an inactive person had before the directory changed it';
comment on column scim_users.api_key_id        is 'The directory, which is an API key, that has written the person last';
comment on column scim_users.work_email_folded is 'Searched in';

create index scim_users_deleted on scim_users (company_id, lower(deleted_user_name collate "C")) where deleted_at is not null;
create index scim_users_work_email on scim_users (company_id, lower_letters(work_email)) where work_email is not null;
create index scim_users_manager on scim_users (company_id, lower_letters(manager_value)) where manager_value is not null;
create index scim_users_directory on scim_users (api_key_id, company_id);
create index scim_users_searched on scim_users (company_id) include (user_id, work_email_folded)
  where work_email_folded is not null and deleted_at is null;

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
