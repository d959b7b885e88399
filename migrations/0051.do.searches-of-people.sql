-- Searches among the people of all companies, in the trail.

alter table audit_changes
  drop constraint audit_changes_action_check,
  add constraint audit_changes_action_check
    check (action in ('added', 'changed', 'removed', 'erased', 'refused', 'searched')) not valid;
