-- Gives companies a time zone, and departments budgets that may be absent and have a history.
-- Scans: departments, audit_changes.

alter table companies
  add column time_zone text not null default 'UTC' constraint companies_time_zone check (time_zone <> ''),
  add column closed_to date;

comment on column companies.time_zone is 'IANA; decides its days and periods';
comment on column companies.closed_to is 'The first day that is not closed: no booking of an earlier one changes; null: none is closed';

create function budget_period_start(of_company uuid, day date) returns date
  language sql stable as $$
  select make_date(first / 12, first % 12 + 1, 1)
    from companies,
         lateral (select case budget_period when 'MONTH' then 1 when 'QUARTER' then 3 else 12 end as length,
                         coalesce(day, (now() at time zone time_zone)::date) as today) given,
         lateral (select (extract(year from today) * 12 + extract(month from today))::integer - fiscal_year_start as months) since,
         lateral (select months - mod(mod(months, length) + length, length) + fiscal_year_start - 1 as first) period
   where companies.id = of_company
$$;

comment on function budget_period_start(uuid, date) is 'Returns the first day of the budget period of a company on a day; null: today in its time zone';

alter table departments
  alter column budget drop not null,
  add column budget_history text;

comment on column departments.budget         is 'For a budget period of its company, when it was last written; null: none';
comment on column departments.budget_history is 'JSON: from which day on which budget held, in order; the first one held ever since';

create function department_budget(history text, day date) returns numeric
  language sql immutable as $$
  select (each ->> 'budget')::numeric from jsonb_array_elements(history::jsonb) each
   where each ->> 'from' is null or (each ->> 'from')::date <= day
   order by (each ->> 'from')::date desc nulls last limit 1
$$;

comment on function department_budget(text, date) is 'Returns the budget of the period that begins on a day; null: none';

-- A 0.00 from when nobody could say "none": added by a request, which had it by default, and never changed since. A file names its budgets.
update departments set budget = null
 where budget = 0
   and exists (select from audit_changes where entity = 'department' and entity_id = departments.id::text and user_id is null
                 and action = 'added' and run_id is null)
   and not exists (select from audit_changes where entity = 'department' and entity_id = departments.id::text and user_id is null
                     and action = 'changed' and 'budget' = any(fields));
update departments set budget_history = jsonb_build_array(jsonb_build_object('from', null, 'budget', budget::text));

create function keep_budget_history() returns trigger
  language plpgsql security definer as $$
declare
  present date := budget_period_start(new.company_id, null);
begin
  if tg_op = 'INSERT' then
    -- An import that changes a department: the update follows.
    if exists (select from departments where id = new.id) then return new; end if;
    new.budget_history := coalesce(new.budget_history,
      jsonb_build_array(jsonb_build_object('from', null, 'budget', new.budget::text))::text);
  elsif new.budget_history is null or new.budget_history = old.budget_history then
    new.budget_history := (
      select jsonb_agg(each order by each ->> 'from' nulls first)
        from (select each from jsonb_array_elements(old.budget_history::jsonb) each where each ->> 'from' is distinct from present::text
              union all select jsonb_build_object('from', present, 'budget', new.budget::text)) entries (each));
  end if;
  new.budget := department_budget(new.budget_history, present);
  return new;
end
$$;

comment on function keep_budget_history() is 'Keeps the budgets of past periods; a new one holds from the present period on';

create table department_parents (
  company_id    uuid        not null,
  department_id uuid        not null,
  since         timestamptz not null,
  parent_id     uuid,
  primary key (department_id, since)
);

comment on table department_parents is 'Under which department each one was, and since when; no foreign keys, as it stays when one is deleted. Written by triggers alone';

create index department_parents_company on department_parents (company_id);

insert into department_parents (company_id, department_id, since, parent_id)
select company_id, id, '-infinity', parent_id from departments;

create function keep_department_parents() returns trigger
  language plpgsql security definer as $$
begin
  insert into department_parents (company_id, department_id, since, parent_id)
  values (new.company_id, new.id, case tg_op when 'INSERT' then '-infinity' else now() end, new.parent_id)
      on conflict (department_id, since) do update set parent_id = excluded.parent_id;
  return null;
end
$$;

comment on function keep_department_parents() is 'Notes under which department one is from now on';

create function replace_department_parent() returns trigger
  language plpgsql security definer as $$
begin
  delete from department_parents where department_id = new.department_id and since = new.since;
  return new;
end
$$;

comment on function replace_department_parent() is 'Makes room for a row of a backup, whose department brought one with it';

-- They find this schema's tables, and no others, whatever the search path of who writes.
do $$
declare
  name text;
begin
  foreach name in array '{budget_period_start(uuid\, date),keep_budget_history(),keep_department_parents(),replace_department_parent()}'::text[] loop
    execute format('alter function %s set search_path = %I, pg_temp', name, current_schema());
  end loop;
end
$$;

create trigger departments_budget before insert on departments
  for each row execute function keep_budget_history();
create trigger departments_budget_changed before update on departments
  for each row when (old.budget is distinct from new.budget or old.budget_history is distinct from new.budget_history)
  execute function keep_budget_history();
create trigger departments_parent_added after insert on departments
  for each row execute function keep_department_parents();
create trigger departments_parent_changed after update on departments
  for each row when (old.parent_id is distinct from new.parent_id) execute function keep_department_parents();
create trigger department_parents_restored before insert on department_parents
  for each row when (pg_trigger_depth() = 0) execute function replace_department_parent();
