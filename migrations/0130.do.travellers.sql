-- Adds what people need to travel: legal name, preferences, documents, programmes, and who arranges their trips.
-- Scans: nothing.

create table travellers (
  id                 uuid        primary key default gen_random_uuid(),
  user_id            uuid        not null references users,
  legal_given        text,
  legal_middle       text,
  legal_family       text,
  legal_suffix       text,
  title              text,
  document_gender    text        check (document_gender in ('F', 'M', 'X')),
  nationality        text,
  home_city_id       integer,
  home_city          text,
  home_state_id      integer,
  home_country_code  text,
  home_airport       text,
  language           text,
  time_zone          text,
  seat               text,
  meal               text,
  room               text,
  accessibility      text,
  notes              text,
  emergency_name     text,
  emergency_relation text,
  emergency_phone    text,
  emergency_email    text,
  updated_at         timestamptz(3) not null default now(),
  constraint travellers_user unique (user_id)
);

comment on table  travellers               is 'What a person needs to travel, next to the row of users';
comment on column travellers.legal_given   is 'Legal names are as in the machine-readable zone of a passport; null: the name of the person';
comment on column travellers.home_city_id  is 'A city of the geography, which is no table; home_state_id likewise a state';
comment on column travellers.accessibility is 'Codes of IATA for special service requests, separated by spaces';

create table traveller_documents (
  id              uuid    primary key default gen_random_uuid(),
  user_id         uuid    not null references users,
  type            text    not null check (type in ('PASSPORT', 'NATIONAL_ID', 'RESIDENCE', 'VISA', 'KNOWN_TRAVELLER', 'REDRESS')),
  number          text    not null,
  last_four       text    not null,
  issuing_country text    not null,
  nationality     text,
  issued_on       date,
  expires_on      date,
  is_primary      boolean not null default false
);

comment on table  traveller_documents           is 'Passports, visas and the like';
comment on column traveller_documents.number    is 'Encrypted, see src/features/travellers/sealed-numbers.ts';
comment on column traveller_documents.last_four is 'The last characters of the number';

create index traveller_documents_user on traveller_documents (user_id);
create index traveller_documents_expires_on on traveller_documents (expires_on);

create table traveller_programmes (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references users,
  kind       text not null check (kind in ('AIR', 'HOTEL', 'CAR', 'RAIL')),
  supplier   text not null,
  number     text not null,
  last_four  text not null,
  tier       text,
  expires_on date
);

comment on table  traveller_programmes        is 'Memberships of loyalty programmes';
comment on column traveller_programmes.number is 'Encrypted, as that of a document';

create index traveller_programmes_user on traveller_programmes (user_id);

create table traveller_arrangers (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references users,
  arranger_id uuid not null references users,
  until       date,
  may         text not null check (may in ('BOOK', 'BOOK_AND_READ_DOCUMENTS')),
  constraint traveller_arrangers_both unique (user_id, arranger_id)
);

comment on table  traveller_arrangers       is 'Who books for a person';
comment on column traveller_arrangers.until is 'The last day; null: no end';

create index traveller_arrangers_arranger on traveller_arrangers (arranger_id);
