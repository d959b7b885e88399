-- The changes of one thing are found by an index. Those of people are found by the person: only what is changed seldom stands in it.
create index audit_changes_thing on audit_changes (entity, entity_id, position, id)
  where entity in ('company', 'department', 'band', 'approvalPolicy', 'approvalPolicyLevel', 'apiKey', 'webhook');
-- Of levels of a policy that are gone the trail alone knows whose they were.
create index audit_changes_level on audit_changes ((coalesce(field_values -> 'policyId' ->> 1, field_values -> 'policyId' ->> 0)))
  where entity = 'approvalPolicyLevel';
