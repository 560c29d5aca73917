/**
 * The first schema. Every table is STRICT, times are integers of milliseconds since 1970, and the checks state
 * what a row may look like, so that no fault can leave a half-made one.
 */
export const start = `
create table projects (
  id integer primary key,
  name text not null unique,
  created_at_ms integer not null
) strict;

-- Origins of projects other than \`default\`, whose origins follow from the settings.
create table project_origins (
  project_id integer not null references projects (id),
  origin text not null,
  created_at_ms integer not null,
  primary key (project_id, origin)
) strict, without rowid;

create table vapid_keys (
  id integer primary key,
  project_id integer not null references projects (id),
  public_key text not null unique,
  sealed_private_key blob not null,
  created_at_ms integer not null,
  retired_at_ms integer
) strict;
create index vapid_keys_of_project on vapid_keys (project_id, id);

-- Autoincrement: an id is never used twice, because messages remember ids as watermark and cursor.
create table registrations (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  token text not null unique,
  generation integer not null default 1,
  client_secret_hash blob,
  endpoint text,
  endpoint_hash blob,
  p256dh text,
  auth text,
  vapid_key_id integer not null references vapid_keys (id),
  push_origin text not null,
  origin text not null,
  locale text,
  time_zone text,
  user_id text,
  created_at_ms integer not null,
  refreshed_at_ms integer not null,
  ended_at_ms integer,
  end_reason text check (end_reason in ('gone', 'left')),
  -- Live and whole, or ended and scrubbed.
  check (
    (ended_at_ms is null and end_reason is null and endpoint is not null and endpoint_hash is not null
      and p256dh is not null and auth is not null and client_secret_hash is not null)
    or
    (ended_at_ms is not null and end_reason is not null and endpoint is null and endpoint_hash is null
      and p256dh is null and auth is null)
  )
) strict;
create unique index registrations_one_per_endpoint
  on registrations (project_id, endpoint_hash) where ended_at_ms is null;
create index registrations_live on registrations (project_id, id) where ended_at_ms is null;
create index registrations_of_user on registrations (project_id, user_id) where user_id is not null;

create table topics (
  id integer primary key,
  project_id integer not null references projects (id),
  name text not null,
  policy text not null check (policy in ('open', 'kept')),
  created_at_ms integer not null,
  unique (project_id, name)
) strict;

create table registration_topics (
  topic_id integer not null references topics (id),
  registration_id integer not null references registrations (id),
  joined_at_ms integer not null,
  primary key (topic_id, registration_id)
) strict, without rowid;
create index registration_topics_of_registration on registration_topics (registration_id);

create table messages (
  id text primary key,
  project_id integer not null references projects (id),
  target text not null check (json_valid(target)),
  notification text not null check (json_valid(notification)),
  ttl_seconds integer not null,
  urgency text not null check (urgency in ('very-low', 'low', 'normal', 'high')),
  collapse_key text,
  idempotency_key text,
  state text not null check (state in ('scheduled', 'sending', 'paused', 'done', 'cancelled')),
  scheduled_at_ms integer not null,
  created_at_ms integer not null,
  started_at_ms integer,
  ended_at_ms integer,
  watermark integer,
  cursor integer not null default 0,
  accepted integer not null default 0,
  gone integer not null default 0,
  retry integer not null default 0,
  rejected integer not null default 0,
  failed integer not null default 0
) strict, without rowid;
create index messages_open on messages (state, scheduled_at_ms, id)
  where state in ('scheduled', 'sending');
create unique index messages_idempotent on messages (project_id, idempotency_key)
  where idempotency_key is not null;

-- One row for each registration that did not simply accept the message.
create table message_exceptions (
  message_id text not null references messages (id),
  registration_id integer not null references registrations (id),
  kind text not null check (kind in ('gone', 'retry', 'rejected', 'failed')),
  generation integer not null,
  attempts integer not null,
  due_at_ms integer,
  reason text not null,
  detail text not null,
  changed_at_ms integer not null,
  primary key (message_id, registration_id),
  check ((kind = 'retry') = (due_at_ms is not null))
) strict, without rowid;
create index message_exceptions_due on message_exceptions (message_id, due_at_ms)
  where kind = 'retry';

create table receipts (
  message_id text not null references messages (id),
  registration_id integer not null references registrations (id),
  kind text not null check (kind in ('displayed', 'clicked', 'closed')),
  received_at_ms integer not null,
  primary key (message_id, registration_id, kind)
) strict, without rowid;
`;
