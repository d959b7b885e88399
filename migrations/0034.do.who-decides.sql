-- To whom an approval policy applies, approvers by their relation to the person, and substitutes.

alter table approval_policies
  add column department_ids text check (department_ids <> ''),
  add column band_ids       text check (band_ids <> ''),
  add column conditions     text check (conditions <> ''),
  add column priority       integer not null default 100 check (priority >= 0),
  add column active         boolean not null default true;

comment on column approval_policies.department_ids is 'Departments to whose people it applies, and those below them, separated by spaces; null: all';
comment on column approval_policies.band_ids       is 'Bands to whose people it applies, separated by spaces; null: all';
comment on column approval_policies.conditions     is 'Facts under which it applies, as JSON: name -> a boolean, or texts of which one holds';
comment on column approval_policies.priority       is 'Of several that apply the one with the lowest number decides';

alter table approval_policy_levels
  drop constraint approval_policy_levels_role_required_check,
  add constraint approval_policy_levels_role_required_check check (role_required in
    ('SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE',
     'LINE_MANAGER', 'SECOND_LINE_MANAGER', 'DEPARTMENT_HEAD'));

alter table users
  add column substitute_id    uuid,
  add column substitute_from  date,
  add column substitute_until date,
  add constraint users_substitute foreign key (company_id, substitute_id) references users (company_id, id) deferrable;

comment on column users.substitute_id is 'Who decides for the person from substitute_from to substitute_until';

create index users_substitute on users (substitute_id) where substitute_id is not null;

-- Instances of the version before go on beside this one: they write it, and nothing reads it any more.
alter table scim_users add column external_id text;

comment on column scim_users.external_id is 'Not used any more: users.external_id';
