-- What a form shows of a place beside its name. Rows of before have none of it until the geography is loaded again,
-- which the service does by itself at its next start.

alter table countries
  add column phone_code  text         check (phone_code ~ '^[0-9]{1,15}$'),
  add column currency    text         check (currency ~ '^[A-Z]{3}$'),
  add column flag        text         check (flag <> '' and char_length(flag) <= 20),
  add column native_name display_name,
  add column latitude    integer      check (latitude between -900000000 and 900000000),
  add column longitude   integer      check (longitude between -1800000000 and 1800000000);

comment on column countries.phone_code  is 'International calling code, digits alone';
comment on column countries.currency    is 'ISO 4217 code';
comment on column countries.flag        is 'The flag as an emoji';
comment on column countries.native_name is 'The name in the country''s own language';
comment on column countries.latitude    is 'In ten-millionths of a degree, a centimetre: quicker to read and write than fractions';
comment on column countries.longitude   is 'In ten-millionths of a degree';

alter table cities
  add column latitude   integer check (latitude between -900000000 and 900000000),
  add column longitude  integer check (longitude between -1800000000 and 1800000000),
  add column timezone   text    check (timezone <> '' and timezone !~ '[\u0000-\u001f\u007f]'),
  add column population integer          check (population >= 0);

comment on column cities.latitude   is 'In ten-millionths of a degree';
comment on column cities.longitude  is 'In ten-millionths of a degree';
comment on column cities.timezone   is 'Name in the IANA time zone database';
comment on column cities.population is 'That of the GeoNames place it is; 0 where GeoNames knows none, null where there is no such place';
