/**
 * What browsers report of a message: which action was clicked, and how many registrations reported each event, so
 * that nobody has to count receipts. And secrets of a project beside its VAPID keys, sealed as those are.
 */
export const receipts = `
alter table receipts add column action text;

alter table messages add column displayed integer not null default 0;
alter table messages add column clicked integer not null default 0;
alter table messages add column closed integer not null default 0;

create table project_secrets (
  project_id integer not null references projects (id),
  purpose text not null check (purpose in ('receipts', 'users')),
  sealed_secret blob not null,
  created_at_ms integer not null,
  primary key (project_id, purpose)
) strict, without rowid;
`;
