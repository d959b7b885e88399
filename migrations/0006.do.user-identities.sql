-- How an identity provider calls the people.

create table user_identities (
  issuer    text        not null check (char_length(issuer) between 1 and 500),
  subject   text        not null check (char_length(subject) between 1 and 255),
  user_id   uuid        not null references users,
  linked_at timestamptz not null default now(),

  primary key (issuer, subject),
  -- Whoever gets a used e-mail address at the provider later on does not get the user of the one before.
  unique (user_id, issuer)
);

comment on table  user_identities           is 'Who of an identity provider is which user; kept when an e-mail address changes';
comment on column user_identities.issuer    is 'The provider: iss of its tokens';
comment on column user_identities.subject   is 'What the provider calls the person: sub of its tokens';
comment on column user_identities.linked_at is 'When the person first signed in';
