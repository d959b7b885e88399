-- Which directory keeps a person up to date.

alter table scim_users add column api_key_id uuid references api_keys;

comment on column scim_users.api_key_id is 'The directory, which is an API key, that has written the person last';

create index scim_users_directory on scim_users (api_key_id, company_id);

update scim_users set api_key_id = (
  select api_keys.id from audit_changes join api_keys on api_keys.id = audit_changes.actor_id
   where audit_changes.user_id = scim_users.user_id and entity = 'user' and actor_kind = 'key'
     and ' ' || scopes || ' ' like '% scim %' and api_keys.company_id = scim_users.company_id
   order by audit_changes.id desc limit 1);
