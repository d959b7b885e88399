-- Deliveries tell what came back and who skipped a change; the trail tells when a secret was rotated and which change was skipped last.

alter table webhooks
  add secret_rotated_at timestamptz,
  add skipped_change_id text;

comment on column webhooks.secret_rotated_at is 'Null: it has the secret that it was made with';
comment on column webhooks.skipped_change_id is 'The last change that somebody gave up on';

alter table webhook_deliveries
  add response   text,
  add skipped_by uuid;

comment on column webhook_deliveries.response   is 'The first 4 KiB of the body of the answer; null: there was none';
comment on column webhook_deliveries.skipped_by is 'The person who gave up on the change: nothing was sent then';
