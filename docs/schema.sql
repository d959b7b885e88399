-- The schema after all migrations: tables with their columns, keys, indexes and triggers, then functions; each by name.
-- Written by `npm run docs`: change it by a new file in migrations/.

-- A name as people read it: trimmed, not empty, no control characters
create domain display_name as text check (value <> '' and value = btrim(value) and char_length(value) <= 200 and value !~ '[\u0000-\u001f\u007f]');

-- An amount of money that cannot be negative, NaN or infinite (numeric takes both words)
create domain money_amount as numeric(15,2) check (value >= 0 and value <= 9999999999999.99);

-- api_keys.scopes, one a row. Written by triggers alone
create table api_key_scopes (
  api_key_id uuid not null,
  scope      text not null,
  place      integer not null,
  constraint api_key_scopes_pkey primary key (api_key_id, scope),
  constraint api_key_scopes_api_key_id_fkey foreign key (api_key_id) references api_keys(id) on delete cascade
);
create trigger api_key_scopes_written before insert on api_key_scopes for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- API keys: of a company, or of the platform where they have none
create table api_keys (
  id           uuid not null,
  company_id   uuid,
  name         text not null,
  -- What the key opens: scopes separated by blanks
  scopes       text not null,
  -- The first characters of the key, by which people know it again
  prefix       text not null,
  -- SHA-256 of the key in hexadecimal; the key itself is nowhere
  hash         text not null,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  -- To the minute
  last_used_at timestamptz,
  -- The person who made it; null where it was the command line
  created_by   uuid,
  -- The administrator who answers for it since its maker no longer can; null: the maker does
  confirmed_by uuid,
  -- The directory of a key for SCIM; null: the one with the id of the key
  directory_id uuid,
  constraint api_keys_pkey primary key (id),
  constraint api_keys_hash_key unique (hash),
  constraint api_keys_company_id_fkey foreign key (company_id) references companies(id),
  constraint api_keys_confirmed_by_fkey foreign key (confirmed_by) references users(id) on delete set null,
  constraint api_keys_created_by_fkey foreign key (created_by) references users(id) on delete set null,
  constraint api_keys_directory foreign key (directory_id) references directories(id) on delete set null,
  constraint api_keys_hash_check check (hash ~ '^[0-9a-f]{64}$'),
  constraint api_keys_name_check check (char_length(name) >= 1 and char_length(name) <= 100),
  constraint api_keys_scopes_check check (scopes <> '')
);
create index api_keys_company on api_keys (company_id, created_at, id);
create index api_keys_created_by on api_keys (created_by) where created_by is not null;
create index api_keys_directory on api_keys (directory_id) where directory_id is not null;
create trigger api_keys_directory after insert on api_keys for each row when (new.directory_id is null and new.company_id is not null and new.revoked_at is null and ('scim' = any (string_to_array(new.scopes, ' ')))) execute function keep_directory();
create trigger api_keys_scopes after insert or update of scopes on api_keys for each row execute function keep_list('scopes', 'api_key_scopes', 'api_key_id', 'text');

-- Approval policies of a company
create table approval_policies (
  id                  text not null,
  company_id          uuid not null,
  name                display_name not null,
  -- Amounts up to this one are approved by themselves
  auto_approval_limit money_amount not null,
  name_folded         text storage main generated always as (fold(name::text)) stored,
  -- Departments to whose people it applies, and those below them, separated by spaces; null: all
  department_ids      text,
  -- Bands to whose people it applies, separated by spaces; null: all
  band_ids            text,
  -- Facts under which it applies, as JSON: name -> a boolean, or texts of which one holds
  conditions          text,
  -- Of several that apply the one with the lowest number decides
  priority            integer not null default 100,
  active              boolean not null default true,
  -- Moves with the levels, too. Of rows from before this column: when it was added
  updated_at          timestamptz not null default now(),
  -- Cost centres to whose people it applies, as a JSON list; null: all
  cost_centers        text,
  -- Job titles of the people to whom it applies, as a JSON list; null: all
  job_titles          text,
  -- Countries to whose people it applies, as a JSON list; null: all
  country_codes       text,
  -- Kinds of people to whom it applies, as a JSON list; null: all
  worker_types        text,
  -- People to whom it applies, separated by spaces; null: all
  user_ids            text,
  -- First day; null: since ever
  applies_from        date,
  -- Last day; null: for ever
  applies_until       date,
  -- Who is asked where a step would have nobody, separated by spaces
  default_user_ids    text,
  -- The group, in company_groups or directory_groups, that is asked where a step would have nobody
  default_group_id    uuid,
  -- Whether each signature is of another person
  is_distinct         boolean not null default false,
  -- SMALLER: the limits of the band count too; POLICY: they do not
  limit_rule          text not null default 'SMALLER',
  -- Whether nobody approves who is below the person who books
  exclude_reports     boolean not null default false,
  -- How much more than was approved needs no new approval, in percent
  reapprove_percent   money_amount,
  -- How much more than was approved needs no new approval
  reapprove_amount    money_amount,
  -- Of rows from before this column: by the trail, otherwise the change before
  created_at          timestamptz not null default now(),
  -- Values of field_definitions, by key
  fields              jsonb,
  -- The id that another system has for it, unique in the company
  external_key        text,
  constraint approval_policies_pkey primary key (id),
  constraint approval_policies_external_id unique (company_id, external_key) deferrable,
  constraint approval_policies_company_id_fkey foreign key (company_id) references companies(id),
  constraint approval_policies_band_ids_check check (band_ids <> ''),
  constraint approval_policies_conditions_check check (conditions <> ''),
  constraint approval_policies_cost_centers_check check (cost_centers <> ''),
  constraint approval_policies_country_codes_check check (country_codes <> ''),
  constraint approval_policies_default_user_ids_check check (default_user_ids <> ''),
  constraint approval_policies_department_ids_check check (department_ids <> ''),
  constraint approval_policies_fields_check check (jsonb_typeof(fields) = 'object'),
  constraint approval_policies_id_check check (char_length(id) >= 1 and char_length(id) <= 100),
  constraint approval_policies_job_titles_check check (job_titles <> ''),
  constraint approval_policies_limit_rule_check check (limit_rule in ('SMALLER', 'POLICY')),
  constraint approval_policies_priority_check check (priority >= 0),
  constraint approval_policies_user_ids_check check (user_ids <> ''),
  constraint approval_policies_worker_types_check check (worker_types <> '')
);
create index approval_policies_default_group on approval_policies (default_group_id) where default_group_id is not null;
create index approval_policies_order on approval_policies (company_id, name_folded collate "C", id collate "C");
create constraint trigger approval_policies_default_group_added after insert on approval_policies deferrable initially immediate for each row when (new.default_group_id is not null) execute function check_named_group('default_group_id');
create constraint trigger approval_policies_default_group_changed after update of default_group_id on approval_policies deferrable initially immediate for each row when (new.default_group_id is distinct from old.default_group_id and new.default_group_id is not null) execute function check_named_group('default_group_id');
create trigger approval_policies_bands after insert on approval_policies for each row when (new.band_ids is not null) execute function keep_list('band_ids', 'approval_policy_bands', 'policy_id', 'uuid');
create trigger approval_policies_bands_changed after update of band_ids on approval_policies for each row when (old.band_ids is distinct from new.band_ids) execute function keep_list('band_ids', 'approval_policy_bands', 'policy_id', 'uuid');
create trigger approval_policies_defaults after insert on approval_policies for each row when (new.default_user_ids is not null) execute function keep_list('default_user_ids', 'approval_policy_defaults', 'policy_id', 'uuid');
create trigger approval_policies_defaults_changed after update of default_user_ids on approval_policies for each row when (old.default_user_ids is distinct from new.default_user_ids) execute function keep_list('default_user_ids', 'approval_policy_defaults', 'policy_id', 'uuid');
create trigger approval_policies_departments after insert on approval_policies for each row when (new.department_ids is not null) execute function keep_list('department_ids', 'approval_policy_departments', 'policy_id', 'uuid');
create trigger approval_policies_departments_changed after update of department_ids on approval_policies for each row when (old.department_ids is distinct from new.department_ids) execute function keep_list('department_ids', 'approval_policy_departments', 'policy_id', 'uuid');
create trigger approval_policies_people after insert on approval_policies for each row when (new.user_ids is not null) execute function keep_list('user_ids', 'approval_policy_people', 'policy_id', 'uuid');
create trigger approval_policies_people_changed after update of user_ids on approval_policies for each row when (old.user_ids is distinct from new.user_ids) execute function keep_list('user_ids', 'approval_policy_people', 'policy_id', 'uuid');

-- approval_policies.band_ids, one a row. Written by triggers alone
create table approval_policy_bands (
  policy_id text not null,
  band_id   uuid not null,
  place     integer not null,
  constraint approval_policy_bands_pkey primary key (policy_id, band_id),
  constraint approval_policy_bands_band_id_fkey foreign key (band_id) references employee_bands(id),
  constraint approval_policy_bands_policy_id_fkey foreign key (policy_id) references approval_policies(id) on delete cascade
);
create index approval_policy_bands_band on approval_policy_bands (band_id);
create trigger approval_policy_bands_written before insert on approval_policy_bands for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- approval_policies.default_user_ids, one a row. Written by triggers alone
create table approval_policy_defaults (
  policy_id text not null,
  user_id   uuid not null,
  place     integer not null,
  constraint approval_policy_defaults_pkey primary key (policy_id, user_id),
  constraint approval_policy_defaults_policy_id_fkey foreign key (policy_id) references approval_policies(id) on delete cascade,
  constraint approval_policy_defaults_user_id_fkey foreign key (user_id) references users(id)
);
create index approval_policy_defaults_user on approval_policy_defaults (user_id);
create trigger approval_policy_defaults_written before insert on approval_policy_defaults for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- approval_policies.department_ids, one a row. Written by triggers alone
create table approval_policy_departments (
  policy_id     text not null,
  department_id uuid not null,
  -- From 1, in the order of the list
  place         integer not null,
  constraint approval_policy_departments_pkey primary key (policy_id, department_id),
  constraint approval_policy_departments_department_id_fkey foreign key (department_id) references departments(id),
  constraint approval_policy_departments_policy_id_fkey foreign key (policy_id) references approval_policies(id) on delete cascade
);
create index approval_policy_departments_department on approval_policy_departments (department_id);
create trigger approval_policy_departments_written before insert on approval_policy_departments for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- approval_policy_levels.user_ids, one a row. Written by triggers alone
create table approval_policy_level_people (
  level_id text not null,
  user_id  uuid not null,
  place    integer not null,
  constraint approval_policy_level_people_pkey primary key (level_id, user_id),
  constraint approval_policy_level_people_level_id_fkey foreign key (level_id) references approval_policy_levels(id) on delete cascade,
  constraint approval_policy_level_people_user_id_fkey foreign key (user_id) references users(id)
);
create index approval_policy_level_people_user on approval_policy_level_people (user_id);
create trigger approval_policy_level_people_written before insert on approval_policy_level_people for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- The steps of an approval policy, by ascending level
create table approval_policy_levels (
  id            text not null default gen_random_uuid()::text,
  policy_id     text not null,
  level         integer not null,
  role_required text not null,
  -- From this amount on the level has to approve
  min_amount    money_amount not null,
  -- From 1: several levels of one number are parallel
  part          integer not null default 1,
  -- Up to this amount the level has to approve; null: up to any
  max_amount    money_amount,
  -- How many different people have to approve
  min_approvers integer not null default 1,
  -- ANY: min_approvers of its people approve; ALL: all of them
  mode          text not null default 'ANY',
  -- Of USERS: the people who approve, separated by spaces
  user_ids      text,
  -- Of GROUP: the group, in company_groups or directory_groups, whose members approve; null once a directory has removed it
  group_id      uuid,
  -- Of ROLE: the role of the company's own whose holders approve
  role_id       uuid,
  constraint approval_policy_levels_pkey primary key (id),
  constraint approval_policy_levels_policy_id_level_key unique (policy_id, level, part) deferrable,
  constraint approval_policy_levels_policy_id_fkey foreign key (policy_id) references approval_policies(id),
  constraint approval_policy_levels_role_id_fkey foreign key (role_id) references own_roles(id) deferrable,
  constraint approval_policy_levels_id_check check (char_length(id) >= 1 and char_length(id) <= 100),
  constraint approval_policy_levels_level_check check (level >= 1),
  constraint approval_policy_levels_min_approvers_check check (min_approvers >= 1),
  constraint approval_policy_levels_mode_check check (mode in ('ANY', 'ALL')),
  constraint approval_policy_levels_part_check check (part >= 1),
  constraint approval_policy_levels_role_required_check check (role_required in ('SUPER_ADMIN', 'PLATFORM_RM', 'CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE', 'LINE_MANAGER', 'SECOND_LINE_MANAGER', 'DEPARTMENT_HEAD', 'MANAGEMENT_CHAIN', 'COST_CENTER_OWNER', 'USERS', 'GROUP', 'ROLE')),
  constraint approval_policy_levels_user_ids_check check (user_ids <> '')
);
create index approval_policy_levels_group on approval_policy_levels (group_id) where group_id is not null;
create index approval_policy_levels_role on approval_policy_levels (role_id) where role_id is not null;
create constraint trigger approval_policy_levels_group_added after insert on approval_policy_levels deferrable initially immediate for each row when (new.group_id is not null) execute function check_named_group('group_id');
create constraint trigger approval_policy_levels_group_changed after update of group_id on approval_policy_levels deferrable initially immediate for each row when (new.group_id is distinct from old.group_id and new.group_id is not null) execute function check_named_group('group_id');
create trigger approval_policy_levels_added after insert on approval_policy_levels referencing new table as changed for each statement execute function touch_owner('approval_policies', 'policy_id');
create trigger approval_policy_levels_changed after update on approval_policy_levels referencing new table as changed for each statement execute function touch_owner('approval_policies', 'policy_id');
create trigger approval_policy_levels_people after insert on approval_policy_levels for each row when (new.user_ids is not null) execute function keep_list('user_ids', 'approval_policy_level_people', 'level_id', 'uuid');
create trigger approval_policy_levels_people_changed after update of user_ids on approval_policy_levels for each row when (old.user_ids is distinct from new.user_ids) execute function keep_list('user_ids', 'approval_policy_level_people', 'level_id', 'uuid');
create trigger approval_policy_levels_removed after delete on approval_policy_levels referencing old table as changed for each statement execute function touch_owner('approval_policies', 'policy_id');

-- approval_policies.user_ids, one a row. Written by triggers alone
create table approval_policy_people (
  policy_id text not null,
  user_id   uuid not null,
  place     integer not null,
  constraint approval_policy_people_pkey primary key (policy_id, user_id),
  constraint approval_policy_people_policy_id_fkey foreign key (policy_id) references approval_policies(id) on delete cascade,
  constraint approval_policy_people_user_id_fkey foreign key (user_id) references users(id)
);
create index approval_policy_people_user on approval_policy_people (user_id);
create trigger approval_policy_people_written before insert on approval_policy_people for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- The audit trail: one row for each thing that was added, changed or removed. Rows are never changed; old ones are removed where AUDIT_RETENTION says so
create table audit_changes (
  -- Taken while the changed row is locked: among the changes of one row a later one has a higher id
  id           bigint not null generated always as identity,
  -- The place in the change feed, from 1 without gaps; null until the change is published
  position     bigint,
  changed_at   timestamptz not null default clock_timestamp(),
  -- What changed it: a user or an API key by a request, an import, a command
  actor_kind   text not null,
  actor_id     uuid,
  request_id   text,
  -- The import: all its changes have the same one
  run_id       uuid,
  action       text not null,
  -- What was changed, as the API calls it; the code knows which there are
  entity       text not null,
  entity_id    text not null,
  -- The person concerned; null where it is none
  user_id      uuid,
  -- The company concerned, after the change; null where it is none
  company_id   uuid,
  -- The fields that changed, as the API calls them; of what was added or removed those that have a value
  fields       text[] not null,
  -- Field -> [before, after], of the fields that are not personal; what was added has null before, what was removed null after
  field_values jsonb,
  constraint audit_changes_pkey primary key (id),
  constraint audit_changes_action_check check (action in ('added', 'changed', 'removed', 'erased', 'refused', 'searched')),
  constraint audit_changes_actor_kind_check check (actor_kind in ('user', 'key', 'import', 'command')),
  constraint audit_changes_check check (case when actor_kind in ('user', 'key') then actor_id is not null and request_id is not null and run_id is null when actor_kind = 'import' then run_id is not null and actor_id is null and request_id is null else actor_id is null and request_id is null and run_id is null end),
  constraint audit_changes_entity_check check (entity ~ '^[a-z][A-Za-z]{1,49}$'),
  constraint audit_changes_fields check (action <> 'changed' or fields <> '{}'),
  constraint audit_changes_position_check check (position >= 1),
  constraint audit_changes_request_id_check check (char_length(request_id) >= 1 and char_length(request_id) <= 128)
);
create index audit_changes_actor on audit_changes (actor_id, position, id) where actor_id is not null;
create index audit_changes_company on audit_changes (company_id, position, id) where company_id is not null;
-- Of levels of a policy that are gone the trail alone knows whose they were
create index audit_changes_level on audit_changes (coalesce((field_values -> 'policyId') ->> 1, (field_values -> 'policyId') ->> 0)) where entity = 'approvalPolicyLevel';
create index audit_changes_order on audit_changes (position, id);
-- The changes of one request, of one import, or, where there is neither, of one command
create index audit_changes_request on audit_changes (coalesce(run_id::text, request_id, id::text), id);
create index audit_changes_role on audit_changes (company_id, coalesce((field_values -> 'role') ->> 1, (field_values -> 'role') ->> 0), id) where entity = 'companyRole';
create index audit_changes_roles on audit_changes (user_id, company_id, id) where entity = 'companyRole';
-- The changes of a thing. Those of people are found by the person: what concerns nobody is changed seldom
create index audit_changes_thing on audit_changes (entity, entity_id, position, id) where user_id is null;
create index audit_changes_time on audit_changes (changed_at);
create index audit_changes_user on audit_changes (user_id, position, id) where user_id is not null;
-- Says itself that no place is given twice
create unique index audit_changes_position on audit_changes (position) where position is not null;
create trigger audit_changes_kept before delete or truncate on audit_changes for each statement execute function refuse_audit_change();
-- All that may be written later on is the position, once
create trigger audit_changes_unchanged before update on audit_changes for each row when (old.position is not null or old.id is distinct from new.id or old.changed_at is distinct from new.changed_at or old.actor_kind is distinct from new.actor_kind or old.actor_id is distinct from new.actor_id or old.request_id is distinct from new.request_id or old.run_id is distinct from new.run_id or old.action is distinct from new.action or old.entity is distinct from new.entity or old.entity_id is distinct from new.entity_id or old.user_id is distinct from new.user_id or old.company_id is distinct from new.company_id or old.fields is distinct from new.fields or old.field_values is distinct from new.field_values) execute function refuse_audit_change();

-- The personal values of the audit trail, apart from it so that they can be erased
create table audit_personal_values (
  -- No foreign key: both rows are written by one statement
  change_id    bigint not null,
  -- Field -> [before, after]
  field_values jsonb not null,
  constraint audit_personal_values_pkey primary key (change_id)
);
-- Rows of it may go: that is what erasing is
create trigger audit_personal_values_unchanged before update or truncate on audit_personal_values for each statement execute function refuse_audit_change();

-- As booking_sums, by person, band and category. Written by triggers alone
create table booking_group_sums (
  id         bigint not null generated always as identity,
  company_id uuid not null,
  -- PERSON, BAND or CATEGORY
  kind       text not null,
  -- The id of the person or band, or the category
  value      text,
  -- The first day of the month, in the time zone of the company
  month      date not null,
  -- Bookings that came, less those that went
  bookings   bigint not null,
  amount     numeric not null,
  constraint booking_group_sums_pkey primary key (id)
);
create index booking_group_sums_month on booking_group_sums (company_id, kind, month) include (value, bookings, amount);
create trigger booking_group_sums_written before insert on booking_group_sums for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- Number and amount of the bookings that are not cancelled: the sums of these rows. Written by triggers alone
create table booking_sums (
  company_id    uuid not null,
  department_id uuid,
  cost_center   text,
  -- The first day of the month, in the time zone of the company
  month         date not null,
  -- Bookings that came, less those that went
  bookings      bigint not null,
  amount        numeric not null
);
create index booking_sums_month on booking_sums (company_id, department_id, month);
-- Only triggers write, as in company_counts
create trigger booking_sums_written before insert on booking_sums for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- Bookings of a company's people; counted on the companies list, summed in booking_sums
create table bookings (
  id              text not null,
  company_id      uuid not null,
  user_id         uuid not null,
  -- Negative: a refund of another booking
  amount          numeric(15,2) not null,
  created_at      timestamptz not null default now(),
  -- The department in which it was made; no foreign key, as it stays when the department is deleted
  department_id   uuid,
  -- The cost centre for which it was made
  cost_center     text,
  reference       text,
  status          text not null default 'BOOKED',
  -- When it was last recorded with other content
  updated_at      timestamptz not null default now(),
  -- The booking that a negative amount gives back; no foreign key, as an import may bring the refund first
  refund_of       text,
  -- When it was cancelled
  cancelled_at    timestamptz,
  -- Cancelled after its budget period, or after that was closed: it counts where it was made, and less where it was cancelled
  reversed        boolean not null default false,
  category        text,
  travel_date     date,
  -- The band of its person when it was made; no foreign key, as it stays when the band is deleted
  band_id         uuid,
  -- The transaction that wrote it last: nothing changes before the oldest one that is running. Null: not since this column was added
  position        xid8,
  -- Values of field_definitions, by key
  fields          jsonb,
  -- Legal entity of the person when it was made, also one that is gone
  legal_entity_id uuid,
  constraint bookings_pkey primary key (id),
  constraint bookings_company_id_fkey foreign key (company_id) references companies(id),
  constraint bookings_user_id_fkey foreign key (user_id) references users(id),
  constraint bookings_amount check (amount <> 'NaN'::numeric and (amount >= 0 or refund_of is not null)),
  constraint bookings_category check (char_length(category) >= 1 and char_length(category) <= 100),
  constraint bookings_cost_center check (char_length(cost_center) >= 1 and char_length(cost_center) <= 100),
  constraint bookings_fields_check check (jsonb_typeof(fields) = 'object'),
  constraint bookings_id_check check (char_length(id) >= 1 and char_length(id) <= 100),
  constraint bookings_reference check (char_length(reference) >= 1 and char_length(reference) <= 100),
  constraint bookings_reversed check (not reversed or cancelled_at is not null),
  constraint bookings_status check (status in ('BOOKED', 'CANCELLED'))
);
create index bookings_counted on bookings (company_id, created_at) include (department_id, cost_center, amount, status, reversed);
create index bookings_fields on bookings using gin (fields jsonb_path_ops) where fields is not null;
create index bookings_given_back on bookings (company_id) where amount < 0 or reversed;
create index bookings_made on bookings (company_id, created_at, id collate "C");
create index bookings_of_department on bookings (company_id, department_id, created_at);
create index bookings_position on bookings (company_id, position, id collate "C") where position is not null;
create index bookings_reversals on bookings (company_id, cancelled_at) where reversed;
create index bookings_updated on bookings (company_id, updated_at, id collate "C");
create index bookings_user on bookings (user_id);
create trigger bookings_added after insert on bookings referencing new table as added for each statement execute function keep_company_counts();
create trigger bookings_cancelled before insert on bookings for each row when (new.status = 'CANCELLED') execute function keep_cancellation();
create trigger bookings_cancelled_later before update on bookings for each row when (old.status is distinct from new.status or old.cancelled_at is distinct from new.cancelled_at or new.status = 'CANCELLED' and old.created_at is distinct from new.created_at) execute function keep_cancellation();
create trigger bookings_groups_added after insert on bookings referencing new table as added for each statement execute function sum_booking_groups();
create trigger bookings_groups_changed after update on bookings referencing old table as removed new table as added for each statement execute function sum_booking_groups();
create trigger bookings_groups_removed after delete on bookings referencing old table as removed for each statement execute function sum_booking_groups();
create trigger bookings_groups_truncated after truncate on bookings for each statement execute function sum_booking_groups();
-- Counted row by row: almost no update moves a row
create trigger bookings_moved after update on bookings for each row when (old.company_id is distinct from new.company_id) execute function move_company_counts();
create trigger bookings_origin before insert on bookings for each row execute function keep_booking_origin();
create trigger bookings_origin_changed before update on bookings for each row when (old.updated_at is not null or new.updated_at is null or new.department_id is null) execute function keep_booking_origin();
create trigger bookings_position before insert or update on bookings for each row execute function keep_booking_position();
create trigger bookings_removed after delete on bookings referencing old table as removed for each statement execute function keep_company_counts();
create trigger bookings_summed_added after insert on bookings referencing new table as added for each statement execute function sum_bookings();
create trigger bookings_summed_changed after update on bookings referencing old table as removed new table as added for each statement execute function sum_bookings();
create trigger bookings_summed_removed after delete on bookings referencing old table as removed for each statement execute function sum_bookings();
create trigger bookings_summed_truncated after truncate on bookings for each statement execute function sum_bookings();
create trigger bookings_truncated after truncate on bookings for each statement execute function keep_company_counts();

-- One row: what cursors of the change feed belong to
create table change_feed (
  singleton boolean not null default true,
  -- Another one after each restore of a backup: a cursor is good for the feed that gave it alone
  id        uuid not null default gen_random_uuid(),
  -- The last position that was given to a change; it only grows
  position  bigint not null,
  constraint change_feed_pkey primary key (singleton),
  constraint change_feed_position_check check (position >= 0),
  constraint change_feed_singleton_check check (singleton)
);

-- Companies registered on the platform; the operator of the platform is one of them
create table companies (
  id                    uuid not null,
  name                  display_name not null,
  legal_name            display_name not null,
  -- Tax registration number (GSTIN in India), unique whatever its case
  gstin                 text not null,
  -- Contact address: searched, and shown to those who run the company
  email                 text not null,
  credit_limit          money_amount not null,
  -- Days within which an invoice is to be paid
  credit_days           integer not null,
  active                boolean not null default true,
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now(),
  -- What lists are ordered by; in its row, as it would be fetched again for each comparison of a sort
  name_folded           text storage main generated always as (fold(name::text)) stored,
  -- What searches look in. A folded text has no line feed, so no match runs across two fields
  search_text           text generated always as ((((((fold(name::text) || chr(10)) || fold(legal_name::text)) || chr(10)) || fold(gstin)) || chr(10)) || fold(email)) stored,
  -- The department of people who are added without one
  default_department_id uuid,
  -- The band of people who are added without one
  default_band_id       uuid,
  -- ISO 4217; null: the one that the setting DEFAULT_CURRENCY names
  currency              text,
  -- The period that the budgets of its departments are for
  budget_period         text not null default 'YEAR',
  -- The month in which its financial year begins
  fiscal_year_start     integer not null default 1,
  -- The GSTIN as it is compared
  gstin_key             text generated always as (lower_letters(gstin)) stored,
  -- ISO 3166-1; null: telephone numbers are read in international form alone
  country               text,
  -- IANA; decides its days and periods
  time_zone             text not null default 'UTC',
  -- The first day that is not closed: no booking of an earlier one changes; null: none is closed
  closed_to             date,
  -- Values of field_definitions, by key
  fields                jsonb,
  -- The id that another system has for it, unique on the platform
  external_key          text,
  -- Name of the product for its people; this and the others null: that of the service
  brand_name            text,
  -- The whole image, as a data: address
  brand_logo            text,
  brand_color           text,
  brand_support         text,
  brand_terms           text,
  brand_text            text,
  -- Name=address of each, separated by commas
  brand_links           text,
  constraint companies_pkey primary key (id),
  constraint companies_external_id unique (external_key) deferrable,
  constraint companies_gstin unique (gstin_key) deferrable,
  constraint companies_default_band foreign key (id, default_band_id) references employee_bands(company_id, id) deferrable,
  -- Deferrable: a company is made before its first department and band
  constraint companies_default_department foreign key (id, default_department_id) references departments(company_id, id) deferrable,
  constraint companies_budget_period check (budget_period in ('MONTH', 'QUARTER', 'YEAR')),
  constraint companies_country check (country ~ '^[A-Z]{2}$'),
  constraint companies_credit_days_check check (credit_days >= 0),
  constraint companies_currency check (currency ~ '^[A-Z]{3}$'),
  constraint companies_email_check check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  constraint companies_fields_check check (jsonb_typeof(fields) = 'object'),
  constraint companies_fiscal_year_start check (fiscal_year_start >= 1 and fiscal_year_start <= 12),
  constraint companies_gstin_check check (gstin ~ '^[0-9A-Za-z-]{1,30}$'),
  constraint companies_time_zone check (time_zone <> '')
);
-- For counts: equal keys share their entries, so that it has a tenth of the pages of another index
create index companies_active on companies (active);
create index companies_active_order on companies (name_folded collate "C", id) where active;
create index companies_fields on companies using gin (fields jsonb_path_ops) where fields is not null;
create index companies_order on companies (name_folded collate "C", id);
-- Searches, whatever the needle. They hide from the planner which runs they ask for, so it has no statistics
create index companies_search on companies using gin (text_runs(search_text, 1, 3) collate "C");
alter index companies_search alter column 1 set statistics 0;
create constraint trigger companies_registration after insert or update of gstin on companies deferrable initially deferred for each row execute function keep_registration_of_company();
create trigger companies_country before insert on companies for each row execute function keep_country();
create trigger companies_removed after delete on companies referencing old table as removed for each statement execute function drop_company_counts();
create trigger companies_time_zone_changed after update on companies for each row when (old.time_zone is distinct from new.time_zone) execute function sum_in_zone();
create trigger companies_time_zone_groups after update on companies for each row when (old.time_zone is distinct from new.time_zone) execute function sum_groups_in_zone();

-- How many users and bookings a company has: the sum of its rows here. Written by triggers alone
create table company_counts (
  -- The table whose rows are counted
  counted    text not null,
  -- No foreign key: each would be a look at the company that the counted row's own key has had
  company_id uuid not null,
  id         bigint not null default nextval('company_counts_id'),
  -- Rows that came, less those that went
  change     bigint not null,
  -- The transaction that put this row in the place of others; null for what a statement added
  merged_by  xid8
);
create table company_counts_bookings partition of company_counts for values in ('bookings');
-- Apart, so that a TRUNCATE of what is counted can be one of its counts
create table company_counts_users partition of company_counts for values in ('users');
create sequence company_counts_id owned by company_counts.id;
-- By id: a transaction finds what it added last without passing what it has merged already
create index company_counts_company on only company_counts (company_id, id);
-- Only triggers write. Others are ignored, not refused: a restored dump of the data brings these rows, and triggers have counted its people
create trigger company_counts_written before insert on company_counts for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- company_groups.user_ids, one a row. Written by triggers alone
create table company_group_members (
  group_id uuid not null,
  user_id  uuid not null,
  place    integer not null,
  constraint company_group_members_pkey primary key (group_id, user_id),
  constraint company_group_members_group_id_fkey foreign key (group_id) references company_groups(id) on delete cascade deferrable,
  constraint company_group_members_user_id_fkey foreign key (user_id) references users(id) deferrable
);
create index company_group_members_user on company_group_members (user_id);
create trigger company_group_members_written before insert on company_group_members for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- Groups of people that a company has beside those of its directories
create table company_groups (
  id           uuid not null,
  company_id   uuid not null,
  name         display_name not null,
  -- Its people, separated by spaces
  user_ids     text,
  name_folded  text storage main generated always as (fold(name::text)) stored,
  -- The name as it is compared
  name_key     text generated always as (lower_letters(name::text)) stored,
  created_at   timestamptz not null default now(),
  -- When the row was changed last
  updated_at   timestamptz not null default now(),
  -- The id that another system has for it, unique in the company
  external_key text,
  constraint company_groups_pkey primary key (id),
  constraint company_groups_external_id unique (company_id, external_key) deferrable,
  constraint company_groups_name unique (company_id, name_key) deferrable,
  constraint company_groups_company_id_fkey foreign key (company_id) references companies(id),
  constraint company_groups_user_ids_check check (user_ids <> '')
);
create index company_groups_order on company_groups (company_id, name_folded collate "C", id);
create trigger company_groups_members after insert on company_groups for each row when (new.user_ids is not null) execute function keep_list('user_ids', 'company_group_members', 'group_id', 'uuid');
create trigger company_groups_members_changed after update of user_ids on company_groups for each row when (old.user_ids is distinct from new.user_ids) execute function keep_list('user_ids', 'company_group_members', 'group_id', 'uuid');
create trigger company_groups_removed after delete on company_groups for each row execute function leave_group();

-- What companies paid on their credit
create table company_payments (
  id         uuid not null,
  company_id uuid not null,
  amount     money_amount not null,
  created_at timestamptz not null default now(),
  reference  text,
  constraint company_payments_pkey primary key (id),
  constraint company_payments_company_id_fkey foreign key (company_id) references companies(id),
  constraint company_payments_reference check (char_length(reference) >= 1 and char_length(reference) <= 100)
);
create index company_payments_made on company_payments (company_id, created_at);

-- Roles that people hold in a company, their own or another
create table company_roles (
  id            text not null default gen_random_uuid()::text,
  user_id       uuid not null,
  company_id    uuid not null,
  role          text not null,
  -- Who gave the role: an administrator or an import, the roles that a directory sent, or groups alone
  origin        text not null default 'hand',
  -- The folded name of the person; this and the following ones are kept by triggers
  holder_name   text,
  -- The approval limit of the person
  holder_limit  money_amount,
  holder_active boolean,
  holder_from   date,
  holder_until  date,
  -- Whether the person has a substitute
  holder_leaves boolean,
  constraint company_roles_pkey primary key (id),
  -- Deferrable, so that rows can swap theirs
  constraint company_roles_user_id_company_id_role_key unique (user_id, company_id, role) deferrable,
  constraint company_roles_company_id_fkey foreign key (company_id) references companies(id),
  constraint company_roles_user_id_fkey foreign key (user_id) references users(id),
  constraint company_roles_id_check check (char_length(id) >= 1 and char_length(id) <= 100),
  constraint company_roles_origin_check check (origin in ('hand', 'directory', 'groups')),
  constraint company_roles_role_check check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'))
);
create index company_roles_company on company_roles (company_id, role, user_id);
-- Counts and names approvers alone, however many hold a role
create index company_roles_holders on company_roles (company_id, role, holder_name collate "C", user_id) include (holder_limit, holder_from, holder_until) where holder_active;
create index company_roles_leaving on company_roles (company_id, role) where holder_active and holder_leaves;
create trigger company_roles_added after insert on company_roles referencing new table as changed for each statement execute function touch_owner('users', 'user_id');
create trigger company_roles_holder before insert or update of user_id on company_roles for each row execute function keep_role_holder();
create trigger company_roles_removed after delete on company_roles referencing old table as changed for each statement execute function touch_owner('users', 'user_id');

-- Cost centres that have an owner: users.cost_center is the code of one
create table cost_centers (
  id           uuid not null,
  company_id   uuid not null,
  name         display_name not null,
  code         text not null,
  owner_id     uuid,
  name_folded  text storage main generated always as (fold(name::text)) stored,
  search_text  text generated always as ((fold(name::text) || chr(10)) || fold(code)) stored,
  -- The code as it is compared
  code_key     text generated always as (lower_letters(code)) stored,
  -- When the row was changed last
  updated_at   timestamptz not null default now(),
  created_at   timestamptz not null default now(),
  -- The id that another system has for it, unique in the company
  external_key text,
  constraint cost_centers_pkey primary key (id),
  constraint cost_centers_code unique (company_id, code_key) deferrable,
  constraint cost_centers_external_id unique (company_id, external_key) deferrable,
  constraint cost_centers_company_id_fkey foreign key (company_id) references companies(id),
  constraint cost_centers_owner foreign key (company_id, owner_id) references users(company_id, id) deferrable,
  constraint cost_centers_code_check check (char_length(code) >= 1 and char_length(code) <= 100)
);
create index cost_centers_order on cost_centers (company_id, name_folded collate "C", id);
create index cost_centers_owner on cost_centers (owner_id) where owner_id is not null;

-- Under which department each one was, and since when; no foreign keys, as it stays when one is deleted. Written by triggers alone
create table department_parents (
  company_id    uuid not null,
  department_id uuid not null,
  since         timestamptz not null,
  parent_id     uuid,
  constraint department_parents_pkey primary key (department_id, since)
);
create index department_parents_company on department_parents (company_id);
create trigger department_parents_restored before insert on department_parents for each row when (pg_trigger_depth() = 0) execute function replace_department_parent();

-- Departments of a company
create table departments (
  id              uuid not null,
  company_id      uuid not null,
  name            display_name not null,
  -- Cost centre code in the company's books
  cost_code       text not null,
  -- For a budget period of its company, when it was last written; null: none
  budget          money_amount,
  name_folded     text storage main generated always as (fold(name::text)) stored,
  search_text     text generated always as ((fold(name::text) || chr(10)) || fold(cost_code)) stored,
  -- The department above; null at the top. Parents never form a circle
  parent_id       uuid,
  -- The person who heads the department
  head_id         uuid,
  -- Of rows from before this column: when it was added
  updated_at      timestamptz not null default now(),
  -- The cost code as it is compared
  cost_code_key   text generated always as (lower_letters(cost_code)) stored,
  -- JSON: from which day on which budget held, in order; the first one held ever since
  budget_history  text,
  -- When the name that people show was changed last
  renamed_at      timestamptz,
  -- Of rows from before this column: by the trail, otherwise the change before
  created_at      timestamptz not null default now(),
  -- Values of field_definitions, by key
  fields          jsonb,
  -- Null: that of the department above, at the top the default one of the company
  legal_entity_id uuid,
  -- The id that another system has for it, unique in the company
  external_key    text,
  constraint departments_pkey primary key (id),
  -- The target of other keys: what refers to a department is of the same company
  constraint departments_company_id_id_key unique (company_id, id),
  constraint departments_cost_code unique (company_id, cost_code_key) deferrable,
  constraint departments_external_id unique (company_id, external_key) deferrable,
  constraint departments_company_id_fkey foreign key (company_id) references companies(id),
  constraint departments_head foreign key (company_id, head_id) references users(company_id, id) deferrable,
  constraint departments_legal_entity foreign key (company_id, legal_entity_id) references legal_entities(company_id, id) deferrable,
  constraint departments_parent foreign key (company_id, parent_id) references departments(company_id, id) deferrable,
  constraint departments_cost_code_check check (cost_code <> '' and cost_code = btrim(cost_code) and char_length(cost_code) <= 50 and cost_code !~ '[\u0000-\u001f\u007f]'),
  constraint departments_fields_check check (jsonb_typeof(fields) = 'object')
);
create index departments_head on departments (head_id) where head_id is not null;
create index departments_legal_entity on departments (legal_entity_id) where legal_entity_id is not null;
create index departments_order on departments (company_id, name_folded collate "C", id);
create index departments_parent on departments (parent_id) where parent_id is not null;
create trigger departments_budget before insert on departments for each row execute function keep_budget_history();
create trigger departments_budget_changed before update on departments for each row when (old.budget::numeric is distinct from new.budget::numeric or old.budget_history is distinct from new.budget_history) execute function keep_budget_history();
create trigger departments_parent_added after insert on departments for each row execute function keep_department_parents();
create trigger departments_parent_changed after update on departments for each row when (old.parent_id is distinct from new.parent_id) execute function keep_department_parents();
create trigger departments_renamed before update of name on departments for each row when (old.name::text is distinct from new.name::text) execute function note_renaming();

-- What provisions the people of a company by SCIM
create table directories (
  -- Of those of before and with the first key, the id of that key
  id            uuid not null,
  company_id    uuid not null,
  name          text not null,
  kind          text not null default 'OTHER',
  -- The connection by which its people sign in
  connection_id uuid,
  -- Whether its keys are accepted
  active        boolean not null default true,
  created_at    timestamptz not null default now(),
  constraint directories_pkey primary key (id),
  constraint directories_company_id_fkey foreign key (company_id) references companies(id),
  constraint directories_connection_id_fkey foreign key (connection_id) references sign_in_connections(id),
  constraint directories_kind_check check (kind in ('OKTA', 'ENTRA', 'GOOGLE', 'OTHER')),
  constraint directories_name_check check (char_length(name) >= 1 and char_length(name) <= 100)
);
create index directories_company on directories (company_id, id);
create index directories_connection on directories (connection_id) where connection_id is not null;

-- People whom a directory has put into a group
create table directory_group_members (
  group_id uuid not null,
  user_id  uuid not null,
  constraint directory_group_members_pkey primary key (group_id, user_id),
  constraint directory_group_members_group_id_fkey foreign key (group_id) references directory_groups(id) on delete cascade,
  constraint directory_group_members_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index directory_group_members_user on directory_group_members (user_id);

-- Groups of a directory, which is an API key. A group of a role has a row once the directory has changed it
create table directory_groups (
  id           uuid not null default gen_random_uuid(),
  company_id   uuid not null,
  -- The directory that sent the group: its keys alone see it
  api_key_id   uuid not null,
  -- The role that the group stands for, for the three groups that are always there
  role         text,
  display_name text not null,
  external_id  text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  constraint directory_groups_pkey primary key (id),
  constraint directory_groups_role unique (api_key_id, role),
  constraint directory_groups_company_id_fkey foreign key (company_id) references companies(id),
  constraint directory_groups_directory foreign key (api_key_id) references directories(id),
  constraint directory_groups_display_name_check check (char_length(display_name) >= 1 and char_length(display_name) <= 300),
  constraint directory_groups_external_id_check check (char_length(external_id) >= 1 and char_length(external_id) <= 500),
  constraint directory_groups_role_check check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'))
);
create index directory_groups_company on directory_groups (company_id, lower_letters(display_name));
create unique index directory_groups_name on directory_groups (api_key_id, lower_letters(display_name));
create trigger directory_groups_directory before insert or update of api_key_id on directory_groups for each row execute function keep_group_directory();
create trigger directory_groups_removed after delete on directory_groups for each row execute function leave_group();

-- By which id a directory knows a person
create table directory_people (
  directory_id uuid not null,
  user_id      uuid not null,
  -- The first one of a person in the company is in users, too
  external_id  text not null,
  constraint directory_people_pkey primary key (directory_id, user_id),
  constraint directory_people_external_id unique (directory_id, external_id),
  constraint directory_people_directory_id_fkey foreign key (directory_id) references directories(id) on delete cascade,
  constraint directory_people_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint directory_people_external_id_check check (char_length(external_id) >= 1 and char_length(external_id) <= 500)
);
create index directory_people_user on directory_people (user_id);

-- What DNS says of the domains of sign-in connections; filled by looking there each day
create table domain_proofs (
  domain        text not null,
  company_id    uuid not null,
  looked_at     timestamptz,
  -- When the record was last there; null: never, as a Super Admin has set the domain
  seen_at       timestamptz,
  -- Since when a record that was there is gone: after seven days the company loses the domain
  missing_since timestamptz,
  constraint domain_proofs_pkey primary key (domain),
  constraint domain_proofs_company_id_fkey foreign key (company_id) references companies(id) on delete cascade,
  constraint domain_proofs_domain_check check (char_length(domain) <= 253)
);
create index domain_proofs_company on domain_proofs (company_id);

-- Grades of employees in a company: "band" on the wire
create table employee_bands (
  id                  uuid not null,
  company_id          uuid not null,
  name                display_name not null,
  code                text not null,
  -- Bookings up to this amount need no approval
  auto_approval_limit money_amount not null,
  -- No booking above this amount; null where there is no such limit
  max_booking_limit   money_amount,
  name_folded         text storage main generated always as (fold(name::text)) stored,
  search_text         text generated always as ((fold(name::text) || chr(10)) || fold(code)) stored,
  -- Of rows from before this column: when it was added
  updated_at          timestamptz not null default now(),
  -- The code as it is compared
  code_key            text generated always as (lower_letters(code)) stored,
  -- When the name or code that people show was changed last
  renamed_at          timestamptz,
  -- Of rows from before this column: by the trail, otherwise the change before
  created_at          timestamptz not null default now(),
  -- Values of field_definitions, by key
  fields              jsonb,
  -- The id that another system has for it, unique in the company
  external_key        text,
  constraint employee_bands_pkey primary key (id),
  constraint employee_bands_code unique (company_id, code_key) deferrable,
  -- The target of other keys: what refers to a band is of the same company
  constraint employee_bands_company_id_id_key unique (company_id, id),
  constraint employee_bands_external_id unique (company_id, external_key) deferrable,
  constraint employee_bands_company_id_fkey foreign key (company_id) references companies(id),
  constraint employee_bands_code_check check (code <> '' and code = btrim(code) and char_length(code) <= 50 and code !~ '[\u0000-\u001f\u007f]'),
  constraint employee_bands_fields_check check (jsonb_typeof(fields) = 'object')
);
create index employee_bands_order on employee_bands (company_id, name_folded collate "C", id);
create trigger employee_bands_renamed before update of name, code on employee_bands for each row when (old.name::text is distinct from new.name::text or old.code is distinct from new.code) execute function note_renaming();

-- People whom a feed has brought
create table feed_people (
  company_id    uuid not null,
  feed          text not null,
  user_id       uuid not null,
  -- When the feed last changed the e-mail address of the person: a first sign-in after that ends with the next change
  address_since timestamptz,
  constraint feed_people_pkey primary key (company_id, feed, user_id),
  constraint feed_people_company_id_feed_fkey foreign key (company_id, feed) references feeds(company_id, name) on delete cascade,
  constraint feed_people_user_id_fkey foreign key (user_id) references users(id) on delete cascade
);
create index feed_people_user on feed_people (user_id);

-- Files about the people of a company that come again and again
create table feeds (
  company_id uuid not null,
  name       text not null,
  -- Age of the newest file that was imported, as far as one said
  as_of      timestamptz,
  -- Names of the columns of the last file that had everybody, by field
  columns    jsonb,
  constraint feeds_pkey primary key (company_id, name),
  constraint feeds_company_id_fkey foreign key (company_id) references companies(id) on delete cascade,
  constraint feeds_name_check check (char_length(name) >= 1 and char_length(name) <= 50)
);

-- Fields of one's own that rows of some tables have beside their columns
create table field_definitions (
  id             uuid not null,
  -- The company whose rows have the field; null: those of all
  company_id     uuid,
  entity         text not null,
  key            text not null,
  label          text not null,
  -- Labels in other languages, by BCP 47
  labels         jsonb,
  type           text not null,
  choices        jsonb,
  required       boolean not null,
  default_value  jsonb,
  pattern        text,
  -- The least of SELF, MANAGER, ADMIN and KEY that reads values
  readable_by    text not null,
  writable_by    text not null,
  -- Whether the audit trail leaves its values out
  sensitive      boolean not null,
  -- Whether tables of the console show it
  in_list        boolean not null,
  position       integer not null,
  active         boolean not null,
  -- Since when it is inactive: its values go 30 days later
  deactivated_at timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  constraint field_definitions_pkey primary key (id),
  constraint field_definitions_key unique nulls not distinct (company_id, entity, key),
  constraint field_definitions_company_id_fkey foreign key (company_id) references companies(id),
  constraint field_definitions_entity_check check (entity in ('user', 'company', 'department', 'band', 'approvalPolicy', 'booking')),
  constraint field_definitions_key_check check (key ~ '^[a-z][A-Za-z0-9]{0,39}$'),
  constraint field_definitions_readable_by_check check (readable_by in ('SELF', 'MANAGER', 'ADMIN', 'KEY')),
  constraint field_definitions_type_check check (type in ('TEXT', 'INTEGER', 'DECIMAL', 'DATE', 'BOOLEAN', 'CHOICE', 'CHOICES', 'PERSON', 'URL')),
  constraint field_definitions_writable_by_check check (writable_by in ('SELF', 'MANAGER', 'ADMIN', 'KEY'))
);
create trigger field_definitions_added before insert on field_definitions for each row execute function note_deactivation();
create trigger field_definitions_switched before update of active on field_definitions for each row when (old.active is distinct from new.active) execute function note_deactivation();

-- What the members of a group get
create table group_mappings (
  id            uuid not null,
  company_id    uuid not null,
  group_id      uuid,
  -- Every group of this name in any case, of any directory of the company
  group_name    text,
  role          text,
  department_id uuid,
  band_id       uuid,
  -- The lowest one decides on department and band
  priority      integer not null,
  -- A role of the company's own that the members get
  role_id       uuid,
  constraint group_mappings_pkey primary key (id),
  constraint group_mappings_band_id_fkey foreign key (band_id) references employee_bands(id),
  constraint group_mappings_company_id_fkey foreign key (company_id) references companies(id),
  constraint group_mappings_department_id_fkey foreign key (department_id) references departments(id),
  constraint group_mappings_group_id_fkey foreign key (group_id) references directory_groups(id),
  constraint group_mappings_role_id_fkey foreign key (role_id) references own_roles(id) deferrable,
  constraint group_mappings_group_name_check check (char_length(group_name) >= 1 and char_length(group_name) <= 300),
  constraint group_mappings_one_group check ((group_id is null) <> (group_name is null)),
  constraint group_mappings_priority_check check (priority >= 0),
  constraint group_mappings_role_check check (role in ('CORPORATE_ADMIN', 'MANAGER', 'EMPLOYEE'))
);
create index group_mappings_band on group_mappings (band_id);
create index group_mappings_company on group_mappings (company_id, priority, id);
create index group_mappings_department on group_mappings (department_id);
create index group_mappings_group on group_mappings (group_id);
create index group_mappings_own_role on group_mappings (role_id) where role_id is not null;

-- Answers of the last day to requests with an Idempotency-Key
create table kept_answers (
  -- Hash of the caller, the operation and the key
  id          text not null,
  -- Hash of the query and the body of the request
  fingerprint text not null,
  -- Companies that the caller might access then: who may no longer does not get the answer
  scope       json not null,
  at          timestamptz not null default now(),
  status      integer not null,
  headers     json not null,
  body        text not null,
  -- A secret of the answer, encrypted; deleted after one minute
  secret      text,
  -- Whether the body is encrypted; false: an answer of an earlier version
  sealed      boolean not null default false,
  constraint kept_answers_pkey primary key (id)
);
create index kept_answers_at on kept_answers (at);

-- Companies in law, of which a company of the platform has one or several
create table legal_entities (
  id              uuid not null default gen_random_uuid(),
  company_id      uuid not null,
  name            display_name not null,
  registered_name display_name not null,
  -- ISO 3166-1; ZZ: not known
  country_code    text not null,
  currency        text,
  time_zone       text,
  external_id     text,
  email           text,
  address         text,
  active          boolean not null default true,
  -- That of people and departments for whom nothing else is said; each company has one
  is_default      boolean not null default false,
  name_folded     text storage main generated always as (fold(name::text)) stored,
  search_text     text generated always as ((fold(name::text) || chr(10)) || fold(registered_name::text)) stored,
  created_at      timestamptz not null default now(),
  -- When the row was changed last
  updated_at      timestamptz not null default now(),
  constraint legal_entities_pkey primary key (id),
  constraint legal_entities_company unique (company_id, id),
  constraint legal_entities_external_id unique (company_id, external_id) deferrable,
  constraint legal_entities_company_id_fkey foreign key (company_id) references companies(id) on delete cascade deferrable,
  constraint legal_entities_country_code_check check (country_code ~ '^[A-Z]{2}$'),
  constraint legal_entities_currency_check check (currency ~ '^[A-Z]{3}$'),
  constraint legal_entities_default_active check (active or not is_default)
);
create index legal_entities_default on legal_entities (company_id) where is_default;
create index legal_entities_order on legal_entities (company_id, name_folded collate "C", id);
create constraint trigger legal_entities_of_company after insert or update on legal_entities deferrable initially deferred for each row when (new.is_default) execute function keep_number_of_company('id');
create trigger legal_entities_activated after update on legal_entities for each row when (new.active and not old.active) execute function check_tax_numbers();

-- One row: how far the change feed has been read for mails
create table mail_progress (
  id       integer not null default 1,
  -- Null: nothing yet; it begins at the head
  position bigint,
  constraint mail_progress_pkey primary key (id),
  constraint mail_progress_id_check check (id = 1)
);

-- Mails to people; their texts and addresses are read when they are sent
create table mails (
  id          uuid not null default gen_random_uuid(),
  company_id  uuid,
  user_id     uuid not null,
  kind        text not null,
  -- Id of what it is about: the person, substitution, key or webhook; of a refusal the key of the directory
  subject_id  text,
  created_at  timestamptz not null default now(),
  -- DROPPED: the person left before; LEFT: to whoever sends by themselves
  status      text not null default 'QUEUED',
  attempts    integer not null default 0,
  -- Also the end of the lease of whoever is sending it
  next_try_at timestamptz not null default now(),
  -- Code of the last answer, without its text, which may have an address
  error       text,
  sent_at     timestamptz,
  constraint mails_pkey primary key (id),
  constraint mails_company_id_fkey foreign key (company_id) references companies(id),
  constraint mails_user_id_fkey foreign key (user_id) references users(id),
  constraint mails_check check ((status = 'SENT') = (sent_at is not null)),
  constraint mails_error_check check (char_length(error) <= 100),
  constraint mails_kind_check check (char_length(kind) >= 1 and char_length(kind) <= 50),
  constraint mails_status_check check (status in ('QUEUED', 'SENT', 'FAILED', 'DROPPED', 'LEFT')),
  constraint mails_subject_id_check check (char_length(subject_id) >= 1 and char_length(subject_id) <= 100)
);
create index mails_company on mails (company_id, created_at);
create index mails_due on mails (next_try_at) where status = 'QUEUED';
create index mails_sent on mails (company_id, sent_at) where sent_at is not null;
create index mails_user on mails (user_id);

-- Roles of a company's own, and of the platform
create table own_roles (
  id          uuid not null,
  -- Whose people get it; null: those of every company
  company_id  uuid,
  -- Its name for programs
  key         text not null,
  name        display_name not null,
  -- What it opens, separated by spaces; null: it approves alone
  rules       text,
  -- Whether it opens anything
  active      boolean not null,
  name_folded text storage main generated always as (fold(name::text)) stored,
  created_at  timestamptz not null default now(),
  -- When the row was changed last
  updated_at  timestamptz not null default now(),
  constraint own_roles_pkey primary key (id),
  constraint own_roles_key unique nulls not distinct (company_id, key) deferrable,
  constraint own_roles_of_company unique (company_id, id),
  constraint own_roles_company_id_fkey foreign key (company_id) references companies(id),
  constraint own_roles_key_check check (key ~ '^[A-Z][A-Z0-9_]{0,39}$'),
  constraint own_roles_rules_check check (rules ~ '^(staff|people|corporate|corporateAdmin|audit)( (staff|people|corporate|corporateAdmin|audit))*$')
);
create index own_roles_order on own_roles (company_id, name_folded collate "C", id);

-- Who holds a role: of their company's own, or of the platform
create table role_grants (
  id         uuid not null default gen_random_uuid(),
  user_id    uuid not null,
  company_id uuid not null,
  role_id    uuid not null,
  -- Who gave the role: an administrator or an import, or groups alone
  origin     text not null default 'hand',
  constraint role_grants_pkey primary key (id),
  constraint role_grants_holder unique (user_id, company_id, role_id) deferrable,
  constraint role_grants_company_id_fkey foreign key (company_id) references companies(id),
  constraint role_grants_role foreign key (role_id) references own_roles(id) deferrable,
  constraint role_grants_user foreign key (company_id, user_id) references users(company_id, id) deferrable,
  constraint role_grants_origin_check check (origin in ('hand', 'groups'))
);
create index role_grants_company on role_grants (role_id, company_id, user_id);
create index role_grants_role on role_grants (role_id, user_id);
create trigger role_grants_added after insert on role_grants referencing new table as changed for each statement execute function touch_owner('users', 'user_id');
create trigger role_grants_in_company before insert or update of role_id, company_id on role_grants for each row execute function check_role_grant();
create trigger role_grants_removed after delete on role_grants referencing old table as changed for each statement execute function touch_owner('users', 'user_id');

-- What a directory says of people and nobody else needs. One without a row is known to the directory by what users has
create table scim_users (
  user_id           uuid not null,
  -- Whose directory said it: it counts as long as the user belongs to this company
  company_id        uuid not null,
  -- The work address, where one was sent; otherwise users.email is taken for it
  work_email        text,
  -- What the directory calls users.phone: work, mobile, …
  phone_type        text,
  -- When the directory deleted the user: it does not see them any more
  deleted_at        timestamptz,
  updated_at        timestamptz not null default now(),
  -- The e-mail address that a deleted person had: their own is <id>@deleted.invalid
  deleted_user_name text,
  -- Not used any more: users.external_id
  external_id       text,
  -- City of the work address
  locality          text,
  -- State of the work address
  region            text,
  -- Country of the work address, as the directory writes it
  country           text,
  -- The manager as the directory names them, until a person of that id, number, address or id of the directory comes
  manager_value     text,
  -- The external id that an inactive person had before the directory changed it
  left_external_id  text,
  -- The directory that has written the person last
  api_key_id        uuid,
  -- Searched in
  work_email_folded text generated always as (fold(work_email)) stored,
  -- The newcomer who has got the address: directories that ask for the one before mean them
  successor_id      uuid,
  constraint scim_users_pkey primary key (user_id),
  constraint scim_users_company_id_fkey foreign key (company_id) references companies(id),
  constraint scim_users_directory foreign key (api_key_id) references directories(id),
  constraint scim_users_successor_id_fkey foreign key (successor_id) references users(id) on delete set null deferrable initially deferred,
  constraint scim_users_user_id_fkey foreign key (user_id) references users(id),
  constraint scim_users_country_check check (char_length(country) >= 1 and char_length(country) <= 200),
  constraint scim_users_deleted_user_name_check check (char_length(deleted_user_name) <= 254),
  constraint scim_users_left_external_id_check check (char_length(left_external_id) >= 1 and char_length(left_external_id) <= 500),
  constraint scim_users_locality_check check (char_length(locality) >= 1 and char_length(locality) <= 200),
  constraint scim_users_manager_value_check check (char_length(manager_value) >= 1 and char_length(manager_value) <= 255),
  constraint scim_users_phone_type_check check (char_length(phone_type) >= 1 and char_length(phone_type) <= 100),
  constraint scim_users_region_check check (char_length(region) >= 1 and char_length(region) <= 200),
  constraint scim_users_work_email_check check (work_email ~ '^[^@\s]+@[^@\s]+$' and char_length(work_email) <= 254)
);
create index scim_users_deleted on scim_users (company_id, lower(deleted_user_name collate "C")) where deleted_at is not null;
create index scim_users_directory on scim_users (api_key_id, company_id);
create index scim_users_manager on scim_users (company_id, lower_letters(manager_value)) where manager_value is not null;
create index scim_users_searched on scim_users (company_id) include (user_id, work_email_folded) where work_email_folded is not null and deleted_at is null;
create index scim_users_successor on scim_users (successor_id) where successor_id is not null;
create index scim_users_work_email on scim_users (company_id, lower_letters(work_email)) where work_email is not null;
create trigger scim_users_external_id after insert or update of api_key_id on scim_users for each row when (new.api_key_id is not null) execute function keep_first_external_id();
create trigger scim_users_touch after insert or delete or update on scim_users for each row execute function touch_provisioned();

-- Facts that evaluations of a company have named, each with a value, as JSON: the console offers them
create table seen_facts (
  company_id uuid not null,
  name       text not null,
  example    text not null,
  constraint seen_facts_pkey primary key (company_id, name),
  constraint seen_facts_company_id_fkey foreign key (company_id) references companies(id) on delete cascade
);

-- Identity providers by which the people of a company sign in
create table sign_in_connections (
  id              uuid not null,
  company_id      uuid not null,
  -- iss of its tokens
  issuer          text not null,
  -- aud of its tokens
  audience        text not null,
  -- The client by which people sign in to the console
  client_id       text,
  -- How it signs
  algorithm       text not null,
  -- The claim that names a person
  subject_claim   text not null,
  -- Whether access tokens or ID tokens are sent
  token_use       text not null,
  -- Whether addresses count as verified of which it does not say so
  emails_verified boolean not null,
  -- Domains of e-mail addresses whose people it signs in, separated by spaces
  domains         text not null,
  active          boolean not null,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  -- The scopes that the console requests; null: openid email
  scope           text,
  -- Whether it also signs in people of other companies who hold a role in this one
  guests          boolean not null default false,
  -- Where its discovery document is; null: below the issuer
  discovery_url   text,
  -- Claims that its tokens must have, a JSON object of names and values
  demanded_claims text not null default '{}',
  -- Until when an account whose verified address is that of a person takes the place of the one that is linked
  relink_until    timestamptz,
  -- Ids of companies whose people may sign in by it, too, separated by spaces
  shared_with     text not null default '',
  -- Those of shared_with that agreed: for them alone it counts
  agreed_by       text not null default '',
  constraint sign_in_connections_pkey primary key (id),
  constraint sign_in_connections_issuer unique (company_id, issuer, audience),
  constraint sign_in_connections_company_id_fkey foreign key (company_id) references companies(id),
  constraint sign_in_connections_agreed_by_check check (char_length(agreed_by) <= 2000),
  constraint sign_in_connections_audience_check check (char_length(audience) >= 1 and char_length(audience) <= 500),
  constraint sign_in_connections_client_id_check check (char_length(client_id) >= 1 and char_length(client_id) <= 500),
  constraint sign_in_connections_demanded_claims_check check (char_length(demanded_claims) <= 2000),
  constraint sign_in_connections_discovery_url_check check (discovery_url ~ '^https?://\S+$' and char_length(discovery_url) <= 500),
  constraint sign_in_connections_issuer_check check (char_length(issuer) >= 1 and char_length(issuer) <= 500),
  constraint sign_in_connections_scope_check check (char_length(scope) >= 1 and char_length(scope) <= 500),
  constraint sign_in_connections_shared_with_check check (char_length(shared_with) <= 2000),
  constraint sign_in_connections_subject_claim_check check (char_length(subject_claim) >= 1 and char_length(subject_claim) <= 100),
  constraint sign_in_connections_token_use_check check (token_use in ('access', 'id'))
);
create index sign_in_connections_by_issuer on sign_in_connections (issuer);
create index sign_in_connections_company on sign_in_connections (company_id, id);
create trigger sign_in_connections_agreements before update on sign_in_connections for each row when (old.agreed_by <> '' or new.agreed_by <> '') execute function keep_agreements();
create trigger sign_in_connections_domains after insert or update of domains on sign_in_connections for each row execute function keep_sign_in_domains();

-- The domains of all connections, each once; kept by a trigger
create table sign_in_domains (
  domain        text not null,
  connection_id uuid not null,
  constraint sign_in_domains_pkey primary key (domain),
  constraint sign_in_domains_connection_id_fkey foreign key (connection_id) references sign_in_connections(id) on delete cascade
);
create index sign_in_domains_connection on sign_in_domains (connection_id);
create trigger sign_in_domains_written before insert on sign_in_domains for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- Why tokens of a connection were refused: the last twenty reasons
create table sign_in_refusals (
  connection_id uuid not null,
  reason        text not null,
  -- What the token would have to be
  rule          text not null,
  -- Names of its claims, separated by spaces
  claims        text not null,
  count         integer not null default 1,
  refused_at    timestamptz not null default now(),
  constraint sign_in_refusals_pkey primary key (connection_id, reason, rule, claims),
  constraint sign_in_refusals_connection_id_fkey foreign key (connection_id) references sign_in_connections(id) on delete cascade,
  constraint sign_in_refusals_claims_check check (char_length(claims) <= 200),
  constraint sign_in_refusals_rule_check check (char_length(rule) <= 200)
);

-- When people last signed in, to the hour, and were last refused
create table sign_ins (
  user_id         uuid not null,
  last_sign_in_at timestamptz,
  refused_at      timestamptz,
  -- Why the token was refused
  refusal         text,
  constraint sign_ins_pkey primary key (user_id),
  constraint sign_ins_user_id_fkey foreign key (user_id) references users(id) on delete cascade,
  constraint sign_ins_check check ((refused_at is null) = (refusal is null)),
  constraint sign_ins_refusal_check check (char_length(refusal) >= 1 and char_length(refusal) <= 100)
);

-- Who decides for a person on some days, beside users.substitute_id
create table substitutions (
  id            uuid not null,
  company_id    uuid not null,
  user_id       uuid not null,
  substitute_id uuid not null,
  first_day     date not null,
  last_day      date not null,
  constraint substitutions_pkey primary key (id),
  constraint substitutions_day unique (user_id, first_day) deferrable,
  constraint substitutions_company_id_fkey foreign key (company_id) references companies(id),
  constraint substitutions_substitute foreign key (company_id, substitute_id) references users(company_id, id) deferrable,
  constraint substitutions_user foreign key (company_id, user_id) references users(company_id, id) deferrable,
  constraint substitutions_check check (last_day >= first_day)
);
create index substitutions_company on substitutions (company_id, last_day);
create index substitutions_substitute on substitutions (substitute_id);

-- Platform-wide roles, one a person at the most: "systemRoleMap" on the wire
create table system_roles (
  user_id uuid not null,
  role    text not null,
  -- A role that is not active is shown and grants nothing
  active  boolean not null default true,
  constraint system_roles_pkey primary key (user_id),
  constraint system_roles_user_id_fkey foreign key (user_id) references users(id),
  constraint system_roles_role_check check (role in ('SUPER_ADMIN', 'PLATFORM_RM'))
);
-- Who approves by a platform role, and who is the last Super Admin
create index system_roles_role on system_roles (role, user_id);

-- Numbers under which tax offices know legal entities; that of the default one of the default one is companies.gstin
create table tax_registrations (
  id              uuid not null default gen_random_uuid(),
  legal_entity_id uuid not null,
  type            text not null,
  number          text not null,
  country_code    text not null,
  -- A state of the geography, which is no table
  state_id        integer,
  address         text,
  valid_from      date,
  valid_until     date,
  is_default      boolean not null default false,
  constraint tax_registrations_pkey primary key (id),
  constraint tax_registrations_legal_entity_id_fkey foreign key (legal_entity_id) references legal_entities(id) on delete cascade deferrable,
  constraint tax_registrations_country_code_check check (country_code ~ '^[A-Z]{2}$'),
  constraint tax_registrations_number_check check (number ~ '^[0-9A-Za-z-]{1,30}$'),
  constraint tax_registrations_type_check check (type in ('GSTIN', 'VAT', 'TIN', 'EIN', 'OTHER'))
);
create index tax_registrations_entity on tax_registrations (legal_entity_id);
create index tax_registrations_number on tax_registrations (lower_letters(number));
create constraint trigger tax_registrations_of_company after insert or update on tax_registrations deferrable initially deferred for each row when (new.is_default) execute function keep_number_of_company('legal_entity_id');
create constraint trigger tax_registrations_unique after insert or update on tax_registrations deferrable initially deferred for each row execute function check_tax_number();
create trigger tax_registrations_added after insert on tax_registrations referencing new table as changed for each statement execute function touch_owner('legal_entities', 'legal_entity_id');
create trigger tax_registrations_changed after update on tax_registrations referencing new table as changed for each statement execute function touch_owner('legal_entities', 'legal_entity_id');
create trigger tax_registrations_removed after delete on tax_registrations referencing old table as changed for each statement execute function touch_owner('legal_entities', 'legal_entity_id');

-- Who books for a person
create table traveller_arrangers (
  id          uuid not null default gen_random_uuid(),
  user_id     uuid not null,
  arranger_id uuid not null,
  -- The last day; null: no end
  until       date,
  may         text not null,
  constraint traveller_arrangers_pkey primary key (id),
  constraint traveller_arrangers_both unique (user_id, arranger_id),
  constraint traveller_arrangers_arranger_id_fkey foreign key (arranger_id) references users(id),
  constraint traveller_arrangers_user_id_fkey foreign key (user_id) references users(id),
  constraint traveller_arrangers_may_check check (may in ('BOOK', 'BOOK_AND_READ_DOCUMENTS'))
);
create index traveller_arrangers_arranger on traveller_arrangers (arranger_id);

-- Passports, visas and the like
create table traveller_documents (
  id              uuid not null default gen_random_uuid(),
  user_id         uuid not null,
  type            text not null,
  -- Encrypted, see src/features/travellers/sealed-numbers.ts
  number          text not null,
  -- The last characters of the number
  last_four       text not null,
  issuing_country text not null,
  nationality     text,
  issued_on       date,
  expires_on      date,
  is_primary      boolean not null default false,
  constraint traveller_documents_pkey primary key (id),
  constraint traveller_documents_user_id_fkey foreign key (user_id) references users(id),
  constraint traveller_documents_type_check check (type in ('PASSPORT', 'NATIONAL_ID', 'RESIDENCE', 'VISA', 'KNOWN_TRAVELLER', 'REDRESS'))
);
create index traveller_documents_expires_on on traveller_documents (expires_on);
create index traveller_documents_user on traveller_documents (user_id);

-- Memberships of loyalty programmes
create table traveller_programmes (
  id         uuid not null default gen_random_uuid(),
  user_id    uuid not null,
  kind       text not null,
  supplier   text not null,
  -- Encrypted, as that of a document
  number     text not null,
  last_four  text not null,
  tier       text,
  expires_on date,
  constraint traveller_programmes_pkey primary key (id),
  constraint traveller_programmes_user_id_fkey foreign key (user_id) references users(id),
  constraint traveller_programmes_kind_check check (kind in ('AIR', 'HOTEL', 'CAR', 'RAIL'))
);
create index traveller_programmes_user on traveller_programmes (user_id);

-- What a person needs to travel, next to the row of users
create table travellers (
  id                 uuid not null default gen_random_uuid(),
  user_id            uuid not null,
  -- Legal names are as in the machine-readable zone of a passport; null: the name of the person
  legal_given        text,
  legal_middle       text,
  legal_family       text,
  legal_suffix       text,
  title              text,
  document_gender    text,
  nationality        text,
  -- A city of the geography, which is no table; home_state_id likewise a state
  home_city_id       integer,
  home_city          text,
  home_state_id      integer,
  home_country_code  text,
  home_airport       text,
  language           text,
  time_zone          text,
  seat               text,
  meal               text,
  room               text,
  -- Codes of IATA for special service requests, separated by spaces
  accessibility      text,
  notes              text,
  emergency_name     text,
  emergency_relation text,
  emergency_phone    text,
  emergency_email    text,
  updated_at         timestamp(3) with time zone not null default now(),
  constraint travellers_pkey primary key (id),
  constraint travellers_user unique (user_id),
  constraint travellers_user_id_fkey foreign key (user_id) references users(id),
  constraint travellers_document_gender_check check (document_gender in ('F', 'M', 'X'))
);

-- What people were before an import that is being written in pieces; empty once all pieces are written. Embedded database only
create table unfinished_imports (
  -- Somebody whom the import added or changed
  user_id    uuid not null,
  -- Company of the import
  company_id uuid not null,
  -- Row of users before; null: the import added it
  before     jsonb,
  -- Roles held in the company before
  roles      text[] not null,
  -- Ids of the other roles held in the company before; null: the import leaves them
  own_roles  text[],
  constraint unfinished_imports_pkey primary key (user_id)
);

-- People whom an import has added without an invitation, until the feed is read for mails
create table uninvited_people (
  user_id uuid not null,
  constraint uninvited_people_pkey primary key (user_id)
);

-- Who of an identity provider is which user; kept when an e-mail address changes
create table user_identities (
  -- The provider: iss of its tokens
  issuer        text not null,
  -- What the provider calls the person
  subject       text not null,
  user_id       uuid not null,
  -- When the person first signed in
  linked_at     timestamptz not null default now(),
  -- The claim of its tokens that says so
  claim         text not null default 'sub',
  -- The connection of its tokens; null: the platform's own provider
  connection_id uuid,
  -- Known by each connection apart, so that nobody at one of them touches the links of another
  constraint user_identities_account unique nulls not distinct (issuer, subject, connection_id),
  -- Whoever gets a used e-mail address at the provider later on does not get the user of the one before
  constraint user_identities_user unique nulls not distinct (user_id, issuer, connection_id),
  constraint user_identities_connection_id_fkey foreign key (connection_id) references sign_in_connections(id) on delete cascade,
  constraint user_identities_user_id_fkey foreign key (user_id) references users(id),
  constraint user_identities_claim_check check (char_length(claim) >= 1 and char_length(claim) <= 100),
  constraint user_identities_issuer_check check (char_length(issuer) >= 1 and char_length(issuer) <= 500),
  constraint user_identities_subject_check check (char_length(subject) >= 1 and char_length(subject) <= 255)
);
create index user_identities_connection on user_identities (connection_id);

-- Moves of people to another company: asked for by the new one, agreed by the old one
create table user_moves (
  id              uuid not null default gen_random_uuid(),
  -- The company that asks
  company_id      uuid not null,
  user_id         uuid not null,
  -- The company that the person belonged to at that time
  from_company_id uuid not null,
  -- The id or address by which the person was asked for
  asked_for       text not null,
  -- In the new company; null, or gone since: its default
  department_id   uuid,
  -- Likewise
  band_id         uuid,
  -- One that is open for thirty days has expired, whatever this says
  status          text not null,
  requested_at    timestamptz not null default now(),
  decided_at      timestamptz,
  constraint user_moves_pkey primary key (id),
  constraint user_moves_company_id_fkey foreign key (company_id) references companies(id),
  constraint user_moves_from_company_id_fkey foreign key (from_company_id) references companies(id),
  constraint user_moves_user_id_fkey foreign key (user_id) references users(id),
  constraint user_moves_asked_for_check check (char_length(asked_for) >= 1 and char_length(asked_for) <= 254),
  constraint user_moves_check check ((status = 'OPEN') = (decided_at is null)),
  constraint user_moves_status_check check (status in ('OPEN', 'AGREED', 'DECLINED', 'WITHDRAWN', 'EXPIRED'))
);
create index user_moves_company on user_moves (company_id, requested_at);
create index user_moves_from on user_moves (from_company_id, requested_at);
create unique index user_moves_open on user_moves (user_id, company_id) where status = 'OPEN';

-- People: employees of companies and the staff of the platform
create table users (
  id                  uuid not null,
  email               text not null,
  first_name          text not null,
  last_name           text not null,
  phone               text,
  client_type         text not null,
  company_id          uuid not null,
  department_id       uuid not null,
  band_id             uuid not null,
  -- The largest amount this person may approve
  approval_limit      money_amount not null,
  -- A calendar date: no time zone moves it
  date_of_birth       date,
  gender              text,
  address_line_1      text,
  address_line_2      text,
  pincode             text,
  loyalty_points      integer not null default 0,
  active              boolean not null default true,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  name_folded         text storage main generated always as (fold((first_name || ' ') || last_name)) stored,
  search_text         text generated always as ((fold((first_name || ' ') || last_name) || chr(10)) || fold(email)) stored,
  -- The id that the company's directory or HR system has for the person
  external_id         text,
  -- Unique in the company, whatever the case of letters
  employee_number     text,
  job_title           text,
  cost_center         text,
  -- The line manager; managers never form a circle
  manager_id          uuid,
  -- The first day (UTC) on which the person works; null where there is no such limit
  start_date          date,
  -- The last day (UTC) on which the person works; null where there is no such limit
  end_date            date,
  -- Who decides for the person from substitute_from to substitute_until
  substitute_id       uuid,
  substitute_from     date,
  substitute_until    date,
  -- The e-mail address as it is compared
  email_key           text generated always as (lower_letters(email)) stored,
  -- The employee number as it is compared
  employee_number_key text generated always as (lower_letters(employee_number)) stored,
  -- When the name that others show was changed last; null: never since this column was added
  renamed_at          timestamptz,
  -- Values of field_definitions, by key
  fields              jsonb,
  -- What the person is to the company; a GUEST does not sign in nor approve
  worker_type         text not null default 'EMPLOYEE',
  -- Of a guest: the person whose department pays and approves; null: the manager stands for them
  host_id             uuid,
  -- Null: that of the department
  legal_entity_id     uuid,
  constraint users_pkey primary key (id),
  constraint users_email unique (email_key) deferrable,
  constraint users_employee_number unique (company_id, employee_number_key) deferrable,
  constraint users_external_id unique (company_id, external_id) deferrable,
  -- The target of the keys of managers, substitutes and heads: they are people of the same company
  constraint users_of_company unique (company_id, id),
  -- Deferrable, so that a band can move to another company together with its people
  constraint users_company_id_band_id_fkey foreign key (company_id, band_id) references employee_bands(company_id, id) deferrable,
  -- Deferrable, so that a department can move to another company together with its people
  constraint users_company_id_department_id_fkey foreign key (company_id, department_id) references departments(company_id, id) deferrable,
  constraint users_company_id_fkey foreign key (company_id) references companies(id),
  constraint users_host foreign key (company_id, host_id) references users(company_id, id) deferrable,
  constraint users_legal_entity foreign key (company_id, legal_entity_id) references legal_entities(company_id, id) deferrable,
  -- Deferrable, so that people can move to another company together
  constraint users_manager foreign key (company_id, manager_id) references users(company_id, id) deferrable,
  constraint users_substitute foreign key (company_id, substitute_id) references users(company_id, id) deferrable,
  constraint users_address_line_1_check check (char_length(address_line_1) >= 1 and char_length(address_line_1) <= 255),
  constraint users_address_line_2_check check (char_length(address_line_2) >= 1 and char_length(address_line_2) <= 255),
  constraint users_client_type_check check (client_type in ('CORPORATE', 'AGENCY', 'DIRECT')),
  constraint users_cost_center_check check (char_length(cost_center) >= 1 and char_length(cost_center) <= 100),
  constraint users_email_check check (email ~ '^[^@\s]+@[^@\s]+$' and char_length(email) <= 254),
  constraint users_employee_number_check check (char_length(employee_number) >= 1 and char_length(employee_number) <= 50),
  constraint users_external_id_check check (char_length(external_id) >= 1 and char_length(external_id) <= 500),
  constraint users_fields_check check (jsonb_typeof(fields) = 'object'),
  constraint users_first_name_check check (char_length(first_name) >= 1 and char_length(first_name) <= 100),
  constraint users_gender_check check (char_length(gender) >= 1 and char_length(gender) <= 50),
  constraint users_job_title_check check (char_length(job_title) >= 1 and char_length(job_title) <= 200),
  constraint users_last_name_check check (char_length(last_name) <= 100),
  constraint users_phone_check check (phone <> ''),
  constraint users_pincode_check check (char_length(pincode) >= 3 and char_length(pincode) <= 12),
  constraint users_worker_type_check check (worker_type in ('EMPLOYEE', 'CONTINGENT', 'INTERN', 'GUEST'))
);
create index users_approval_limit on users (company_id, approval_limit, id);
create index users_band on users (band_id, name_folded collate "C", id) include (company_id);
create index users_department on users (department_id, name_folded collate "C", id) include (company_id);
-- Sign-ins at instances of the release before, while these still run
create index users_email_of_before on users (lower_letters(email));
create index users_fields on users using gin (fields jsonb_path_ops) where fields is not null;
create index users_host on users (host_id) where host_id is not null;
create index users_legal_entity on users (legal_entity_id) where legal_entity_id is not null;
create index users_manager on users (manager_id, name_folded collate "C", id) where manager_id is not null;
-- Pages of the people of a company, with what they are searched in and narrowed by: the rows are scattered over the table
create index users_order on users (company_id, name_folded collate "C", id) include (search_text, active);
create index users_renamed on users (company_id, renamed_at) where renamed_at is not null;
create index users_substitute on users (substitute_id) where substitute_id is not null;
create index users_updated on users (company_id, updated_at, id);
create trigger users_added after insert on users referencing new table as added for each statement execute function keep_company_counts();
create trigger users_external_id after update of external_id, company_id on users for each row when (old.external_id is distinct from new.external_id or old.company_id is distinct from new.company_id) execute function keep_external_id();
create trigger users_moved after update on users for each row when (old.company_id is distinct from new.company_id) execute function move_company_counts();
create trigger users_removed after delete on users referencing old table as removed for each statement execute function keep_company_counts();
create trigger users_renamed before update of first_name, last_name on users for each row when (old.first_name is distinct from new.first_name or old.last_name is distinct from new.last_name) execute function note_renaming();
create trigger users_role_holder after update on users for each row when (old.name_folded is distinct from new.name_folded or old.approval_limit::numeric is distinct from new.approval_limit::numeric or old.active is distinct from new.active or old.start_date is distinct from new.start_date or old.end_date is distinct from new.end_date or old.substitute_id is distinct from new.substitute_id or old.worker_type is distinct from new.worker_type) execute function keep_roles_of_holder();
create trigger users_truncated after truncate on users for each statement execute function keep_company_counts();

-- The last tries of each webhook
create table webhook_deliveries (
  id           bigint not null generated always as identity,
  webhook_id   uuid not null,
  at           timestamptz not null,
  change_id    text,
  type         text not null,
  attempt      integer not null,
  status       integer,
  error        text,
  milliseconds integer not null,
  -- The first 4 KiB of the body of the answer; null: there was none
  response     text,
  -- The person who gave up on the change: nothing was sent then
  skipped_by   uuid,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_webhook_id_fkey foreign key (webhook_id) references webhooks(id) on delete cascade
);
create index webhook_deliveries_order on webhook_deliveries (webhook_id, id);

-- webhooks.entities, one a row; none: of all things. Written by triggers alone
create table webhook_entities (
  webhook_id uuid not null,
  entity     text not null,
  place      integer not null,
  constraint webhook_entities_pkey primary key (webhook_id, entity),
  constraint webhook_entities_webhook_id_fkey foreign key (webhook_id) references webhooks(id) on delete cascade
);
create trigger webhook_entities_written before insert on webhook_entities for each row when (pg_trigger_depth() = 0) execute function ignore_row();

-- What its receiver wants to read in each request beside the signature
create table webhook_headers (
  webhook_id uuid not null,
  name       text not null,
  -- Never told: it may be a password
  value      text not null,
  constraint webhook_headers_pkey primary key (webhook_id, name),
  constraint webhook_headers_webhook_id_fkey foreign key (webhook_id) references webhooks(id) on delete cascade
);

-- How far each webhook has come. One sender at a time holds a webhook by a lease, which a dead process loses
create table webhook_progress (
  webhook_id   uuid not null,
  -- Of the last change that was delivered or left out
  position     bigint not null,
  -- Tries of the next change that have failed
  attempts     integer not null default 0,
  next_try_at  timestamptz not null default now(),
  leased_until timestamptz not null default '-infinity'::timestamptz,
  lease        uuid,
  constraint webhook_progress_pkey primary key (webhook_id),
  constraint webhook_progress_webhook_id_fkey foreign key (webhook_id) references webhooks(id) on delete cascade
);
create index webhook_progress_due on webhook_progress (next_try_at);

-- What deliveries are signed with: the present secret, and those of before until they expire
create table webhook_secrets (
  webhook_id uuid not null,
  -- whsec_ and base64 of the bytes; told once, when it is made
  secret     text not null,
  created_at timestamptz not null default now(),
  -- Null: it is the present one
  expires_at timestamptz,
  constraint webhook_secrets_pkey primary key (webhook_id, secret),
  constraint webhook_secrets_webhook_id_fkey foreign key (webhook_id) references webhooks(id) on delete cascade
);

-- Where changes are sent: of a company, or of all where they have none
create table webhooks (
  id                 uuid not null,
  company_id         uuid,
  url                text not null,
  -- Of which things changes are sent, separated by blanks; null: of all
  entities           text,
  description        text,
  active             boolean not null default true,
  -- Why it was switched off by the service
  disabled_reason    text,
  created_at         timestamptz not null default now(),
  -- Null: it has the secret that it was made with
  secret_rotated_at  timestamptz,
  -- The last change that somebody gave up on
  skipped_change_id  text,
  -- The API key that made it, which stops it when it is revoked; null: a person did
  key_id             uuid,
  -- Of rows from before this column: when it was added
  updated_at         timestamptz not null default now(),
  -- What has to have happened for a change to be sent, separated by blanks; null: anything
  actions            text,
  -- Of which fields a row needs a changed one for a change to be sent, separated by blanks; null: any
  fields             text,
  -- Of the headers in webhook_headers, separated by blanks, for answers and the trail
  header_names       text,
  -- Null: it has the headers that it was made with
  headers_changed_at timestamptz,
  constraint webhooks_pkey primary key (id),
  constraint webhooks_company_id_fkey foreign key (company_id) references companies(id),
  constraint webhooks_key_id_fkey foreign key (key_id) references api_keys(id),
  constraint webhooks_check check (not active or disabled_reason is null),
  constraint webhooks_description_check check (char_length(description) >= 1 and char_length(description) <= 500),
  constraint webhooks_url_check check (char_length(url) >= 1 and char_length(url) <= 2000)
);
create index webhooks_company on webhooks (company_id, created_at, id);
create index webhooks_key on webhooks (key_id) where key_id is not null;
create trigger webhooks_entities after insert on webhooks for each row when (new.entities is not null) execute function keep_list('entities', 'webhook_entities', 'webhook_id', 'text');
create trigger webhooks_entities_changed after update of entities on webhooks for each row when (old.entities is distinct from new.entities) execute function keep_list('entities', 'webhook_entities', 'webhook_id', 'text');

-- Values of a row that was added, as the trail has them
create function added_values(given jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, jsonb_build_array(null, value)), '{}') from jsonb_each(given) where value <> 'null'
$$;

-- Returns the first day of the budget period of a company on a day; null: today in its time zone
create function budget_period_start(of_company uuid, day date) returns date language sql stable set search_path=SCHEMA, pg_temp as $$
  select make_date(first / 12, first % 12 + 1, 1)
    from companies,
         lateral (select case budget_period when 'MONTH' then 1 when 'QUARTER' then 3 else 12 end as length,
                         coalesce(day, (now() at time zone time_zone)::date) as today) given,
         lateral (select (extract(year from today) * 12 + extract(month from today))::integer - fiscal_year_start as months) since,
         lateral (select months - mod(mod(months, length) + length, length) + fiscal_year_start - 1 as first) period
   where companies.id = of_company
$$;

-- Asserts that a group is there. Argument: the column that names it
create function check_named_group() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  named uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
begin
  -- Whoever removes the group waits.
  perform from company_groups where id = named for key share;
  if found then return null; end if;
  perform from directory_groups where id = named for key share;
  if found then return null; end if;
  raise foreign_key_violation using message = format('there is no group %s', named), constraint = tg_name, table = tg_table_name;
end
$$;

-- Keeps grants within the company of their role
create function check_role_grant() returns trigger language plpgsql as $$
begin
  if exists (select from own_roles where id = new.role_id and company_id <> new.company_id) then
    raise foreign_key_violation using message = 'a role is granted in its company alone', constraint = 'role_grants_role';
  end if;
  return new;
end
$$;

-- Keeps a tax number that is in use from a second registration
create function check_tax_number() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  of_company boolean := (select new.is_default and is_default from legal_entities where id = new.legal_entity_id);
begin
  perform pg_advisory_xact_lock(hashtextextended('tax number ' || lower_letters(new.number), 0));
  if exists (
    select from legal_entities own, tax_registrations other join legal_entities on legal_entities.id = other.legal_entity_id
     where own.id = new.legal_entity_id and own.active and legal_entities.active and other.id <> new.id
       and lower_letters(other.number) = lower_letters(new.number)
       -- Companies may exchange their numbers: that of the other one follows.
       and not (other.is_default and legal_entities.is_default and exists (
         select from companies where id = legal_entities.company_id and gstin <> other.number))
       and daterange(other.valid_from, other.valid_until, '[]') && daterange(new.valid_from, new.valid_until, '[]')) then
    raise unique_violation using message = 'another registration has this number',
      constraint = case when of_company then 'companies_gstin' else 'tax_registrations_number' end;
  end if;
  return null;
end
$$;

-- Checks the tax numbers of a legal entity that becomes active
create function check_tax_numbers() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  update tax_registrations set number = number where legal_entity_id = new.id;
  return null;
end
$$;

create function country_of_gstin(gstin text) returns text language sql immutable as $$
  select case when gstin ~* '^\d\d(?=\d{0,4}[A-Z])[A-Z\d]{13}$' then 'IN' end
$$;

-- Returns the budget of the period that begins on a day; null: none
create function department_budget(history text, day date) returns numeric language sql immutable as $$
  select (each ->> 'budget')::numeric from jsonb_array_elements(history::jsonb) each
   where each ->> 'from' is null or (each ->> 'from')::date <= day
   order by (each ->> 'from')::date desc nulls last limit 1
$$;

-- Clears away the counts of companies that are gone
create function drop_company_counts() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  -- The sums are 0 by then, and a sum of 0 leaves no row.
  perform merge_company_counts(counted, array(select id from removed)) from unnest('{users,bookings}'::text[]) counted;
  return null;
end
$$;

-- Erases the former and new personal values about a person in the audit trail, and notes there that it did; says of how many changes
create function erase_audit_values(person uuid) returns integer language plpgsql as $$
declare
  erased integer;
begin
  delete from audit_personal_values
   using audit_changes
   where audit_changes.id = audit_personal_values.change_id and audit_changes.user_id = person;
  get diagnostics erased = row_count;
  if erased > 0 then
    insert into audit_changes (actor_kind, action, entity, entity_id, user_id, company_id, fields)
    values ('command', 'erased', 'user', person, person, (select company_id from users where id = person), '{}');
  end if;
  return erased;
end
$$;

-- A text without case, accents and superfluous white space: what searches and orders compare
create function fold(value text) returns text language plpgsql immutable strict parallel safe as $$
declare
  -- Combining marks of Latin, Greek, Cyrillic, Hebrew and Arabic letters, variation selectors; in the last line invisible characters.
  removed constant text :=
    '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a'
    '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0897-\u089f\u08ca-\u08e1\u08e3-\u08ff'
    '\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u2de0-\u2dff\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ufb1e'
    '\ufe00-\ufe0f\ufe20-\ufe2f\U00010efa-\U00010eff\U0001e08f\U000e0100-\U000e01ef'
    '\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+';
begin
  if value ~ '^[ -_a-~]*$' then
    return btrim(regexp_replace(lower(value collate "C"), ' +', ' ', 'g'));
  end if;
  -- Before the letters are taken apart too: a removed character may stand between marks that would have changed places, and an acute
  -- accent that stands alone would become a space.
  value := translate(regexp_replace(value, removed, '', 'g'), E'\u00b4\u1ffd', '''''');
  value := lower(regexp_replace(normalize(value, NFKD), removed, '', 'g') collate "C");
  -- Each letter is looked for in the whole table, so that texts in a script without capitals are spared.
  if value ~ '[`\u00c6-\u0587\u10a0-\u10ff\u13a0-\u13ff\u1c80-\u1cbf\u1e00-\u24ff\u2c00-\u2dff\ua640-\uabff\U00010400-\U0001efff]' then
    value := replace(replace(replace(replace(
      translate(
        value,
        'ÆÐØÞĐ…ϜϞϠϢϤ'
        'ϦϨϪϬϮ…ӅӇӉӋӍ'
        'ӔӘӠӨӶ…ႹႺႻႼႽ'
        'ႾႿჀჁჂ…ᏵᲉᲐᲑᲒ'
        'ᲓᲔᲕᲖᲗ…ⰮⰯⱠⱢⱣ'
        'ⱤⱧⱩⱫⱭ…ꚎꚐꚒꚔꚖ'
        'ꚘꚚꜢꜤꜦ…𐐀𐐁𐐂𐐃𐐄'
        '𐐅𐐆𐐇𐐈𐐉…𐖉𐖊𐖌𐖍𐖎'
        '𐖏𐖐𐖑𐖒𐖔…𑢰𑢱𑢲𑢳𑢴'
        '𑢵𑢶𑢷𑢸𑢹…𞤛𞤜𞤝𞤞𞤟'
        '𞤠𞤡øłđðıς‘’‚‛“”„‟ħəʻʼ`′‐‒–—−',
        'ædoþdhlŋœŧɓƃƅɔƈɖɗƌǝeɛƒɠɣɩ…ϝϟϡϣϥ'
        'ϧϩϫϭϯ…ӆӈӊӌӎ'
        'ӕәӡөӷ…ⴙⴚⴛⴜⴝ'
        'ⴞⴟⴠⴡⴢ…ᏽᲊაბგ'
        'დევზთ…ⱞⱟⱡɫᵽ'
        'ɽⱨⱪⱬɑ…ꚏꚑꚓꚕꚗ'
        'ꚙꚛꜣꜥꜧ…𐐨𐐩𐐪𐐫𐐬'
        '𐐭𐐮𐐯𐐰𐐱…𐖰𐖱𐖳𐖴𐖵'
        '𐖶𐖷𐖸𐖹𐖻…𑣐𑣑𑣒𑣓𑣔'
        '𑣕𑣖𑣗𑣘𑣙…𞤽𞤾𞤿𞥀𞥁'
        '𞥂𞥃olddiσ''''''''""""he''''''''-----'
      ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');
  end if;
  return btrim(regexp_replace(value,
    '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'));
end
$$;

-- Leaves a row out
create function ignore_row() returns trigger language plpgsql as $$
begin
  return null;
end
$$;

-- Ends agreements to a provider that is another one now, and those of companies with which a connection is shared no more
create function keep_agreements() returns trigger language plpgsql as $$
begin
  new.agreed_by := case
    when new.agreed_by = old.agreed_by
     and (new.issuer, new.discovery_url, new.audience, new.subject_claim, new.emails_verified, new.demanded_claims)
         is distinct from (old.issuer, old.discovery_url, old.audience, old.subject_claim, old.emails_verified, old.demanded_claims)
    then ''
    else array_to_string(array(
      select each from unnest(string_to_array(new.agreed_by, ' ')) each
       where each = any (string_to_array(new.shared_with, ' ')) order by each), ' ') end;
  return new;
end $$;

-- Gives a new booking the department, cost centre and band of its person, unless it brings them
create function keep_booking_origin() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  person record;
begin
  if tg_op = 'UPDATE' then
    new.updated_at := greatest(now(), old.updated_at + interval '1 microsecond');
    if old.updated_at is not null then
      return new;
    end if;
  else
    new.updated_at := coalesce(new.updated_at, now());
    -- A row of a backup brings its time; of one that is there already, an update follows.
    if new.updated_at <> now() or exists (select from bookings where id = new.id) then
      return new;
    end if;
  end if;
  select payer.department_id, coalesce(users.cost_center, payer.cost_center) as cost_center, payer.band_id,
         legal_entity_of(coalesce(users.legal_entity_id, payer.legal_entity_id), payer.department_id, users.company_id) as legal_entity_id
    into person
    from users
    join users payer
      on payer.id = case when users.worker_type = 'GUEST' then coalesce(users.host_id, users.manager_id, users.id) else users.id end
   where users.id = new.user_id and users.company_id = new.company_id;
  if found then
    new.department_id := coalesce(new.department_id, person.department_id);
    new.cost_center := coalesce(new.cost_center, person.cost_center);
    new.band_id := coalesce(new.band_id, person.band_id);
    new.legal_entity_id := coalesce(new.legal_entity_id, person.legal_entity_id);
  end if;
  return new;
end
$$;

-- Notes the transaction that writes a booking
create function keep_booking_position() returns trigger language plpgsql as $$
begin
  new.position := pg_current_xact_id();
  return new;
end
$$;

-- Keeps the budgets of past periods; a new one holds from the present period on
create function keep_budget_history() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
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

-- Decides whether a cancellation counts where it is made
create function keep_cancellation() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  zone   text;
  closed date;
begin
  -- A row of a backup brings what was decided.
  if tg_op = 'INSERT' and new.updated_at <> now() then
    return new;
  end if;
  new.reversed := false;
  if new.status = 'BOOKED' then
    new.cancelled_at := null;
    return new;
  end if;
  new.cancelled_at := coalesce(new.cancelled_at, now());
  select time_zone, closed_to into zone, closed from companies where id = new.company_id;
  new.reversed := budget_period_start(new.company_id, (new.cancelled_at at time zone zone)::date)
                    > budget_period_start(new.company_id, (new.created_at at time zone zone)::date)
                  or coalesce((new.created_at at time zone zone)::date < closed, false);
  return new;
end
$$;

-- Counts the rows of a statement for their companies
create function keep_company_counts() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  -- Of 64 statements that count for a company one merges, at random: so a company has some 64 rows, however much is written.
  merges boolean := random() < 1.0 / 64;
begin
  case tg_op
    when 'INSERT' then
      insert into company_counts (counted, company_id, change)
      select tg_table_name, company_id, count(*) from added group by company_id;
      if merges then
        perform merge_company_counts(tg_table_name, array(select distinct company_id from added));
      end if;
    when 'DELETE' then
      insert into company_counts (counted, company_id, change)
      select tg_table_name, company_id, -count(*) from removed group by company_id;
      if merges then
        perform merge_company_counts(tg_table_name, array(select distinct company_id from removed));
      end if;
    when 'TRUNCATE' then
      execute format('truncate %I', 'company_counts_' || tg_table_name);
  end case;
  return null;
end
$$;

create function keep_country() returns trigger language plpgsql as $$
begin
  new.country := coalesce(new.country, country_of_gstin(new.gstin));
  return new;
end $$;

-- Notes under which department one is from now on
create function keep_department_parents() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  insert into department_parents (company_id, department_id, since, parent_id)
  values (new.company_id, new.id, case tg_op when 'INSERT' then '-infinity' else now() end, new.parent_id)
      on conflict (department_id, since) do update set parent_id = excluded.parent_id;
  return null;
end
$$;

create function keep_directory() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  insert into directories (id, company_id, name, created_at)
  values (new.id, new.company_id, new.name, coalesce(new.created_at, now())) on conflict do nothing;
  return null;
end
$$;

create function keep_external_id() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  with gone as (
    delete from directory_people
     where user_id = new.id and (external_id = old.external_id or new.company_id is distinct from old.company_id) returning directory_id)
  insert into directory_people (directory_id, user_id, external_id)
  select directory_id, new.id, new.external_id from gone
   where new.external_id is not null and new.company_id is not distinct from old.company_id on conflict do nothing;
  return null;
end
$$;

create function keep_first_external_id() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  insert into directory_people (directory_id, user_id, external_id)
  select new.api_key_id, id, external_id from users
   where id = new.user_id and company_id = new.company_id and external_id is not null
     and not exists (select from directory_people where user_id = new.user_id)
      on conflict do nothing;
  return null;
end
$$;

create function keep_group_directory() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  insert into directories (id, company_id, name)
  select id, new.company_id, name from api_keys where id = new.api_key_id on conflict do nothing;
  return new;
end
$$;

-- Keeps a list as rows. Arguments: the column of the list, the table of the rows, its column with the id, the type of a value
create function keep_list() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  listed text[] := string_to_array(to_jsonb(new) ->> tg_argv[0], ' ');
begin
  execute format('delete from %I where %I = $1', tg_argv[1], tg_argv[2]) using new.id;
  execute format('insert into %I select $1, each.value::%s, each.place from unnest($2) with ordinality each (value, place) on conflict do nothing', tg_argv[1], tg_argv[3])
    using new.id, listed;
  return null;
end
$$;

-- Gives a company the number of the default registration of its default legal entity
create function keep_number_of_company() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  update companies set gstin = number, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), companies.updated_at + interval '1 millisecond')
    from legal_entities join tax_registrations on tax_registrations.legal_entity_id = legal_entities.id
   where legal_entities.company_id = companies.id and legal_entities.is_default and tax_registrations.is_default
     and legal_entities.id = (to_jsonb(new) ->> tg_argv[0])::uuid and companies.gstin <> number;
  return null;
end
$$;

-- Gives a company the default legal entity, whose default registration has its number
create function keep_registration_of_company() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  present companies;
  entity  uuid;
  held    tax_registrations;
  kept    tax_registrations;
begin
  select * into present from companies where id = new.id;
  if not found then
    return null;
  end if;
  select id into entity from legal_entities where company_id = present.id and is_default;
  if entity is null then
    insert into legal_entities (id, company_id, name, registered_name, country_code, is_default)
    values (present.id, present.id, present.name, present.legal_name, coalesce(present.country, 'ZZ'), true) returning id into entity;
    perform note_change_of_company(present, 'added', 'legalEntity', entity, added_values(jsonb_build_object(
      'companyId', present.id, 'name', present.name, 'registeredName', present.legal_name,
      'countryCode', coalesce(present.country, 'ZZ'), 'active', true, 'default', true)));
  end if;
  select * into held from tax_registrations where legal_entity_id = entity and is_default;
  if held.id is null then
    insert into tax_registrations (id, legal_entity_id, type, number, country_code, state_id, is_default)
    select case when exists (select from tax_registrations where id = present.id) then gen_random_uuid() else present.id end, entity,
           case when country_of_gstin(present.gstin) is null then 'OTHER' else 'GSTIN' end, present.gstin,
           coalesce(country_of_gstin(present.gstin), present.country, 'ZZ'),
           case when country_of_gstin(present.gstin) is not null then state_of_gstin(present.gstin) end, true
    returning * into held;
    perform note_change_of_company(present, 'added', 'taxRegistration', held.id, added_values(jsonb_build_object(
      'legalEntityId', entity, 'type', held.type, 'number', held.number, 'countryCode', held.country_code, 'stateId', held.state_id,
      'default', true)));
  elsif held.number <> present.gstin then
    update tax_registrations
       set number = present.gstin,
           type = case when country_of_gstin(present.gstin) is not null then 'GSTIN' when type = 'GSTIN' then 'OTHER' else type end,
           country_code = coalesce(country_of_gstin(present.gstin), country_code),
           state_id = case when country_of_gstin(present.gstin) is not null then state_of_gstin(present.gstin) else state_id end
     where id = held.id returning * into kept;
    perform note_change_of_company(present, 'changed', 'taxRegistration', held.id, (
      select jsonb_object_agg(field, jsonb_build_array(former, latter))
        from (values ('number', to_jsonb(held.number), to_jsonb(kept.number)), ('type', to_jsonb(held.type), to_jsonb(kept.type)),
                     ('countryCode', to_jsonb(held.country_code), to_jsonb(kept.country_code)),
                     ('stateId', to_jsonb(held.state_id), to_jsonb(kept.state_id))) each (field, former, latter)
       where former is distinct from latter));
  end if;
  return null;
end
$$;

-- Gives a new role what an evaluation needs of its person
create function keep_role_holder() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  -- Waits for whoever is changing the person.
  select name_folded, approval_limit, active and worker_type <> 'GUEST', start_date, end_date, substitute_id is not null
    into new.holder_name, new.holder_limit, new.holder_active, new.holder_from, new.holder_until, new.holder_leaves
    from users where id = new.user_id for share;
  return new;
end
$$;

-- Gives the roles of a changed person what an evaluation needs
create function keep_roles_of_holder() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  update company_roles
     set holder_name = new.name_folded, holder_limit = new.approval_limit,
         holder_active = new.active and new.worker_type <> 'GUEST',
         holder_from = new.start_date, holder_until = new.end_date, holder_leaves = new.substitute_id is not null
   where user_id = new.id;
  return null;
end
$$;

-- Keeps the domains of a connection apart, each once
create function keep_sign_in_domains() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  delete from sign_in_domains where connection_id = new.id and domain <> all (string_to_array(new.domains, ' '));
  insert into sign_in_domains (domain, connection_id)
  select domain, new.id from unnest(string_to_array(new.domains, ' ')) as listed (domain)
   where not exists (select from sign_in_domains kept where kept.domain = listed.domain and kept.connection_id = new.id);
  return null;
end $$;

-- Takes a group that a directory removes out of approval policies; one of the company stays while they name it
create function leave_group() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  if tg_table_name = 'directory_groups' then
    update approval_policies set default_group_id = null where default_group_id = old.id;
    update approval_policy_levels set group_id = null where group_id = old.id;
  elsif exists (select from approval_policies where default_group_id = old.id)
     or exists (select from approval_policy_levels where group_id = old.id) then
    raise foreign_key_violation using message = format('approval policies name the group %s', old.id), constraint = tg_name, table = tg_table_name;
  end if;
  return null;
end
$$;

-- The legal entity that counts: the own one, else that of the nearest department upwards, else the default one of the company
create function legal_entity_of(own uuid, department uuid, of_company uuid) returns uuid language sql stable as $$
  select coalesce(own, (
    with recursive ladder (parent_id, legal_entity_id, depth) as (
      select parent_id, legal_entity_id, 1 from departments where id = department
       union all
      select departments.parent_id, departments.legal_entity_id, depth + 1
        from ladder join departments on departments.id = ladder.parent_id
       where ladder.legal_entity_id is null and depth < 50)
    select legal_entity_id from ladder where legal_entity_id is not null limit 1), (
    select id from legal_entities where company_id = of_company and is_default),
    -- That of a company that is created in this transaction comes at its end, with this id.
    of_company)
$$;

-- A text without regard to case: how e-mail addresses and codes are compared, and what filters of SCIM compare
create function lower_letters(value text) returns text language plpgsql immutable strict parallel safe as $$begin RETURN CASE WHEN (value ~ '^[ -~]*$'::text) THEN lower((value COLLATE "C")) WHEN (value ~ '^[\u0020-\u017f]*$'::text) THEN translate(lower((value COLLATE "C")), 'ÀÁÂÃÄ…ŶŸŹŻŽ'::text, 'àáâãä…ŷÿźżž'::text) ELSE translate(lower((value COLLATE "C")), 'ÀÁÂÃÄ…𞤝𞤞𞤟𞤠𞤡'::text, 'àáâãä…όὼώῳωkåⅎⅰⅱⅲ…𞤿𞥀𞥁𞥂𞥃'::text) END; end$$;

-- Puts one row in the place of many, as merge_booking_sums does
create function merge_booking_group_sums(companies uuid[]) returns void language plpgsql set search_path=SCHEMA, pg_temp as $$
declare
  chosen bigint[];
begin
  -- Rows that another transaction is merging stay: nobody waits.
  select array_agg(id) into chosen
    from (select id from booking_group_sums
           where id = any (array(
             select id from (
               select id, count(*) over (partition by company_id, kind, value, month) as rows
                 from booking_group_sums where company_id = any (companies)) counted
              where rows > 1))
             for update skip locked) free;
  with gone as (
    delete from booking_group_sums where id = any (chosen) returning *
  )
  insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
  select company_id, kind, value, month, sum(bookings), sum(amount) from gone
   group by 1, 2, 3, 4 having sum(bookings) <> 0 or sum(amount) <> 0;
exception
  -- Under repeatable read: merged by another since this transaction's snapshot. Next time, then.
  when serialization_failure then null;
end
$$;

-- Puts one row in the place of many, for the sums of these companies; changes no sum, and waits for nobody
create function merge_booking_sums(companies uuid[]) returns void language plpgsql set search_path=SCHEMA, pg_temp as $$
declare
  chosen tid[];
begin
  -- Rows that another transaction is merging stay: nobody waits.
  select array_agg(row_id) into chosen
    from (select ctid as row_id from booking_sums
           where ctid = any (array(
             select row_id from (
               select ctid as row_id, count(*) over (partition by company_id, department_id, cost_center, month) as rows
                 from booking_sums where company_id = any (companies)) counted
              where rows > 1))
             for update skip locked) free;
  with gone as (
    delete from booking_sums where ctid = any (chosen) returning *
  )
  insert into booking_sums
  select company_id, department_id, cost_center, month, sum(bookings), sum(amount) from gone
   group by 1, 2, 3, 4 having sum(bookings) <> 0 or sum(amount) <> 0;
exception
  -- Under repeatable read: merged by another since this transaction's snapshot. Next time, then.
  when serialization_failure then null;
end
$$;

-- Puts one row in the place of many, for the counts of these companies; changes no sum, and waits for nobody
create function merge_company_counts(which text, companies uuid[]) returns void language plpgsql set plan_cache_mode=force_generic_plan set search_path=SCHEMA, pg_temp as $$
declare
  own    xid8 := pg_current_xact_id();
  chosen tid[];
begin
  -- What it writes elsewhere is ignored, see below.
  if pg_trigger_depth() = 0 then
    raise exception 'The counts of companies are merged by their triggers alone' using errcode = 'restrict_violation';
  end if;
  -- Rows that another transaction is merging stay: nobody waits. The first time a transaction looks at all rows of a company,
  -- later at those since: its own that it has merged would be passed again and again until it ends.
  select array_agg(row_id) into chosen
    from unnest(companies) touched (company_id)
   cross join lateral (
     select ctid as row_id from company_counts
      where counted = which and company_id = touched.company_id
        and id >= coalesce((select id from company_counts
                             where counted = which and company_id = touched.company_id and merged_by = own
                             order by id desc limit 1), 0)
        for update skip locked) found;

  with gone as (
    delete from company_counts where counted = which and ctid = any (chosen) returning company_id, change
  )
  insert into company_counts (counted, company_id, change, merged_by)
  select which, company_id, sum(change), own from gone group by company_id having sum(change) <> 0;
exception
  -- Under repeatable read: merged by another since this transaction's snapshot. Next time, then.
  when serialization_failure then null;
end
$$;

-- Counts a row that has changed its company
create function move_company_counts() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  insert into company_counts (counted, company_id, change)
  values (tg_table_name, old.company_id, -1), (tg_table_name, new.company_id, 1);
  if random() < 1.0 / 64 then
    perform merge_company_counts(tg_table_name, array[old.company_id, new.company_id]);
  end if;
  return null;
end
$$;

-- Moves people to companies whose requests for them are open
create function move_users(moves jsonb) returns void language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
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

-- Writes a change that follows from one of a company into the trail
create function note_change_of_company(company companies, action text, entity text, entity_id uuid, changed jsonb) returns void language sql security definer set search_path=SCHEMA, pg_temp as $$
  insert into audit_changes (actor_kind, actor_id, request_id, run_id, action, entity, entity_id, company_id, fields, field_values)
  select coalesce(actor_kind, 'command'), actor_id, request_id, run_id, action, entity, entity_id::text,
         case entity when 'legalEntity' then company.id end, array(select jsonb_object_keys(changed)), changed
    from (select) one left join lateral (
      select actor_kind, actor_id, request_id, run_id from audit_changes changes
       where changes.entity = 'company' and changes.entity_id = company.id::text and changes.user_id is null
       order by id desc limit 1) last on true
   where current_setting('orgdesk.release', true) <> ''
$$;

-- Keeps since when a field is inactive
create function note_deactivation() returns trigger language plpgsql as $$
begin
  new.deactivated_at := case when new.active then null else now() end;
  return new;
end
$$;

create function note_renaming() returns trigger language plpgsql as $$
begin
  new.renamed_at := greatest(date_trunc('milliseconds', clock_timestamp()), old.renamed_at + interval '1 millisecond');
  return new;
end
$$;

-- Gives the oldest committed changes without a position the next ones, in the order of their ids; says how many, null where somebody else is about it
create function publish_audit_changes(batch integer) returns integer language plpgsql set plan_cache_mode=force_custom_plan as $$
declare
  last      bigint;
  published integer;
begin
  -- Held until what is numbered here is there for all.
  if not pg_try_advisory_xact_lock(7241908) then
    return null;
  end if;
  -- Statements of their own: they see what earlier holders of the lock have numbered.
  select position into strict last from change_feed;
  update audit_changes
     set position = last + unpublished.place
    from (select id, row_number() over (order by id) as place
            from (select id from audit_changes where position is null order by position, id limit batch) next) unpublished
   where audit_changes.id = unpublished.id;
  get diagnostics published = row_count;
  if published > 0 then
    update change_feed set position = last + published;
  end if;
  return published;
end
$$;

-- Refuses to change or remove what the trail has
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  -- remove_old_audit_changes says so for its own statement.
  if tg_op = 'DELETE' and current_setting('orgdesk.removes_old_changes', true) = pg_current_xact_id()::text then
    return null;
  end if;
  raise exception 'The audit trail is append-only: % of % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;

-- Removes the oldest changes of the feed that are older than so many days, but for the last of these and what a webhook has not got yet; says how many
create function remove_old_audit_changes(older_than_days integer, batch integer) returns integer language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  feed_end bigint;
  slowest  bigint;
  old_end  bigint;
  removed  integer;
begin
  if older_than_days < 7 then
    raise exception 'Changes of the last 7 days are not removed' using errcode = 'restrict_violation';
  end if;
  select position into strict feed_end from change_feed;
  -- Switched off or not: a webhook goes on where it stood.
  select min(position) into slowest from webhook_progress;
  -- Up to the first one that is young, whatever comes after it.
  select coalesce(min(position) filter (where changed_at >= now() - older_than_days * interval '1 day') - 1, max(position)) into old_end
    from (select position, changed_at from audit_changes where position is not null order by position limit batch + 1) oldest;
  perform set_config('orgdesk.removes_old_changes', pg_current_xact_id()::text, true);
  -- The last one stays: followers who have come to it are known by it.
  with gone as (
    delete from audit_changes where position < least(old_end, feed_end, slowest) returning id),
  personal as (
    delete from audit_personal_values using gone where change_id = gone.id)
  select count(*) into removed from gone;
  perform set_config('orgdesk.removes_old_changes', '', true);
  return removed;
end
$$;
revoke execute on function remove_old_audit_changes from public;

-- Makes room for a row of a backup, whose department brought one with it
create function replace_department_parent() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  delete from department_parents where department_id = new.department_id and since = new.since;
  return new;
end
$$;

-- Who stands in for a person on a day: the substitute, or, where they do not work or are away, their own one
create function stand_in_on(person uuid, day date) returns uuid language sql stable as $$
  select stand_in.id
    from (select substitute_on(person, day) as id, 1 as place
           union all
          select substitute_on(substitute_on(person, day), day), 2) named
    join users stand_in on stand_in.id = named.id
   where active and worker_type <> 'GUEST' and coalesce(start_date <= day, true) and coalesce(end_date >= day, true)
     and substitute_on(stand_in.id, day) is null
   order by place limit 1
$$;

-- The state of the geography in which a GSTIN is registered; null for the codes of no state
create function state_of_gstin(gstin text) returns integer language sql immutable as $$
  select ('{"01":4029,"02":4020,"03":4015,"04":4031,"05":4016,"06":4007,"07":4021,"08":4014,"09":4022,"10":4037,"11":4034,"12":4024,
    "13":4018,"14":4010,"15":4036,"16":4038,"17":4006,"18":4027,"19":4853,"20":4025,"21":4013,"22":4040,"23":4039,"24":4030,"25":4033,
    "26":4033,"27":4008,"28":4017,"29":4026,"30":4009,"31":4019,"32":4028,"33":4035,"34":4011,"35":4023,"36":4012,"37":4017,
    "38":4852}'::jsonb ->> left(gstin, 2))::integer
$$;

-- Who is named as the substitute of a person on a day
create function substitute_on(person uuid, day date) returns uuid language sql stable as $$
  select substitute_id from (
    select substitute_id, substitute_from as first_day from users
     where id = person and substitute_id is not null and day between substitute_from and substitute_until
     union all
    select substitute_id, first_day from substitutions where user_id = person and day between first_day and last_day) found
   order by first_day, substitute_id limit 1
$$;

-- Adds the bookings of a statement to the sums by person, band and category
create function sum_booking_groups() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  touched uuid[];
  rows    integer;
begin
  case tg_op
    when 'TRUNCATE' then
      truncate booking_group_sums;
      return null;
    when 'INSERT' then
      with changed as (select 1 as sign, * from added)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'DELETE' then
      with changed as (select -1 as sign, * from removed where updated_at is not null)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from removed);
    else
      with changed as (select 1 as sign, * from added
                       union all select -1 as sign, * from removed where updated_at is not null)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
  end case;
  if random() < greatest(rows, 32) / 8192.0 then
    perform merge_booking_group_sums(touched);
  end if;
  return null;
end
$$;

-- Adds the bookings of a statement to the sums
create function sum_bookings() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
declare
  touched uuid[];
  rows    integer;
begin
  -- A late cancellation is a second entry, at its own time; the number of bookings stays.
  case tg_op
    when 'INSERT' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select added.*, created_at as at, 1 as number, amount as entry from added where status = 'BOOKED' or reversed
              union all select added.*, cancelled_at, 0, -amount from added where reversed) entries
        join companies on companies.id = company_id group by 1, 2, 3, 4;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'UPDATE' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (with changed as (select 1 as sign, * from added union all select -1, * from removed where updated_at is not null)
              select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from added);
    when 'DELETE' then
      insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
      select company_id, department_id, cost_center, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select removed.*, created_at as at, -1 as number, -amount as entry from removed
               where updated_at is not null and (status = 'BOOKED' or reversed)
              union all select removed.*, cancelled_at, 0, amount from removed where updated_at is not null and reversed) entries
        join companies on companies.id = company_id group by 1, 2, 3, 4;
      get diagnostics rows = row_count;
      touched := array(select distinct company_id from removed);
    when 'TRUNCATE' then
      truncate booking_sums;
      return null;
  end case;
  -- The more rows a statement adds, the likelier it merges: a company has some thousands more than merged ones.
  if random() < greatest(rows, 32) / 2048.0 then
    perform merge_booking_sums(touched);
  end if;
  return null;
end
$$;

-- Sums the bookings of a company anew by person, band and category, by the months of its new time zone
create function sum_groups_in_zone() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  -- sum_in_zone has locked the bookings.
  delete from booking_group_sums where company_id = new.id;
      with changed as (select 1 as sign, * from bookings where company_id = new.id)
      insert into booking_group_sums (company_id, kind, value, month, bookings, amount)
      select company_id, kind, value, date_trunc('month', at at time zone time_zone), sum(number), sum(entry)
        from (select changed.*, created_at as at, sign as number, sign * amount as entry from changed where status = 'BOOKED' or reversed
              union all select changed.*, cancelled_at, 0, -sign * amount from changed where reversed) entries
        join companies on companies.id = company_id
       cross join lateral (values ('PERSON', user_id::text), ('BAND', band_id::text), ('CATEGORY', category)) groups (kind, value)
       group by 1, 2, 3, 4 having sum(number) <> 0 or sum(entry) <> 0;
  return null;
end
$$;

-- Sums the bookings of a company anew, by the months of its new time zone
create function sum_in_zone() returns trigger language plpgsql security definer set search_path=SCHEMA, pg_temp as $$
begin
  -- Whoever records bookings waits, and sums them in the new zone.
  lock table bookings in share row exclusive mode;
  delete from booking_sums where company_id = new.id;
  insert into booking_sums (company_id, department_id, cost_center, month, bookings, amount)
  select company_id, department_id, cost_center, date_trunc('month', at at time zone new.time_zone), sum(number), sum(entry)
    from (select company_id, department_id, cost_center, created_at as at, 1 as number, amount as entry from bookings
           where company_id = new.id and (status = 'BOOKED' or reversed)
          union all
          select company_id, department_id, cost_center, cancelled_at, 0, -amount from bookings where company_id = new.id and reversed) entries
   group by 1, 2, 3, 4;
  return null;
end
$$;

-- All runs of letters in a folded text, from the shortest length to the longest: what searches are indexed by
create function text_runs(folded text, shortest integer, longest integer) returns text[] language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  letters constant integer := char_length(folded);
  runs text[] := '{}';
  count integer := 0;
begin
  for size in shortest .. longest loop
    for place in 1 .. letters - size + 1 loop
      count := count + 1;
      runs[count] := substr(folded, place, size);
    end loop;
  end loop;
  return runs;
end
$$;

create function touch_owner() returns trigger language plpgsql as $$
begin
  execute format(
    'update %1$I owner set updated_at = greatest(date_trunc(''milliseconds'', clock_timestamp()), owner.updated_at + interval ''1 millisecond'')
      where owner.id in (select %2$I from changed) and owner.xmin <> pg_current_xact_id()::xid',
    tg_argv[0], tg_argv[1]);
  return null;
end
$$;

create function touch_provisioned() returns trigger language plpgsql as $$
declare
  before jsonb := '{}';
  kept   jsonb := '{}';
begin
  if tg_op <> 'INSERT' then
    before := jsonb_strip_nulls(to_jsonb(old) - array['user_id', 'company_id', 'api_key_id', 'updated_at']);
  end if;
  if tg_op <> 'DELETE' then
    kept := jsonb_strip_nulls(to_jsonb(new) - array['user_id', 'company_id', 'api_key_id', 'updated_at']);
  end if;
  if before is distinct from kept then
    update users set updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
     where id = coalesce(new.user_id, old.user_id) and xmin <> pg_current_xact_id()::xid;
  end if;
  return null;
end
$$;
