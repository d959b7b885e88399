-- The same rule of folding, as a function that a session reads once. As a function of SQL its tables of letters became part of each
-- statement that writes a folded column, and were read anew for each: milliseconds for an update of one row.
do $$
begin
  execute 'create or replace function fold(value text) returns text language plpgsql immutable strict parallel safe as '
    || quote_literal('begin ' || pg_get_function_sqlbody('fold(text)'::regprocedure) || '; end');
end
$$;
