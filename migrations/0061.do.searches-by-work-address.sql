-- Searches of people look in the work addresses that directories have sent.

alter table scim_users
  add column work_email_folded text generated always as (fold(work_email)) stored;

comment on column scim_users.work_email_folded is 'Searched in';

create index scim_users_searched on scim_users (company_id) include (user_id, work_email_folded)
  where work_email_folded is not null and deleted_at is null;
