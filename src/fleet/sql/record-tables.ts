/**
 * The tables for the rows of all workers' stores. They exist in PostgreSQL only: a fleet of one process reads its own store.
 * `arrival` is the number of the statement that last wrote the row; rows are read in this order. Text is compared by its bytes,
 * so that run ids are in the order of time. `fleet_fact` stores the highest number (`record-arrival`), the start time of the
 * oldest rows that are kept (`record-floor`, in milliseconds) and the name of this set of rows (`record-set`).
 */
export const recordTables = `
create table if not exists fleet_record (
  store text collate "C" not null,
  kind text collate "C" not null,
  record_key text collate "C" not null,
  version bigint not null,
  arrival bigint not null,
  began_at_ms bigint not null,
  content text not null,
  primary key (kind, record_key, store)
);
create index if not exists fleet_record_arrival on fleet_record (arrival, kind, record_key, store);
create index if not exists fleet_record_began on fleet_record (began_at_ms);
`;
