-- Notes who has got the address of a person who has left.
-- Scans: nothing.

alter table scim_users add column successor_id uuid references users on delete set null deferrable initially deferred;

comment on column scim_users.successor_id is 'The newcomer who has got the address: directories that ask for the one before mean them';

create index scim_users_successor on scim_users (successor_id) where successor_id is not null;
