-- A connection that first published while the trail was empty kept its plan, which reads all of the trail each time.
alter function publish_audit_changes(integer) set plan_cache_mode = force_custom_plan;
