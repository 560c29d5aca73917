/**
 * Delivery by push service: batches, leases and turns belong to a push service and a VAPID key, not to each push origin.
 * `push_service_of` is a function of the connection (connection.ts).
 */
export const pushServices = `
-- The vendor, or the push origin itself where the operator allowed a host. Worked out anew when the vendors' hosts change.
alter table registrations add column push_service text not null default '';
update registrations set push_service = push_service_of(push_origin);
drop index registrations_of_destination;
-- The push origin at its end: what a walk passes over, or counts, is not read.
create index registrations_of_service
  on registrations (project_id, push_service, vapid_key_id, id, push_origin) where ended_at_ms is null;
-- By which rules push_service was worked out; one row.
create table push_service_rules (rules text not null) strict;
-- Of one that is gone: open messages whose walk had passed it by then (a JSON list of ids).
alter table registrations add column passed_messages text;

-- Where a push was ever accepted, under which key, and when the last one was.
create table proven_origins (
  push_origin text not null,
  vapid_key_id integer not null references vapid_keys (id),
  accepted_at_ms integer not null,
  primary key (push_origin, vapid_key_id)
) strict, without rowid;
insert into proven_origins
  select push_origin, vapid_key_id, max(coalesce(worked_at_ms, 0)) from batches where accepted > 0 group by 1, 2;
-- Made-up hosts below a vendor's wildcard that a message gave up on; later messages try them once.
create table given_up_hosts (
  push_origin text primary key,
  given_up_at_ms integer not null
) strict, without rowid;

-- The figures of a message at each push service.
create table message_services (
  message_id text not null references messages (id),
  push_service text not null,
  planned integer not null default 0,
  accepted integer not null default 0,
  gone integer not null default 0,
  retry integer not null default 0,
  rejected integer not null default 0,
  failed integer not null default 0,
  primary key (message_id, push_service)
) strict, without rowid;
insert into message_services
  select message_id, push_service_of(push_origin), sum(planned), sum(accepted), sum(gone), sum(retry), sum(rejected),
    sum(failed)
  from batches group by 1, 2;

-- A range of registrations up to last_id, at one push service under one VAPID key, for one message. It covers all push
-- origins of the service but those in \`except_origins\`; or, if one of them is set, only \`push_origin\`, or those in \`only_origins\`
-- (both JSON lists). One without a range (last_id 0) holds retries of registrations that moved to where no walk meets them.
create table service_batches (
  id integer primary key autoincrement,
  message_id text not null references messages (id),
  project_id integer not null references projects (id),
  push_service text not null,
  vapid_key_id integer not null references vapid_keys (id),
  push_origin text,
  only_origins text check (only_origins is null or json_valid(only_origins)),
  except_origins text check (except_origins is null or json_valid(except_origins)),
  -- What takes turns together: 'shared', 'unproven', or a proven push origin with batches of its own.
  lane text not null,
  -- Whether a breaker holds its push origin.
  held integer not null default 0 check (held in (0, 1)),
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
  -- One more with each lease, so that a lease that was lost can write nothing.
  lease_epoch integer not null default 0,
  -- Cancelled while it was leased, and its owner has confirmed that it begins no more pushes.
  stopped integer not null default 0 check (stopped in (0, 1)),
  planned integer not null,
  -- Registrations to be tried again, and those of which the outcome is final.
  retry integer not null default 0,
  settled integer not null default 0,
  check (cursor <= last_id),
  check ((lease_owner is null) = (lease_until_ms is null)),
  check (held = 0 or push_origin is not null),
  check (push_origin is null or (only_origins is null and except_origins is null))
) strict;
insert into service_batches (id, message_id, project_id, push_service, vapid_key_id, push_origin, lane, held,
    time_zones, state, cursor, last_id, due_at_ms, expires_at_ms, ready_at_ms, lease_owner, lease_until_ms, planned,
    retry, settled)
  select batches.id, message_id, batches.project_id, push_service_of(push_origin), vapid_key_id, push_origin,
    iif(exists (select 1 from proven_origins
      where proven_origins.push_origin = batches.push_origin and proven_origins.vapid_key_id = batches.vapid_key_id),
      push_origin, 'unproven'),
    exists (select 1 from breakers
      where breakers.push_origin = batches.push_origin and breakers.vapid_key_id = batches.vapid_key_id),
    time_zones, batches.state, batches.cursor, last_id, due_at_ms, expires_at_ms, ready_at_ms, lease_owner, lease_until_ms,
    planned, batches.retry, batches.accepted + batches.gone + batches.rejected + batches.failed
  from batches join messages on messages.id = message_id
  where messages.state in ('scheduled', 'sending', 'paused') or batches.retry > 0 or lease_owner is not null;

-- One row for each registration that did not simply accept the message; who has a row has no turn in a walk any more.
create table exceptions (
  message_id text not null references messages (id),
  registration_id integer not null references registrations (id),
  -- The one that tries it again; null once its outcome is final.
  batch_id integer,
  -- Where it was sent to last, or is to be sent.
  push_origin text not null,
  kind text not null check (kind in ('accepted', 'gone', 'retry', 'rejected', 'failed')),
  generation integer not null,
  attempts integer not null,
  -- When the first of these attempts ended; null before it.
  first_tried_at_ms integer,
  due_at_ms integer,
  reason text not null,
  detail text not null,
  changed_at_ms integer not null,
  primary key (message_id, registration_id),
  check ((kind = 'retry') = (due_at_ms is not null)),
  check ((kind = 'retry') = (batch_id is not null))
) strict, without rowid;
insert into exceptions
  select exception.message_id, registration_id, iif(kind = 'retry', batch_id, null),
    coalesce(batches.push_origin, registrations.push_origin), kind, exception.generation, attempts,
    iif(attempts > 0, changed_at_ms, null), exception.due_at_ms, reason, detail, changed_at_ms
  from message_exceptions as exception
    join registrations on registrations.id = registration_id
    left join batches on batches.id = batch_id;
-- What an earlier version settled was in none of these counts.
insert into exception_counts
  select exception.message_id, push_origin, kind, reason, detail, count(*)
  from message_exceptions as exception join registrations on registrations.id = registration_id
  where batch_id is null and kind in ('rejected', 'failed') group by 1, 2, 3, 4, 5
  on conflict do update set registrations = registrations + excluded.registrations;
drop table message_exceptions;
alter table exceptions rename to message_exceptions;
drop table batches;
alter table service_batches rename to batches;

create index message_exceptions_due on message_exceptions (batch_id, due_at_ms) where kind = 'retry';
create index exceptions_of_registration on message_exceptions (registration_id);
-- For a registration that moves.
create index message_exceptions_of_registration on message_exceptions (registration_id) where kind = 'retry';
create trigger exception_came after insert on message_exceptions when new.kind in ('retry', 'rejected', 'failed')
begin
  insert into exception_counts values (new.message_id, new.push_origin, new.kind, new.reason, new.detail, 1)
    on conflict do update set registrations = registrations + 1;
end;
create trigger exception_changed after update of push_origin, kind, reason, detail on message_exceptions
  when old.push_origin <> new.push_origin or old.kind <> new.kind or old.reason <> new.reason or old.detail <> new.detail
begin
  update exception_counts set registrations = registrations - 1
    where message_id = old.message_id and push_origin = old.push_origin and kind = old.kind and reason = old.reason
      and detail = old.detail;
  insert into exception_counts
    select new.message_id, new.push_origin, new.kind, new.reason, new.detail, 1
      where new.kind in ('retry', 'rejected', 'failed')
    on conflict do update set registrations = registrations + 1;
end;
create trigger exception_went after delete on message_exceptions when old.kind in ('retry', 'rejected', 'failed')
begin
  update exception_counts set registrations = registrations - 1
    where message_id = old.message_id and push_origin = old.push_origin and kind = old.kind and reason = old.reason
      and detail = old.detail;
end;

-- What is due at a destination, of which message. The last three columns are there so that SQLite reads no row to find them as the
-- condition has them.
create index batches_due on batches
  (push_service, vapid_key_id, lane, ready_at_ms, id, message_id, expires_at_ms, state, held, lease_owner)
  where state = 'open' and held = 0 and lease_owner is null;
create index batches_of_origin on batches (push_origin, vapid_key_id, ready_at_ms)
  where state = 'open' and push_origin is not null;
create index batches_of_message on batches (message_id, state, held);
create index batches_expiring on batches (expires_at_ms) where state = 'open';
create index batches_leased on batches (lease_until_ms) where lease_owner is not null;
-- Cancelled while somebody worked on them, who did not come back.
create index batches_abandoned on batches (state) where state = 'cancelled' and retry > 0;
-- Which batches still have a registration's turn before them.
create index batches_ahead on batches (push_service, vapid_key_id, last_id)
  where state = 'open' and cursor < last_id;
-- Those that hold retries of registrations that moved.
create index batches_hosting on batches (message_id, push_service, vapid_key_id)
  where state = 'open' and last_id = 0;
create index breakers_due on breakers (probe_at_ms);
`;
