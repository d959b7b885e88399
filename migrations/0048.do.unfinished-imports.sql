create table unfinished_imports (
  user_id    uuid   primary key,
  company_id uuid   not null,
  before     jsonb,
  roles      text[] not null
);
comment on table  unfinished_imports            is 'What people were before an import that is being written in pieces; empty once all pieces are written. Embedded database only';
comment on column unfinished_imports.user_id    is 'Somebody whom the import added or changed';
comment on column unfinished_imports.company_id is 'Company of the import';
comment on column unfinished_imports.before     is 'Row of users before; null: the import added it';
comment on column unfinished_imports.roles      is 'Roles held in the company before';
