-- Makes API keys, webhooks, and the kept answers of requests.

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
  last_used_at timestamptz,
  created_by   uuid        references users on delete set null,
  confirmed_by uuid        references users on delete set null
);

comment on table  api_keys              is 'API keys: of a company, or of the platform where they have none';
comment on column api_keys.scopes       is 'What the key opens: scopes separated by blanks';
comment on column api_keys.prefix       is 'The first characters of the key, by which people know it again';
comment on column api_keys.hash         is 'SHA-256 of the key in hexadecimal; the key itself is nowhere';
comment on column api_keys.last_used_at is 'To the minute';
comment on column api_keys.created_by   is 'The person who made it; null where it was the command line';
comment on column api_keys.confirmed_by is 'The administrator who answers for it since its maker no longer can; null: the maker does';

create index api_keys_company on api_keys (company_id, created_at, id);
create index api_keys_created_by on api_keys (created_by) where created_by is not null;

create table webhooks (
  id                uuid        primary key,
  company_id        uuid        references companies,
  url               text        not null check (char_length(url) between 1 and 2000),
  entities          text,
  description       text        check (char_length(description) between 1 and 500),
  active            boolean     not null default true,
  disabled_reason   text,
  created_at        timestamptz not null default now(),
  secret_rotated_at timestamptz,
  skipped_change_id text,

  check (not active or disabled_reason is null)
);

comment on table  webhooks                   is 'Where changes are sent: of a company, or of all where they have none';
comment on column webhooks.entities          is 'Of which things changes are sent, separated by blanks; null: of all';
comment on column webhooks.disabled_reason   is 'Why it was switched off by the service';
comment on column webhooks.secret_rotated_at is 'Null: it has the secret that it was made with';
comment on column webhooks.skipped_change_id is 'The last change that somebody gave up on';

create index webhooks_company on webhooks (company_id, created_at, id);

create table webhook_secrets (
  webhook_id uuid        not null references webhooks on delete cascade,
  secret     text        not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (webhook_id, secret)
);

comment on table  webhook_secrets            is 'What deliveries are signed with: the present secret, and those of before until they expire';
comment on column webhook_secrets.secret     is 'whsec_ and base64 of the bytes; told once, when it is made';
comment on column webhook_secrets.expires_at is 'Null: it is the present one';

create table webhook_progress (
  webhook_id   uuid        primary key references webhooks on delete cascade,
  position     bigint      not null,
  attempts     integer     not null default 0,
  next_try_at  timestamptz not null default now(),
  leased_until timestamptz not null default '-infinity',
  lease        uuid
);

comment on table  webhook_progress              is 'How far each webhook has come. One sender at a time holds a webhook by a lease, which a dead process loses';
comment on column webhook_progress.position     is 'Of the last change that was delivered or left out';
comment on column webhook_progress.attempts     is 'Tries of the next change that have failed';

create index webhook_progress_due on webhook_progress (next_try_at);

create table webhook_deliveries (
  id           bigint      generated always as identity primary key,
  webhook_id   uuid        not null references webhooks on delete cascade,
  at           timestamptz not null,
  change_id    text,
  type         text        not null,
  attempt      integer     not null,
  status       integer,
  error        text,
  milliseconds integer     not null,
  response     text,
  skipped_by   uuid
);

comment on table  webhook_deliveries            is 'The last tries of each webhook';
comment on column webhook_deliveries.response   is 'The first 4 KiB of the body of the answer; null: there was none';
comment on column webhook_deliveries.skipped_by is 'The person who gave up on the change: nothing was sent then';

create index webhook_deliveries_order on webhook_deliveries (webhook_id, id);

create table kept_answers (
  id          text        primary key,
  fingerprint text        not null,
  scope       json        not null,
  at          timestamptz not null default now(),
  status      integer     not null,
  headers     json        not null,
  body        text        not null,
  secret      text
);

create index kept_answers_at on kept_answers (at);

comment on table  kept_answers             is 'Answers of the last day to requests with an Idempotency-Key';
comment on column kept_answers.id          is 'Hash of the caller, the operation and the key';
comment on column kept_answers.fingerprint is 'Hash of the query and the body of the request';
comment on column kept_answers.scope       is 'Companies that the caller might access then: who may no longer does not get the answer';
comment on column kept_answers.secret      is 'A secret of the answer, encrypted with the key of the request; told again for one minute';
