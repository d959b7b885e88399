-- Keeps which companies ask for people of others.
-- Scans: nothing.
create table user_moves (
  id              uuid        primary key default gen_random_uuid(),
  company_id      uuid        not null references companies,
  user_id         uuid        not null references users,
  from_company_id uuid        not null references companies,
  asked_for       text        not null check (char_length(asked_for) between 1 and 254),
  department_id   uuid,
  band_id         uuid,
  status          text        not null check (status in ('OPEN', 'AGREED', 'DECLINED', 'WITHDRAWN', 'EXPIRED')),
  requested_at    timestamptz not null default now(),
  decided_at      timestamptz,

  check ((status = 'OPEN') = (decided_at is null))
);

comment on table  user_moves                 is 'Moves of people to another company: asked for by the new one, agreed by the old one';
comment on column user_moves.company_id      is 'The company that asks';
comment on column user_moves.from_company_id is 'The company that the person belonged to at that time';
comment on column user_moves.asked_for       is 'The id or address by which the person was asked for';
comment on column user_moves.department_id   is 'In the new company; null, or gone since: its default';
comment on column user_moves.band_id         is 'Likewise';
comment on column user_moves.status          is 'One that is open for thirty days has expired, whatever this says';

create unique index user_moves_open on user_moves (user_id, company_id) where status = 'OPEN';
create index user_moves_company on user_moves (company_id, requested_at);
create index user_moves_from on user_moves (from_company_id, requested_at);
