-- Makes roles: in a company and of the platform.

create table company_roles (
  id            text primary key default gen_random_uuid()::text check (char_length(id) between 1 and 100),
  user_id       uuid not null references users,
  company_id    uuid not null references companies,
  role          text not null check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE')),
  origin        text not null default 'hand' check (origin in ('hand', 'directory', 'groups')),
  holder_name   text,
  holder_limit  money_amount,
  holder_active boolean,
  holder_from   date,
  holder_until  date,
  holder_leaves boolean,

  -- Deferrable: checked at the end of a statement, so that rows can swap theirs.
  unique (user_id, company_id, role) deferrable
);

comment on table  company_roles               is 'Roles that people hold in a company, their own or another';
comment on column company_roles.origin        is 'Who gave the role: an administrator or an import, the roles that a directory sent, or groups alone';
comment on column company_roles.holder_name   is 'The folded name of the person; this and the following ones are kept by triggers';
comment on column company_roles.holder_limit  is 'The approval limit of the person';
comment on column company_roles.holder_leaves is 'Whether the person has a substitute';

create index company_roles_company on company_roles (company_id, role, user_id);
-- Approvers are counted and named in an index alone, however many hold a role: it has what an evaluation needs of each.
create index company_roles_holders on company_roles (company_id, role, holder_name collate "C", user_id)
  include (holder_limit, holder_from, holder_until) where holder_active;
create index company_roles_leaving on company_roles (company_id, role) where holder_active and holder_leaves;

create function keep_role_holder() returns trigger
  language plpgsql security definer as $$
begin
  -- Waits for whoever is changing the person.
  select name_folded, approval_limit, active, start_date, end_date, substitute_id is not null
    into new.holder_name, new.holder_limit, new.holder_active, new.holder_from, new.holder_until, new.holder_leaves
    from users where id = new.user_id for share;
  return new;
end
$$;

comment on function keep_role_holder() is 'Gives a new role what an evaluation needs of its person';

create function keep_roles_of_holder() returns trigger
  language plpgsql security definer as $$
begin
  update company_roles
     set holder_name = new.name_folded, holder_limit = new.approval_limit, holder_active = new.active,
         holder_from = new.start_date, holder_until = new.end_date, holder_leaves = new.substitute_id is not null
   where user_id = new.id;
  return null;
end
$$;

comment on function keep_roles_of_holder() is 'Gives the roles of a changed person what an evaluation needs';

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{keep_role_holder(),keep_roles_of_holder()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

create trigger company_roles_holder before insert or update of user_id on company_roles
  for each row execute function keep_role_holder();
create trigger users_role_holder after update on users
  for each row when ((old.name_folded, old.approval_limit, old.active, old.start_date, old.end_date, old.substitute_id)
                     is distinct from (new.name_folded, new.approval_limit, new.active, new.start_date, new.end_date, new.substitute_id))
  execute function keep_roles_of_holder();

create table system_roles (
  user_id uuid    primary key references users,
  role    text    not null check (role in ('SUPER_ADMIN', 'PLATFORM_RM')),
  active  boolean not null default true
);

comment on table  system_roles        is 'Platform-wide roles, one a person at the most: "systemRoleMap" on the wire';
comment on column system_roles.active is 'A role that is not active is shown and grants nothing';

-- Who approves by a platform role, and who is the last Super Admin.
create index system_roles_role on system_roles (role, user_id);
