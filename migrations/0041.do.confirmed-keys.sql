-- API keys that go on after the person who made them has left: an administrator answers for them.

alter table api_keys add column confirmed_by uuid references users on delete set null;

comment on column api_keys.confirmed_by is 'The administrator who answers for it since its maker no longer can; null: the maker does';
