/** The tables of a fleet, in the dialect that PostgreSQL and SQLite share. Times are milliseconds since the Unix epoch. */
export const tables = `
create table if not exists fleet_fact (name text primary key, value bigint not null);
create table if not exists fleet_rank (
  repository_id bigint primary key,
  rank bigint not null,
  urgent_rank bigint not null
);
create table if not exists fleet_visit (
  visit_key text not null,
  state text not null,
  repository_id bigint not null,
  number bigint not null,
  slot text not null,
  rank bigint not null,
  attempt bigint not null,
  enqueued_at_ms bigint not null,
  due_at_ms bigint not null,
  primary key (visit_key, state)
);
create index if not exists fleet_visit_slot on fleet_visit (state, slot);
create index if not exists fleet_visit_rank on fleet_visit (state, rank, due_at_ms);
create table if not exists fleet_worker (
  owner text primary key,
  parent text not null,
  queue_workers text not null,
  beat bigint not null,
  state text not null,
  started_at_ms bigint not null
);
create table if not exists fleet_delivery (
  guid text primary key,
  state text not null,
  plan text not null,
  received_at_ms bigint not null
);
create index if not exists fleet_delivery_state on fleet_delivery (state, received_at_ms);
create table if not exists fleet_installation (
  installation_id bigint primary key,
  state text not null,
  state_at_ms bigint not null
);
create table if not exists fleet_repository (
  repository_id bigint primary key,
  name text not null,
  name_at_ms bigint not null,
  installation_id bigint,
  state text not null,
  state_at_ms bigint not null,
  polled_at_ms bigint not null,
  polled_to text,
  polled_last text not null
);
create table if not exists fleet_run (
  run_key text primary key,
  repository_id bigint not null,
  number bigint not null,
  repository text not null,
  owner text not null,
  month text not null,
  state text not null,
  micro_usd bigint not null,
  tokens bigint not null,
  started_at_ms bigint not null,
  ended_at_ms bigint
);
create index if not exists fleet_run_month on fleet_run (month, repository_id);
create index if not exists fleet_run_issue on fleet_run (repository_id, number);
`;
