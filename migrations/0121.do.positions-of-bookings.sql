-- Gives bookings the position of their last change, so that a mirror reads them without a clock.
-- Scans: bookings.

alter table bookings add column position xid8;

comment on column bookings.position is 'The transaction that wrote it last: nothing changes before the oldest one that is running. Null: not since this column was added';

create index bookings_position on bookings (company_id, position, id collate "C") where position is not null;

create function keep_booking_position() returns trigger
  language plpgsql as $$
begin
  new.position := pg_current_xact_id();
  return new;
end
$$;

comment on function keep_booking_position() is 'Notes the transaction that writes a booking';

create trigger bookings_position before insert or update on bookings for each row execute function keep_booking_position();
-- What a subscription copies has transactions of another server.
alter table bookings enable always trigger bookings_position;
