-- Lets a webhook choose actions and fields, and send headers of its own.
-- Scans: nothing.

alter table webhooks
  add column actions            text,
  add column fields             text,
  add column header_names       text,
  add column headers_changed_at timestamptz;

comment on column webhooks.actions            is 'What has to have happened for a change to be sent, separated by blanks; null: anything';
comment on column webhooks.fields             is 'Of which fields a row needs a changed one for a change to be sent, separated by blanks; null: any';
comment on column webhooks.header_names       is 'Of the headers in webhook_headers, separated by blanks, for answers and the trail';
comment on column webhooks.headers_changed_at is 'Null: it has the headers that it was made with';

create table webhook_headers (
  webhook_id uuid not null references webhooks on delete cascade,
  name       text not null,
  value      text not null,
  primary key (webhook_id, name)
);

comment on table  webhook_headers       is 'What its receiver wants to read in each request beside the signature';
comment on column webhook_headers.value is 'Never told: it may be a password';
