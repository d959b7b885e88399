-- What concerns nobody is changed seldom: the index has that alone, by a condition that costs the writers of the trail nothing.
drop index audit_changes_thing;
create index audit_changes_thing on audit_changes (entity, entity_id, position, id) where user_id is null;
