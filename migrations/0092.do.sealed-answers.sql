-- Encrypts whole kept answers, with a secret that the database has not.
-- Scans: kept_answers.
alter table kept_answers add column sealed boolean not null default false;

comment on column kept_answers.sealed is 'Whether the body is encrypted; false: an answer of an earlier version';
comment on column kept_answers.secret is 'A secret of the answer, encrypted; deleted after one minute';
