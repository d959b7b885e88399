-- Keeps why tokens of connections were refused, and until when a connection links accounts anew.
-- Scans: nothing.
create table sign_in_refusals (
  connection_id uuid        not null references sign_in_connections on delete cascade,
  reason        text        not null,
  rule          text        not null check (char_length(rule) <= 200),
  claims        text        not null check (char_length(claims) <= 200),
  count         integer     not null default 1,
  refused_at    timestamptz not null default now(),
  primary key (connection_id, reason, rule, claims)
);

comment on table  sign_in_refusals        is 'Why tokens of a connection were refused: the last twenty reasons';
comment on column sign_in_refusals.rule   is 'What the token would have to be';
comment on column sign_in_refusals.claims is 'Names of its claims, separated by spaces';

alter table sign_in_connections add column relink_until timestamptz;

comment on column sign_in_connections.relink_until is
  'Until when an account whose verified address is that of a person takes the place of the one that is linked';
