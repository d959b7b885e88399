-- A band is known by its code in its company, a department by its cost code, a person by their e-mail address: whatever
-- the case of letters of any script. Nothing is changed where two would be one: people have to say which is meant.
do $$
declare
  doubled text;
begin
  with found as (
    select 1 as sort, 'band code' as what, company_id, min(code) as value, string_agg(id::text, ', ' order by id) as ids
      from employee_bands group by company_id, lower_letters(code) having count(*) > 1
    union all
    select 2, 'department cost code', company_id, min(cost_code), string_agg(id::text, ', ' order by id)
      from departments group by company_id, lower_letters(cost_code) having count(*) > 1
    union all
    select 3, 'e-mail address', null, min(email), string_agg(id::text, ', ' order by id)
      from users group by lower_letters(email) having count(*) > 1),
  numbered as (
    select found.*, companies.name, row_number() over (order by sort, companies.name, company_id, value) as place,
           count(*) over () as total
      from found left join companies on companies.id = found.company_id)
  select string_agg(format(E'\n  %s "%s"%s: ids %s', what, value, ' of ' || name || ' (' || company_id || ')', ids), '' order by place)
         || case when max(total) > 50 then E'\n  … and ' || (max(total) - 50) || ' more' else '' end
    into doubled from numbered where place <= 50;
  if doubled is not null then
    raise exception using errcode = 'OD001', message =
      'The schema stays as it is, and nothing was changed: what has to be unique from version 21 on, in either case of letters, stands more than once:'
      || doubled
      || E'\nGive each of them its own (bands/update, departments/update, users/update or the console of the orgdesk that ran until now, or SQL), and start this one again.';
  end if;
end
$$;

-- As a function that a session reads once, like fold() (0018): indexes call it for each row.
do $$
begin
  execute 'create or replace function lower_letters(value text) returns text language plpgsql immutable strict parallel safe as '
    || quote_literal('begin ' || pg_get_function_sqlbody('lower_letters(text)'::regprocedure) || '; end');
end
$$;

comment on function lower_letters(text) is 'A text without regard to case: how e-mail addresses and codes are compared, and what filters of SCIM compare';

drop index users_email;
create unique index users_email on users (lower_letters(email));
drop index companies_gstin;
create unique index companies_gstin on companies (lower_letters(gstin));
create unique index employee_bands_code on employee_bands (company_id, lower_letters(code));
create unique index departments_cost_code on departments (company_id, lower_letters(cost_code));
