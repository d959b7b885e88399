-- Makes tables of what approval policies, webhooks and API keys list in a column, with foreign keys.
-- Scans: approval_policies, approval_policies, webhooks, api_keys.

-- The columns stay for the release before, which runs beside this one: whoever writes a column writes the table.
create table approval_policy_departments (
  policy_id     text    not null references approval_policies on delete cascade,
  department_id uuid    not null references departments,
  place         integer not null,
  primary key (policy_id, department_id)
);

comment on table  approval_policy_departments       is 'approval_policies.department_ids, one a row. Written by triggers alone';
comment on column approval_policy_departments.place is 'From 1, in the order of the list';

create index approval_policy_departments_department on approval_policy_departments (department_id);

create table approval_policy_bands (
  policy_id text    not null references approval_policies on delete cascade,
  band_id   uuid    not null references employee_bands,
  place     integer not null,
  primary key (policy_id, band_id)
);

comment on table approval_policy_bands is 'approval_policies.band_ids, one a row. Written by triggers alone';

create index approval_policy_bands_band on approval_policy_bands (band_id);

create table webhook_entities (
  webhook_id uuid    not null references webhooks on delete cascade,
  entity     text    not null,
  place      integer not null,
  primary key (webhook_id, entity)
);

comment on table webhook_entities is 'webhooks.entities, one a row; none: of all things. Written by triggers alone';

create table api_key_scopes (
  api_key_id uuid    not null references api_keys on delete cascade,
  scope      text    not null,
  place      integer not null,
  primary key (api_key_id, scope)
);

comment on table api_key_scopes is 'api_keys.scopes, one a row. Written by triggers alone';

create function keep_list() returns trigger
  language plpgsql security definer as $$
declare
  listed text[] := string_to_array(to_jsonb(new) ->> tg_argv[0], ' ');
begin
  execute format('delete from %I where %I = $1', tg_argv[1], tg_argv[2]) using new.id;
  execute format('insert into %I select $1, each.value::%s, each.place from unnest($2) with ordinality each (value, place) on conflict do nothing', tg_argv[1], tg_argv[3])
    using new.id, listed;
  return null;
end
$$;

comment on function keep_list() is 'Keeps a list as rows. Arguments: the column of the list, the table of the rows, its column with the id, the type of a value';

-- They find this schema's tables, and no others, whatever the search path of who writes; who writes a list needs no right to its table.
alter function keep_sign_in_domains() security definer;
do $$
begin
  execute format('alter function keep_list() set search_path = %I, pg_temp', current_schema());
  execute format('alter function keep_sign_in_domains() set search_path = %I, pg_temp', current_schema());
end
$$;

-- An id of what is there no longer gets no row.
insert into approval_policy_departments
select policy.id, departments.id, each.place
  from approval_policies policy, unnest(string_to_array(department_ids, ' ')) with ordinality each (value, place)
  join departments on departments.id::text = each.value
    on conflict do nothing;
insert into approval_policy_bands
select policy.id, employee_bands.id, each.place
  from approval_policies policy, unnest(string_to_array(band_ids, ' ')) with ordinality each (value, place)
  join employee_bands on employee_bands.id::text = each.value
    on conflict do nothing;
insert into webhook_entities
select id, each.value, each.place from webhooks, unnest(string_to_array(entities, ' ')) with ordinality each (value, place)
    on conflict do nothing;
insert into api_key_scopes
select id, each.value, each.place from api_keys, unnest(string_to_array(scopes, ' ')) with ordinality each (value, place)
    on conflict do nothing;

create trigger approval_policies_departments after insert on approval_policies
  for each row when (new.department_ids is not null)
  execute function keep_list('department_ids', 'approval_policy_departments', 'policy_id', 'uuid');
create trigger approval_policies_departments_changed after update of department_ids on approval_policies
  for each row when (old.department_ids is distinct from new.department_ids)
  execute function keep_list('department_ids', 'approval_policy_departments', 'policy_id', 'uuid');
create trigger approval_policies_bands after insert on approval_policies
  for each row when (new.band_ids is not null)
  execute function keep_list('band_ids', 'approval_policy_bands', 'policy_id', 'uuid');
create trigger approval_policies_bands_changed after update of band_ids on approval_policies
  for each row when (old.band_ids is distinct from new.band_ids)
  execute function keep_list('band_ids', 'approval_policy_bands', 'policy_id', 'uuid');
create trigger webhooks_entities after insert on webhooks
  for each row when (new.entities is not null)
  execute function keep_list('entities', 'webhook_entities', 'webhook_id', 'text');
create trigger webhooks_entities_changed after update of entities on webhooks
  for each row when (old.entities is distinct from new.entities)
  execute function keep_list('entities', 'webhook_entities', 'webhook_id', 'text');
create trigger api_keys_scopes after insert or update of scopes on api_keys
  for each row execute function keep_list('scopes', 'api_key_scopes', 'api_key_id', 'text');

-- Ignored, not refused: a restored dump of the data alone brings these rows as well, and the triggers have made them.
create trigger approval_policy_departments_written before insert on approval_policy_departments
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger approval_policy_bands_written before insert on approval_policy_bands
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger webhook_entities_written before insert on webhook_entities
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger sign_in_domains_written before insert on sign_in_domains
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
create trigger api_key_scopes_written before insert on api_key_scopes
  for each row when (pg_trigger_depth() = 0) execute function ignore_row();
