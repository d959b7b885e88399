-- The claim that names a person; when people have signed in; who came back to a directory under another id.

alter table user_identities
  add column claim text not null default 'sub' check (char_length(claim) between 1 and 100);

comment on column user_identities.subject is 'What the provider calls the person';
comment on column user_identities.claim   is 'The claim of its tokens that says so';

create table sign_ins (
  user_id         uuid        primary key references users on delete cascade,
  last_sign_in_at timestamptz,
  refused_at      timestamptz,
  refusal         text        check (char_length(refusal) between 1 and 100),

  check ((refused_at is null) = (refusal is null))
);

comment on table  sign_ins                 is 'When people last signed in, to the hour, and were last refused';
comment on column sign_ins.refusal         is 'Why the token was refused';

insert into sign_ins (user_id, last_sign_in_at)
select user_id, max(linked_at) from user_identities group by user_id;

-- An address changes hands, and so names nobody: whoever had such a link signs in by their verified address anew.
delete from user_identities where subject ~ '^[^@\s]+@[^@\s]+$';

alter table scim_users
  add column left_external_id text check (char_length(left_external_id) between 1 and 500);

comment on column scim_users.left_external_id is 'The external id that an inactive person had before the directory changed it';
