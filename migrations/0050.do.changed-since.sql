-- When departments, bands and policies last changed.

alter table departments       add column updated_at timestamptz not null default now();
alter table employee_bands    add column updated_at timestamptz not null default now();
alter table approval_policies add column updated_at timestamptz not null default now();

comment on column departments.updated_at       is 'Of rows from before this column: when it was added';
comment on column employee_bands.updated_at    is 'Of rows from before this column: when it was added';
comment on column approval_policies.updated_at is 'Moves with the levels, too. Of rows from before this column: when it was added';
