-- Keeps the mails to people, and how far the change feed has been read for them.
-- Scans: nothing.
create table mails (
  id          uuid        primary key default gen_random_uuid(),
  company_id  uuid        references companies,
  user_id     uuid        not null references users,
  kind        text        not null check (char_length(kind) between 1 and 50),
  subject_id  text        check (char_length(subject_id) between 1 and 100),
  created_at  timestamptz not null default now(),
  status      text        not null default 'QUEUED' check (status in ('QUEUED', 'SENT', 'FAILED', 'DROPPED', 'LEFT')),
  attempts    integer     not null default 0,
  next_try_at timestamptz not null default now(),
  error       text        check (char_length(error) <= 100),
  sent_at     timestamptz,

  check ((status = 'SENT') = (sent_at is not null))
);

comment on table  mails             is 'Mails to people; their texts and addresses are read when they are sent';
comment on column mails.subject_id  is 'Id of what it is about: the person, substitution, key or webhook; of a refusal the key of the directory';
comment on column mails.status      is 'DROPPED: the person left before; LEFT: to whoever sends by themselves';
comment on column mails.next_try_at is 'Also the end of the lease of whoever is sending it';
comment on column mails.error       is 'Code of the last answer, without its text, which may have an address';

create index mails_company on mails (company_id, created_at);
create index mails_user on mails (user_id);
create index mails_due on mails (next_try_at) where status = 'QUEUED';
create index mails_sent on mails (company_id, sent_at) where sent_at is not null;

create table mail_progress (
  id       integer primary key default 1 check (id = 1),
  position bigint
);

comment on table  mail_progress          is 'One row: how far the change feed has been read for mails';
comment on column mail_progress.position is 'Null: nothing yet; it begins at the head';

insert into mail_progress (position) values (null);
