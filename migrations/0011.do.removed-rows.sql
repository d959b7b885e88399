-- The audit trail also says that something was removed.

alter table audit_changes
  drop constraint audit_changes_action_check,
  -- Not looked at again: what is there holds to the narrower one of before, and never changes.
  add constraint audit_changes_action_check check (action in ('added', 'changed', 'removed', 'erased')) not valid;

comment on table  audit_changes        is 'The audit trail: one row for each thing that was added, changed or removed. Rows are never changed or removed';
comment on column audit_changes.fields is 'The fields that changed, as the API calls them; empty for what was added or removed';
