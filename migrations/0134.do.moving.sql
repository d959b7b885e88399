-- Lets the service move those people to another company for whom it has asked, and no others.
-- Scans: nothing.
create function move_users(moves jsonb) returns void
  language plpgsql security definer as $$
begin
  -- Values of fields that only the former company has end.
  update users
     set company_id = to_move.company_id, department_id = to_move.department_id, band_id = to_move.band_id,
         fields = (select jsonb_object_agg(key, value) from jsonb_each(users.fields)
                    where key in (select defined.key from field_definitions defined
                                   where defined.company_id is null and defined.entity = 'user')),
         updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), users.updated_at + interval '1 millisecond')
    from jsonb_to_recordset(moves) to_move (id uuid, company_id uuid, department_id uuid, band_id uuid)
   where users.id = to_move.id
     and exists (select from user_moves asked
                  where asked.user_id = users.id and asked.company_id = to_move.company_id and asked.status = 'OPEN');
end
$$;

comment on function move_users(jsonb) is 'Moves people to companies whose requests for them are open';

do $$
begin
  execute format('alter function move_users(jsonb) set search_path = %I, pg_temp', current_schema());
end
$$;
