/** How counts can be kept: what a database of the present schema is given instead. */
export interface Design {
  name: string;
  /** Statements that change a migrated database, with or without rows; none for the design that is in use. */
  script: string;
}

export const WITHOUT: Design = {
  name: 'without counts',
  script: 'alter table users disable trigger user; alter table bookings disable trigger user;',
};

export const ROWS_ADDED: Design = { name: 'rows added and merged', script: '' };

/** Rows that a company's writers share, so that those on the same one wait for each other. */
const SLOTS = 16;

/** A count is the sum of its slots; a writer adds to the slot of its connection. */
export const SLOTTED: Design = {
  name: `${SLOTS} slots a company`,
  script: `
    alter table users disable trigger user;
    alter table bookings disable trigger user;
    alter table company_counts rename to former_counts;
    create table company_counts (
      counted text not null, company_id uuid not null, slot integer not null, change bigint not null,
      primary key (counted, company_id, slot)
    ) with (fillfactor = 50);
    insert into company_counts
    select counted, company_id, 0, sum(change) from former_counts group by counted, company_id;
    drop table former_counts cascade;
    create function add_to_slots() returns trigger language plpgsql as $$
    begin
      insert into company_counts as stored
      select tg_table_name, company_id, pg_backend_pid() % ${SLOTS}, count(*) from added group by company_id order by company_id
      on conflict (counted, company_id, slot) do update set change = stored.change + excluded.change;
      return null;
    end
    $$;
    create trigger slots_added after insert on bookings
      referencing new table as added for each statement execute function add_to_slots();
    analyze company_counts;`,
};
