-- Identity providers of companies, beside the platform's own one.

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

  constraint sign_in_connections_issuer unique (issuer, audience)
);

create index sign_in_connections_company on sign_in_connections (company_id, id);

comment on table  sign_in_connections                 is 'Identity providers by which the people of a company sign in';
comment on column sign_in_connections.issuer          is 'iss of its tokens';
comment on column sign_in_connections.audience        is 'aud of its tokens';
comment on column sign_in_connections.client_id       is 'The client by which people sign in to the console';
comment on column sign_in_connections.algorithm       is 'How it signs';
comment on column sign_in_connections.subject_claim   is 'The claim that names a person';
comment on column sign_in_connections.token_use       is 'Whether access tokens or ID tokens are sent';
comment on column sign_in_connections.emails_verified is 'Whether addresses count as verified of which it does not say so';
comment on column sign_in_connections.domains         is 'Domains of e-mail addresses whose people it signs in, separated by spaces';

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

-- An account is known by each connection apart, so that nobody at one of them touches the links of another.
alter table user_identities
  add column connection_id uuid references sign_in_connections on delete cascade,
  drop constraint user_identities_pkey,
  drop constraint user_identities_user_id_issuer_key,
  add constraint user_identities_account unique nulls not distinct (issuer, subject, connection_id),
  add constraint user_identities_user unique nulls not distinct (user_id, issuer, connection_id);

comment on column user_identities.connection_id is 'The connection of its tokens; null: the platform''s own provider';

create index user_identities_connection on user_identities (connection_id);
