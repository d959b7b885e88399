-- Notes when the DNS records that prove the domains of companies were last seen.
-- Scans: nothing.
create table domain_proofs (
  domain        text        primary key check (char_length(domain) <= 253),
  company_id    uuid        not null references companies on delete cascade,
  looked_at     timestamptz,
  seen_at       timestamptz,
  missing_since timestamptz
);

create index domain_proofs_company on domain_proofs (company_id);

comment on table  domain_proofs               is 'What DNS says of the domains of sign-in connections; filled by looking there each day';
comment on column domain_proofs.seen_at       is 'When the record was last there; null: never, as a Super Admin has set the domain';
comment on column domain_proofs.missing_since is 'Since when a record that was there is gone: after seven days the company loses the domain';
