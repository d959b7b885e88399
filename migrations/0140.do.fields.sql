-- Adds fields of one's own: their definitions, and a column with their values to each table that may have them.
-- Scans: companies, companies, departments, employee_bands, approval_policies, users, users, bookings, bookings.

create table field_definitions (
  id             uuid        primary key,
  company_id     uuid        references companies,
  entity         text        not null check (entity in ('user', 'company', 'department', 'band', 'approvalPolicy', 'booking')),
  key            text        not null check (key ~ '^[a-z][A-Za-z0-9]{0,39}$'),
  label          text        not null,
  labels         jsonb,
  type           text        not null
    check (type in ('TEXT', 'INTEGER', 'DECIMAL', 'DATE', 'BOOLEAN', 'CHOICE', 'CHOICES', 'PERSON', 'URL')),
  choices        jsonb,
  required       boolean     not null,
  default_value  jsonb,
  pattern        text,
  readable_by    text        not null check (readable_by in ('SELF', 'MANAGER', 'ADMIN', 'KEY')),
  writable_by    text        not null check (writable_by in ('SELF', 'MANAGER', 'ADMIN', 'KEY')),
  sensitive      boolean     not null,
  in_list        boolean     not null,
  position       integer     not null,
  active         boolean     not null,
  deactivated_at timestamptz,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  constraint field_definitions_key unique nulls not distinct (company_id, entity, key)
);

comment on table  field_definitions                is 'Fields of one''s own that rows of some tables have beside their columns';
comment on column field_definitions.company_id     is 'The company whose rows have the field; null: those of all';
comment on column field_definitions.labels         is 'Labels in other languages, by BCP 47';
comment on column field_definitions.readable_by    is 'The least of SELF, MANAGER, ADMIN and KEY that reads values';
comment on column field_definitions.sensitive      is 'Whether the audit trail leaves its values out';
comment on column field_definitions.in_list        is 'Whether tables of the console show it';
comment on column field_definitions.deactivated_at is 'Since when it is inactive: its values go 30 days later';

create function note_deactivation() returns trigger
  language plpgsql as $$
begin
  new.deactivated_at := case when new.active then null else now() end;
  return new;
end
$$;
comment on function note_deactivation() is 'Keeps since when a field is inactive';

create trigger field_definitions_added before insert on field_definitions
  for each row execute function note_deactivation();
create trigger field_definitions_switched before update of active on field_definitions
  for each row when (old.active is distinct from new.active) execute function note_deactivation();

alter table companies         add column fields jsonb check (jsonb_typeof(fields) = 'object');
alter table departments       add column fields jsonb check (jsonb_typeof(fields) = 'object');
alter table employee_bands    add column fields jsonb check (jsonb_typeof(fields) = 'object');
alter table approval_policies add column fields jsonb check (jsonb_typeof(fields) = 'object');
alter table users             add column fields jsonb check (jsonb_typeof(fields) = 'object');
alter table bookings          add column fields jsonb check (jsonb_typeof(fields) = 'object');

comment on column companies.fields         is 'Values of field_definitions, by key';
comment on column departments.fields       is 'Values of field_definitions, by key';
comment on column employee_bands.fields    is 'Values of field_definitions, by key';
comment on column approval_policies.fields is 'Values of field_definitions, by key';
comment on column users.fields             is 'Values of field_definitions, by key';
comment on column bookings.fields          is 'Values of field_definitions, by key';

create index companies_fields on companies using gin (fields jsonb_path_ops) where fields is not null;
create index users_fields     on users     using gin (fields jsonb_path_ops) where fields is not null;
create index bookings_fields  on bookings  using gin (fields jsonb_path_ops) where fields is not null;
