-- The tables that NVSentinel's PostgreSQL provider uses, with its names and types, so that its components can share them.
-- Where they exist already, only what is missing is added.

create table if not exists health_events (
  id uuid primary key default gen_random_uuid(),
  node_name varchar(255) not null,
  event_type varchar(100),
  severity varchar(50),
  recommended_action varchar(100),
  node_quarantined varchar(50),
  user_pods_eviction_status varchar(50) default 'NotStarted',
  user_pods_eviction_message text,
  fault_remediated boolean,
  last_remediation_timestamp timestamptz,
  document jsonb not null,
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);

alter table health_events add column if not exists quarantine_finish_timestamp timestamptz;
alter table health_events add column if not exists drain_finish_timestamp timestamptz;

create table if not exists datastore_changelog (
  id bigserial primary key,
  table_name varchar(100) not null,
  record_id uuid not null,
  operation varchar(20) not null,
  old_values jsonb,
  new_values jsonb,
  changed_at timestamptz default now(),
  processed boolean default false
);

create table if not exists resume_tokens (
  client_name varchar(255) primary key,
  resume_token jsonb not null,
  last_updated timestamptz default now()
);

-- An event is stored once, however often it is sent.
create unique index if not exists healthevent_idempotency_key_unique
  on health_events ((document #>> '{healthevent,metadata,idempotencyKey}'))
  where (document #>> '{healthevent,metadata,idempotencyKey}') is not null;

-- Every query reads one of these in its order, and stops at its limit.
create index if not exists idx_health_events_created_id on health_events (created_at, id);
create index if not exists drydock_events_of_node on health_events (node_name, created_at, id);
create index if not exists drydock_events_in_state
  on health_events ((coalesce(node_quarantined, '')), created_at, id);
create index if not exists drydock_changes_by_time on datastore_changelog (changed_at);
create index if not exists idx_changelog_table_record on datastore_changelog (table_name, record_id);

-- Tells every change: a row of the change log, and a notification with its number for those who listen.
create or replace function log_table_changes() returns trigger language plpgsql as $$
declare
  before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  number bigint;
begin
  insert into datastore_changelog (table_name, record_id, operation, old_values, new_values)
    values (tg_table_name, (coalesce(after, before) ->> 'id')::uuid, tg_op, before, after)
    returning id into number;
  perform pg_notify(
    'nvsentinel_changes',
    json_build_object('id', number, 'table', tg_table_name, 'operation', tg_op)::text);
  return null;
end
$$;

create or replace trigger health_events_changes
  after insert or update or delete on health_events
  for each row execute function log_table_changes();
