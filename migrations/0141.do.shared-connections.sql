-- Lets several companies share a sign-in connection: those with which its company shares it, and those that agreed.
-- Scans: sign_in_connections, sign_in_connections.
alter table sign_in_connections
  add column shared_with text not null default '' check (char_length(shared_with) <= 2000),
  add column agreed_by   text not null default '' check (char_length(agreed_by) <= 2000);

comment on column sign_in_connections.shared_with is 'Ids of companies whose people may sign in by it, too, separated by spaces';
comment on column sign_in_connections.agreed_by   is 'Those of shared_with that agreed: for them alone it counts';

create function keep_agreements() returns trigger language plpgsql as $$
begin
  new.agreed_by := case
    when new.agreed_by = old.agreed_by
     and (new.issuer, new.discovery_url, new.audience, new.subject_claim, new.emails_verified, new.demanded_claims)
         is distinct from (old.issuer, old.discovery_url, old.audience, old.subject_claim, old.emails_verified, old.demanded_claims)
    then ''
    else array_to_string(array(
      select each from unnest(string_to_array(new.agreed_by, ' ')) each
       where each = any (string_to_array(new.shared_with, ' ')) order by each), ' ') end;
  return new;
end $$;

comment on function keep_agreements() is 'Ends agreements to a provider that is another one now, and those of companies with which a connection is shared no more';

create trigger sign_in_connections_agreements before update on sign_in_connections
  for each row when (old.agreed_by <> '' or new.agreed_by <> '') execute function keep_agreements();
