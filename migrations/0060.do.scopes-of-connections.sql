-- What the console requests of the provider of a connection.

alter table sign_in_connections
  add column scope text check (char_length(scope) between 1 and 500);

comment on column sign_in_connections.scope is 'The scopes that the console requests; null: openid email';
