-- The changes of one request, of one import, or, where there is neither, of one command: the audit trail is listed by these.

create index audit_changes_request on audit_changes ((coalesce(run_id::text, request_id, id::text)), id);
