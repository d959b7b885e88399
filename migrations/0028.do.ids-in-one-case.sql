-- An id in UUID form is the same in either case of letters: ids that are texts are kept in lower case, as columns of type
-- uuid are. Nothing is changed where two rows would have one id: people have to say which is meant. The audit trail stays.
do $$
declare
  uuid_form constant text := '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
  doubled text;
begin
  with ids as (
    select 1 as sort, 'approval policy' as what, id from approval_policies
    union all
    select 2, 'level of an approval policy', id from approval_policy_levels
    union all
    select 3, 'company role', id from company_roles
    union all
    select 4, 'booking', id from bookings),
  changing as (
    select distinct what, lower(id) as id from ids where id ~ '[A-F]' and id ~* uuid_form),
  found as (
    select sort, what, changing.id, string_agg(ids.id, ', ' order by ids.id collate "C") as ids
      from ids join changing using (what)
     where lower(ids.id) = changing.id group by sort, what, changing.id having count(*) > 1),
  numbered as (
    select found.*, row_number() over (order by sort, id collate "C") as place, count(*) over () as total from found)
  select string_agg(format(E'\n  %s: ids %s', what, ids), '' order by place)
         || case when max(total) > 50 then E'\n  … and ' || (max(total) - 50) || ' more' else '' end
    into doubled from numbered where place <= 50;
  if doubled is not null then
    raise exception using errcode = 'OD001', message =
      'The schema stays as it is, and nothing was changed: from version 28 on an id in UUID form is the same in either case of letters, and these rows would have one id:'
      || doubled
      || E'\nKeep one of each and delete the others (approval-policies/delete or approval-policies/update of the orgdesk that ran until now, or SQL), and start this one again.';
  end if;

  alter table approval_policy_levels drop constraint approval_policy_levels_policy_id_fkey;
  update approval_policies set id = lower(id) where id ~ '[A-F]' and id ~* uuid_form;
  update approval_policy_levels set id = lower(id) where id ~ '[A-F]' and id ~* uuid_form;
  update approval_policy_levels set policy_id = lower(policy_id) where policy_id ~ '[A-F]' and policy_id ~* uuid_form;
  update company_roles set id = lower(id) where id ~ '[A-F]' and id ~* uuid_form;
  update bookings set id = lower(id) where id ~ '[A-F]' and id ~* uuid_form;
  alter table approval_policy_levels
    add constraint approval_policy_levels_policy_id_fkey foreign key (policy_id) references approval_policies;
end
$$;
