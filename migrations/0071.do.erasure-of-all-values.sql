-- An erasure takes the personal values of every entity about a person out of the trail, not of the person alone.
-- Scans: nothing.
create or replace function erase_audit_values(person uuid) returns integer
  language plpgsql as $$
declare
  erased integer;
begin
  delete from audit_personal_values
   using audit_changes
   where audit_changes.id = audit_personal_values.change_id and audit_changes.user_id = person;
  get diagnostics erased = row_count;
  if erased > 0 then
    insert into audit_changes (actor_kind, action, entity, entity_id, user_id, company_id, fields)
    values ('command', 'erased', 'user', person, person, (select company_id from users where id = person), '{}');
  end if;
  return erased;
end
$$;

comment on function erase_audit_values(uuid) is 'Erases the former and new personal values about a person in the audit trail, and notes there that it did; says of how many changes';
