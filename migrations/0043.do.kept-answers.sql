-- Answers of requests with an Idempotency-Key, which a repeated request gets again.

create table kept_answers (
  id          text        primary key,
  fingerprint text        not null,
  scope       json        not null,
  at          timestamptz not null default now(),
  status      integer     not null,
  headers     json        not null,
  body        text        not null,
  secret      text
);

create index kept_answers_at on kept_answers (at);

comment on table  kept_answers             is 'Answers of the last day to requests with an Idempotency-Key';
comment on column kept_answers.id          is 'Hash of the caller, the operation and the key';
comment on column kept_answers.fingerprint is 'Hash of the query and the body of the request';
comment on column kept_answers.scope       is 'Companies that the caller might access then: who may no longer does not get the answer';
comment on column kept_answers.secret      is 'A secret of the answer, encrypted with the key of the request; told again for one minute';
