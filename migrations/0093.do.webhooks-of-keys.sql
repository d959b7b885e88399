-- Notes by which API key a webhook was made.
-- Scans: webhooks, audit_changes.
alter table webhooks add column key_id uuid references api_keys;

create index webhooks_key on webhooks (key_id) where key_id is not null;

comment on column webhooks.key_id is 'The API key that made it, which stops it when it is revoked; null: a person did';

update webhooks set key_id = made.actor_id::uuid
  from audit_changes made
 where made.entity = 'webhook' and made.entity_id = webhooks.id::text and made.action = 'added' and made.actor_kind = 'key'
   and exists (select from api_keys where api_keys.id::text = made.actor_id::text);
