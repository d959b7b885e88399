-- Gives companies the country by whose national forms telephone numbers are read.
-- Scans: companies.

alter table companies add column country text;
alter table companies add constraint companies_country check (country ~ '^[A-Z]{2}$') not valid;

comment on column companies.country is 'ISO 3166-1; null: telephone numbers are read in international form alone';

-- The form of an Indian GSTIN, as src/entities/gstin.ts has it.
create function country_of_gstin(gstin text) returns text immutable language sql as $$
  select case when gstin ~* '^\d\d(?=\d{0,4}[A-Z])[A-Z\d]{13}$' then 'IN' end
$$;

update companies set country = country_of_gstin(gstin) where country_of_gstin(gstin) is not null;

-- Also for companies that a former version inserts.
create function keep_country() returns trigger language plpgsql as $$
begin
  new.country := coalesce(new.country, country_of_gstin(new.gstin));
  return new;
end $$;

create trigger companies_country before insert on companies for each row execute function keep_country();
