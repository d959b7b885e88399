-- Keys by which other systems call the service, and whose changes the audit trail tells.

create table api_keys (
  id           uuid        primary key,
  company_id   uuid        references companies,
  name         text        not null check (char_length(name) between 1 and 100),
  scopes       text        not null check (scopes <> ''),
  prefix       text        not null,
  hash         text        not null unique check (hash ~ '^[0-9a-f]{64}$'),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);

comment on table  api_keys              is 'API keys: of a company, or of the platform where they have none';
comment on column api_keys.scopes       is 'What the key opens: scopes separated by blanks';
comment on column api_keys.prefix       is 'The first characters of the key, by which people know it again';
comment on column api_keys.hash         is 'SHA-256 of the key in hexadecimal; the key itself is nowhere';
comment on column api_keys.last_used_at is 'To the minute';

create index api_keys_company on api_keys (company_id, created_at, id);

alter table audit_changes
  drop constraint audit_changes_actor_kind_check,
  drop constraint audit_changes_entity_check,
  drop constraint audit_changes_check,
  -- Not looked at again: what is there holds to the narrower ones of before, and never changes.
  add constraint audit_changes_actor_kind_check check (actor_kind in ('user', 'key', 'import', 'command')) not valid,
  add constraint audit_changes_entity_check check (entity in ('company', 'department', 'band', 'user', 'companyRole', 'systemRole',
    'approvalPolicy', 'approvalPolicyLevel', 'apiKey', 'webhook')) not valid,
  add constraint audit_changes_check check (
    case
      when actor_kind in ('user', 'key') then actor_id is not null and request_id is not null and run_id is null
      when actor_kind = 'import' then run_id is not null and actor_id is null and request_id is null
      else actor_id is null and request_id is null and run_id is null
    end) not valid;

comment on column audit_changes.actor_kind is 'What changed it: a user or an API key by a request, an import, a command';
