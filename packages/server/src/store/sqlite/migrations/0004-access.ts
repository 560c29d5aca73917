/** Who may do what: operators with their sessions and factors, scopes of API keys, the audit, settings of a project. */
export const access = `
-- Separated by spaces. A key from before there were scopes could do all there was.
alter table api_keys add column scopes text not null default 'send read manage';
alter table api_keys add column expires_at_ms integer;
create index api_keys_of_project on api_keys (project_id, id);

-- Quotas; whether browsers report what becomes of a notification.
alter table projects add column receipts integer not null default 1 check (receipts in (0, 1));
alter table projects add column registrations_quota integer not null default 2000000
  check (registrations_quota >= 0);
alter table projects add column messages_per_hour_quota integer not null default 1000
  check (messages_per_hour_quota >= 0);
-- As the project's setting was when it was published.
alter table messages add column with_receipts integer not null default 1 check (with_receipts in (0, 1));
create index messages_made on messages (project_id, created_at_ms);

-- Counted as they come and go: counting a million takes longer than registering one.
alter table projects add column live_registrations integer not null default 0;
update projects set live_registrations =
  (select count(*) from registrations where project_id = projects.id and ended_at_ms is null);
create trigger registration_came after insert on registrations when new.ended_at_ms is null
begin
  update projects set live_registrations = live_registrations + 1 where id = new.project_id;
end;
create trigger registration_ended after update of ended_at_ms on registrations
  when old.ended_at_ms is null and new.ended_at_ms is not null
begin
  update projects set live_registrations = live_registrations - 1 where id = new.project_id;
end;
create trigger registration_came_back after update of ended_at_ms on registrations
  when old.ended_at_ms is not null and new.ended_at_ms is null
begin
  update projects set live_registrations = live_registrations + 1 where id = new.project_id;
end;
create trigger registration_removed after delete on registrations when old.ended_at_ms is null
begin
  update projects set live_registrations = live_registrations - 1 where id = old.project_id;
end;
create index registrations_ended on registrations (ended_at_ms) where ended_at_ms is not null;
-- What belongs to a registration goes with it.
create index receipts_of_registration on receipts (registration_id);
create index exceptions_of_registration on message_exceptions (registration_id);
create index messages_ended on messages (ended_at_ms) where ended_at_ms is not null;

create table operators (
  id integer primary key autoincrement,
  -- As addresses are compared: trimmed, in lower case.
  email text not null unique,
  name text not null,
  -- PHC string format.
  password_hash text not null,
  sealed_totp_secret blob,
  -- Null until the operator has shown a first code.
  totp_confirmed_at_ms integer,
  -- No code is taken twice.
  totp_last_step integer,
  created_at_ms integer not null,
  last_login_at_ms integer
) strict;

create table operator_roles (
  operator_id integer not null references operators (id) on delete cascade,
  project_id integer not null references projects (id),
  role text not null check (role in ('owner', 'editor', 'viewer')),
  granted_at_ms integer not null,
  primary key (operator_id, project_id)
) strict, without rowid;
create index operator_roles_of_project on operator_roles (project_id, operator_id);

create table operator_sessions (
  id integer primary key autoincrement,
  operator_id integer not null references operators (id) on delete cascade,
  token_hash blob not null unique,
  created_at_ms integer not null,
  last_used_at_ms integer not null,
  -- Whatever is done with it.
  expires_at_ms integer not null,
  address text not null,
  user_agent text not null
) strict;
create index operator_sessions_of_operator on operator_sessions (operator_id, id);

-- A link that makes somebody an operator, once. Nobody's: from the first start, or from the command line.
create table invitations (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  role text not null check (role in ('owner', 'editor', 'viewer')),
  -- For nobody else, if it is given.
  email text,
  token_hash blob not null unique,
  invited_by integer references operators (id) on delete cascade,
  -- Whether it makes the first operator: it ends once there is one.
  first integer not null default 0 check (first in (0, 1)),
  created_at_ms integer not null,
  expires_at_ms integer not null
) strict;
create index invitations_of_project on invitations (project_id, id);
create index invitations_by_operator on invitations (invited_by);

create table recovery_codes (
  operator_id integer not null references operators (id) on delete cascade,
  code_hash blob not null,
  primary key (operator_id, code_hash)
) strict, without rowid;

create table passkeys (
  id integer primary key autoincrement,
  operator_id integer not null references operators (id) on delete cascade,
  credential_id blob not null unique,
  public_key blob not null,
  counter integer not null,
  -- Separated by spaces.
  transports text not null,
  name text not null,
  created_at_ms integer not null,
  last_used_at_ms integer
) strict;
create index passkeys_of_operator on passkeys (operator_id, id);

-- Questions put to a passkey, each to be answered once.
create table passkey_challenges (
  challenge_hash blob primary key,
  -- Null for a log-in: who it is comes with the answer.
  operator_id integer references operators (id) on delete cascade,
  expires_at_ms integer not null
) strict, without rowid;
create index passkey_challenges_by_time on passkey_challenges (expires_at_ms);
create index passkey_challenges_of_operator on passkey_challenges (operator_id);

create table audit (
  id integer primary key autoincrement,
  at_ms integer not null,
  -- Null where it concerns the whole server.
  project_id integer references projects (id),
  actor_kind text not null check (actor_kind in ('operator', 'api-key', 'command-line', 'server', 'nobody')),
  actor text not null,
  action text not null,
  subject text not null,
  address text,
  change text check (change is null or json_valid(change))
) strict;
create index audit_of_project on audit (project_id, id);
create index audit_by_time on audit (at_ms);
-- Append-only: nothing is ever rewritten, and nothing younger than 30 days removed.
create trigger audit_is_not_rewritten before update on audit
begin
  select raise(abort, 'the audit is append-only');
end;
create trigger audit_takes_no_place before insert on audit
  when exists (select 1 from audit where id = new.id)
begin
  select raise(abort, 'the audit is append-only');
end;
create trigger audit_is_appended_to after insert on audit
  when new.id <> (select max(id) from audit)
begin
  select raise(abort, 'the audit is append-only');
end;
create trigger audit_is_kept before delete on audit
  when old.at_ms > unixepoch('subsec') * 1000 - 30 * 86400000
begin
  select raise(abort, 'the audit is append-only');
end;
`;
