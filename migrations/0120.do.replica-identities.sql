-- Lets a publication for all tables work: tables without a primary key name their rows by all columns.
-- Scans: nothing.

alter table user_identities         replica identity full;
alter table booking_sums            replica identity full;
alter table company_counts_users    replica identity full;
alter table company_counts_bookings replica identity full;
