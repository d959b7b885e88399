-- Keeps which people an import has added without an invitation.
-- Scans: nothing.
create table uninvited_people (
  user_id uuid primary key
);

comment on table uninvited_people is 'People whom an import has added without an invitation, until the feed is read for mails';
