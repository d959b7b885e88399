-- Who made an API key; people by limit and last change; lines of the audit trail about what was refused, and changes by actor and time.

alter table api_keys add column created_by uuid references users on delete set null;

comment on column api_keys.created_by is 'The person who made it; null where it was the command line';

-- The audit trail has it of keys that are there already.
update api_keys set created_by = users.id
  from audit_changes join users on users.id = audit_changes.actor_id
 where audit_changes.entity = 'apiKey' and audit_changes.entity_id = api_keys.id::text
   and audit_changes.action = 'added' and audit_changes.actor_kind = 'user';

create index api_keys_created_by on api_keys (created_by) where created_by is not null;

alter table audit_changes
  drop constraint audit_changes_action_check,
  -- Not looked at again: what is there holds to the narrower one of before, and never changes.
  add constraint audit_changes_action_check check (action in ('added', 'changed', 'removed', 'erased', 'refused')) not valid;

-- Pages of a company's people in these orders come from an index, as those by name do.
create index users_approval_limit on users (company_id, approval_limit, id);
create index users_updated on users (company_id, updated_at, id);

-- What one person or key changed, and what was changed in some hours.
create index audit_changes_actor on audit_changes (actor_id, position, id) where actor_id is not null;
create index audit_changes_time on audit_changes (changed_at);
