/**
 * Delivery by batches, which are leased; breakers; keys of the HTTP interface; and what a message may say beside its
 * notification.
 */
export const batches = `
-- \`cursor\` means from now on: planned up to here. What was walked before counts as planned.
alter table messages add column data text check (data is null or json_valid(data));
alter table messages add column local_time text;
alter table messages add column request_hash blob;
alter table messages add column planned_count integer not null default 0;
alter table messages add column planned_at_ms integer;
update messages set planned_count = accepted + gone + retry + rejected + failed;
create index messages_of_project on messages (project_id, id);
create index messages_by_state on messages (state);

-- A range of registrations up to last_id, of one destination (push_origin, vapid_key_id), for one message.
-- With time_zones (a JSON list) only of these; null in it stands for an unknown one. One without a range
-- (last_id 0) holds retries of registrations that moved to its destination.
create table batches (
  id integer primary key autoincrement,
  message_id text not null references messages (id),
  project_id integer not null references projects (id),
  push_origin text not null,
  vapid_key_id integer not null references vapid_keys (id),
  time_zones text check (time_zones is null or json_valid(time_zones)),
  state text not null check (state in ('open', 'done', 'expired', 'cancelled')),
  -- Walked up to here.
  cursor integer not null,
  last_id integer not null,
  due_at_ms integer not null,
  -- When nothing of it is sent any more.
  expires_at_ms integer not null,
  -- When it has something to do next: its due time while it is walked, then its earliest retry.
  ready_at_ms integer not null,
  lease_owner text,
  lease_until_ms integer,
  worked_at_ms integer,
  planned integer not null,
  accepted integer not null default 0,
  gone integer not null default 0,
  retry integer not null default 0,
  rejected integer not null default 0,
  failed integer not null default 0,
  check (cursor <= last_id),
  check ((lease_owner is null) = (lease_until_ms is null))
) strict;
-- Whether a destination has something to do, and which batch of a message it has to do.
create index batches_ready on batches (push_origin, vapid_key_id, ready_at_ms) where state = 'open';
create index batches_to_lease on batches (push_origin, vapid_key_id, message_id, ready_at_ms, id)
  where state = 'open';
-- When a destination, and a message there, had its last turn.
create index batches_worked on batches (push_origin, vapid_key_id, worked_at_ms);
create index batches_of_message_worked on batches (message_id, push_origin, vapid_key_id, worked_at_ms);
create index batches_of_message on batches (message_id, state);
create index batches_expiring on batches (expires_at_ms) where state = 'open';
create index batches_leased on batches (lease_until_ms) where lease_owner is not null;
-- Cancelled while somebody worked on them, who did not come back.
create index batches_abandoned on batches (state) where state = 'cancelled' and retry > 0;
-- Which batches still have a registration's turn before them.
create index batches_ahead on batches (push_origin, vapid_key_id, last_id)
  where state = 'open' and cursor < last_id;

-- One row for each registration that did not simply accept the message. Whoever has a row has no turn in a walk any
-- more; so one that accepted, and then moved to where a walk would meet it again, has one too.
create table exceptions (
  message_id text not null references messages (id),
  registration_id integer not null references registrations (id),
  -- Null where an earlier version settled it, and for the accepted.
  batch_id integer references batches (id),
  kind text not null check (kind in ('accepted', 'gone', 'retry', 'rejected', 'failed')),
  generation integer not null,
  attempts integer not null,
  due_at_ms integer,
  reason text not null,
  detail text not null,
  changed_at_ms integer not null,
  primary key (message_id, registration_id),
  check ((kind = 'retry') = (due_at_ms is not null)),
  check (kind <> 'retry' or batch_id is not null)
) strict, without rowid;

-- Retries that an earlier version left: a batch without a range for each message and destination holds them.
insert into batches (message_id, project_id, push_origin, vapid_key_id, state, cursor, last_id, due_at_ms,
    expires_at_ms, ready_at_ms, planned, retry)
  select messages.id, messages.project_id, push_origin, vapid_key_id, 'open', 0, 0, scheduled_at_ms,
    scheduled_at_ms + max(ttl_seconds, 600) * 1000, min(due_at_ms), count(*), count(*)
  from message_exceptions
    join messages on messages.id = message_exceptions.message_id
    join registrations on registrations.id = message_exceptions.registration_id
  where kind = 'retry'
  group by messages.id, push_origin, vapid_key_id;
insert into exceptions
  select message_exceptions.message_id, registration_id, batches.id, kind, message_exceptions.generation, attempts,
    message_exceptions.due_at_ms, reason, detail, changed_at_ms
  from message_exceptions
    join registrations on registrations.id = registration_id
    left join batches on kind = 'retry' and batches.message_id = message_exceptions.message_id
      and batches.push_origin = registrations.push_origin
      and batches.vapid_key_id = registrations.vapid_key_id;
drop table message_exceptions;
alter table exceptions rename to message_exceptions;
create index message_exceptions_due on message_exceptions (batch_id, due_at_ms) where kind = 'retry';
-- For a registration that moves to another destination.
create index message_exceptions_of_registration on message_exceptions (registration_id)
  where kind = 'retry';

create index registrations_of_destination
  on registrations (project_id, push_origin, vapid_key_id, id) where ended_at_ms is null;

-- A destination that is left alone for now. One without a row is sent to.
create table breakers (
  push_origin text not null,
  vapid_key_id integer not null references vapid_keys (id),
  reason text not null check (reason in ('vapid-refused', 'unavailable', 'throttled', 'refuses-all')),
  detail text not null,
  opened_at_ms integer not null,
  probe_at_ms integer not null,
  probes integer not null default 0,
  primary key (push_origin, vapid_key_id)
) strict, without rowid;

create table api_keys (
  id integer primary key,
  project_id integer not null references projects (id),
  name text not null,
  prefix text not null,
  hash blob not null unique,
  created_at_ms integer not null,
  last_used_at_ms integer,
  revoked_at_ms integer,
  unique (project_id, prefix)
) strict;
`;
