-- Keeps of each feed of files about people how old its last file was, which columns it had, and whom it brought.
-- Scans: nothing.
create table feeds (
  company_id uuid not null references companies (id) on delete cascade,
  name       text not null check (char_length(name) between 1 and 50),
  as_of      timestamptz,
  columns    jsonb,
  primary key (company_id, name)
);

comment on table  feeds            is 'Files about the people of a company that come again and again';
comment on column feeds.as_of      is 'Age of the newest file that was imported, as far as one said';
comment on column feeds.columns    is 'Names of the columns of the last file that had everybody, by field';

create table feed_people (
  company_id    uuid not null,
  feed          text not null,
  user_id       uuid not null references users (id) on delete cascade,
  address_since timestamptz,
  primary key (company_id, feed, user_id),
  foreign key (company_id, feed) references feeds (company_id, name) on delete cascade
);
create index feed_people_user on feed_people (user_id);

comment on table  feed_people               is 'People whom a feed has brought';
comment on column feed_people.address_since is 'When the feed last changed the e-mail address of the person: a first sign-in after that ends with the next change';
