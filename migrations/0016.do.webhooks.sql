-- Webhooks: followers of the change feed that the service keeps, and tells of each change.

create table webhooks (
  id              uuid        primary key,
  company_id      uuid        references companies,
  url             text        not null check (char_length(url) between 1 and 2000),
  entities        text,
  description     text        check (char_length(description) between 1 and 500),
  active          boolean     not null default true,
  disabled_reason text,
  created_at      timestamptz not null default now(),

  check (not active or disabled_reason is null)
);

comment on table  webhooks                 is 'Where changes are sent: of a company, or of all where they have none';
comment on column webhooks.entities        is 'Of which things changes are sent, separated by blanks; null: of all';
comment on column webhooks.disabled_reason is 'Why it was switched off by the service';

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
  milliseconds integer     not null
);

comment on table webhook_deliveries is 'The last tries of each webhook';

create index webhook_deliveries_order on webhook_deliveries (webhook_id, id);
