-- People with one name, and managers whom a directory names before they come.

-- What is there holds to the narrower rule of before.
alter table users
  drop constraint users_last_name_check,
  add constraint users_last_name_check check (char_length(last_name) <= 100) not valid;

alter table scim_users add column manager_value text check (char_length(manager_value) between 1 and 255);

comment on column scim_users.manager_value is 'The manager as the directory names them, until a person of that id, number, address or id of the directory comes';

create index scim_users_manager on scim_users (company_id, lower_letters(manager_value)) where manager_value is not null;
