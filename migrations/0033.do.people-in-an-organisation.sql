-- Employment of people, and departments as a tree with heads.

alter table users
  add column external_id     text check (char_length(external_id) between 1 and 500),
  add column employee_number text check (char_length(employee_number) between 1 and 50),
  add column job_title       text check (char_length(job_title) between 1 and 200),
  add column cost_center     text check (char_length(cost_center) between 1 and 100),
  add column manager_id      uuid,
  add column start_date      date,
  add column end_date        date,
  -- The target of the keys of managers and heads: they are people of the same company.
  add constraint users_of_company unique (company_id, id),
  -- Deferrable, so that people can move to another company together.
  add constraint users_manager foreign key (company_id, manager_id) references users (company_id, id) deferrable;

comment on column users.external_id     is 'The id that the company''s directory or HR system has for the person';
comment on column users.employee_number is 'Unique in the company, whatever the case of letters';
comment on column users.manager_id      is 'The line manager; managers never form a circle';
comment on column users.start_date      is 'The first day (UTC) on which the person works; null where there is no such limit';
comment on column users.end_date        is 'The last day (UTC) on which the person works; null where there is no such limit';

create unique index users_employee_number on users (company_id, lower_letters(employee_number)) where employee_number is not null;
create unique index users_external_id on users (company_id, external_id) where external_id is not null;
create index users_manager on users (manager_id, name_folded collate "C", id) where manager_id is not null;

-- One external id, for directories and for administrators.
update users set external_id = scim_users.external_id
  from scim_users
 where scim_users.user_id = users.id and scim_users.company_id = users.company_id and scim_users.external_id is not null;
alter table scim_users drop column external_id;

alter table departments
  add column parent_id uuid,
  add column head_id   uuid,
  add constraint departments_parent foreign key (company_id, parent_id) references departments (company_id, id) deferrable,
  add constraint departments_head foreign key (company_id, head_id) references users (company_id, id) deferrable;

comment on column departments.parent_id is 'The department above; null at the top. Parents never form a circle';
comment on column departments.head_id   is 'The person who heads the department';

create index departments_parent on departments (parent_id) where parent_id is not null;
create index departments_head on departments (head_id) where head_id is not null;
