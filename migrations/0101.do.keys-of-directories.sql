-- Lets a directory have several API keys, one after another.
-- Scans: nothing.

alter table api_keys add column directory_id uuid references api_keys;

comment on column api_keys.directory_id is 'The first key of the directory that this key belongs to, whose people and groups it keeps up; null: it is the first';
comment on column directory_groups.api_key_id is 'The directory that sent the group, by its first key: its keys alone see it';
comment on column scim_users.api_key_id is 'The directory, by its first key, that has written the person last';

create index api_keys_directory on api_keys (directory_id) where directory_id is not null;
