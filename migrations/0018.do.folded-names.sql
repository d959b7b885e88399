-- The same rule of folding, as a function that a session reads once. As a function of SQL its tables of letters became part of each
-- statement that writes a folded column, and were read anew for each: milliseconds for an update of one row.
do $$
begin
  execute 'create or replace function fold(value text) returns text language plpgsql immutable strict parallel safe as '
    || quote_literal('begin ' || pg_get_function_sqlbody('fold(text)'::regprocedure) || '; end');
end
$$;

-- What lists are ordered by stays in its row: outside of it, it would be fetched again for each comparison of a sort.
alter table companies         alter column name_folded set storage main;
alter table departments       alter column name_folded set storage main;
alter table employee_bands    alter column name_folded set storage main;
alter table approval_policies alter column name_folded set storage main;
alter table users             alter column name_folded set storage main;
