create table projects (
  id          uuid        primary key,
  company_id  uuid        not null references companies,
  name        text        not null,
  name_folded text        not null generated always as (fold(name)) stored,
  code        text        not null,
  code_key    text        generated always as (lower_letters(code)) stored,
  owner_id    uuid,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default date_trunc('milliseconds', now()),

  constraint projects_owner foreign key (company_id, owner_id) references users (company_id, id) deferrable,
  constraint projects_code unique (company_id, code_key) deferrable
);

create table travel_documents (
  id         uuid primary key,
  company_id uuid not null references companies,
  user_id    uuid not null,
  kind       text not null,
  number     text not null,

  foreign key (company_id, user_id) references users (company_id, id) deferrable
);
