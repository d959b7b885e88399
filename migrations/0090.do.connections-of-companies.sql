-- Lets several companies name one issuer and audience, and a connection let in guests of its company.
-- Scans: sign_in_connections, sign_in_connections.

-- The company of the person decides which of the connections of one issuer and audience counts.
alter table sign_in_connections drop constraint sign_in_connections_issuer;
alter table sign_in_connections add constraint sign_in_connections_issuer unique (company_id, issuer, audience);
create index sign_in_connections_by_issuer on sign_in_connections (issuer);

alter table sign_in_connections
  add column guests          boolean not null default false,
  add column discovery_url   text    check (discovery_url ~ '^https?://\S+$' and char_length(discovery_url) <= 500),
  add column demanded_claims text    not null default '{}' check (char_length(demanded_claims) <= 2000);

comment on column sign_in_connections.guests          is 'Whether it also signs in people of other companies who hold a role in this one';
comment on column sign_in_connections.discovery_url   is 'Where its discovery document is; null: below the issuer';
comment on column sign_in_connections.demanded_claims is 'Claims that its tokens must have, a JSON object of names and values';
