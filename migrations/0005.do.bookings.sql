-- Bookings, as far as this service knows them: whose they are and what they cost.

create table bookings (
  id         text         primary key check (char_length(id) between 1 and 100),
  company_id uuid         not null references companies,
  user_id    uuid         not null references users,
  amount     money_amount not null,
  created_at timestamptz  not null default now()
);

comment on table bookings is 'Bookings of a company''s people; counted on the companies list';

create index bookings_company on bookings (company_id);
create index bookings_user on bookings (user_id);
