-- Whom a directory deletes frees their userName; when somebody's roles changed; work addresses that directories match people by.

alter table scim_users add column deleted_user_name text check (char_length(deleted_user_name) <= 254);

comment on column scim_users.deleted_user_name is 'The e-mail address that a deleted person had: their own is <id>@deleted.invalid';

-- Those whom an administrator has activated since are the directory's again; the address of the others is free.
update scim_users set deleted_at = null
  from users where users.id = scim_users.user_id and users.active and scim_users.deleted_at is not null;
update scim_users set deleted_user_name = users.email
  from users where users.id = scim_users.user_id and scim_users.deleted_at is not null;
update users set email = users.id || '@deleted.invalid'
  from scim_users where scim_users.user_id = users.id and scim_users.deleted_at is not null;

create index scim_users_deleted on scim_users (company_id, lower(deleted_user_name collate "C")) where deleted_at is not null;
create index scim_users_work_email on scim_users (company_id, lower_letters(work_email)) where work_email is not null;

-- The last change of the roles of a person, and of a role in a company.
create index audit_changes_roles on audit_changes (user_id, company_id, id) where entity = 'companyRole';
create index audit_changes_role on audit_changes
    (company_id, (coalesce(field_values -> 'role' ->> 1, field_values -> 'role' ->> 0)), id) where entity = 'companyRole';
