-- Gives the platform roles that every company grants to its people.
-- Scans: own_roles, role_grants, role_grants.

alter table own_roles alter column company_id drop not null;
alter table own_roles drop constraint own_roles_key;
alter table own_roles add constraint own_roles_key unique nulls not distinct (company_id, key) deferrable;

comment on table  own_roles            is 'Roles of a company''s own, and of the platform';
comment on column own_roles.company_id is 'Whose people get it; null: those of every company';

alter table role_grants drop constraint role_grants_role;
alter table role_grants add constraint role_grants_role foreign key (role_id) references own_roles deferrable;
create index role_grants_company on role_grants (role_id, company_id, user_id);

create function check_role_grant() returns trigger
  language plpgsql as $$
begin
  if exists (select from own_roles where id = new.role_id and company_id <> new.company_id) then
    raise foreign_key_violation using message = 'a role is granted in its company alone', constraint = 'role_grants_role';
  end if;
  return new;
end
$$;
comment on function check_role_grant() is 'Keeps grants within the company of their role';

create trigger role_grants_in_company before insert or update of role_id, company_id on role_grants
  for each row execute function check_role_grant();

create trigger role_grants_added after insert on role_grants referencing new table as changed
  for each statement execute function touch_owner('users', 'user_id');
create trigger role_grants_removed after delete on role_grants referencing old table as changed
  for each statement execute function touch_owner('users', 'user_id');

comment on table role_grants is 'Who holds a role: of their company''s own, or of the platform';

alter table unfinished_imports add column own_roles text[];

comment on column unfinished_imports.own_roles is 'Ids of the other roles held in the company before; null: the import leaves them';
