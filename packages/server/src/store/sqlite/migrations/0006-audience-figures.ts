/**
 * Who can be reached, by what, and how that came about day by day: kept as registrations come and go, because counting
 * a million takes longer than answering.
 */
export const audienceFigures = `
-- As the browser named itself when it was registered or confirmed last.
alter table registrations add column browser text not null default 'unknown'
  check (browser in ('chrome', 'edge', 'firefox', 'safari', 'opera', 'samsung', 'other', 'unknown'));
alter table registrations add column system text not null default 'unknown'
  check (system in ('windows', 'macos', 'linux', 'android', 'ios', 'chromeos', 'other', 'unknown'));
-- The first part of the locale, which is whatever a browser sent.
alter table registrations add column language text generated always as (case
  when locale is null then 'unknown'
  when lower(locale) glob '[a-z][a-z]' or lower(locale) glob '[a-z][a-z][-_]*' then lower(substr(locale, 1, 2))
  when lower(locale) glob '[a-z][a-z][a-z]' or lower(locale) glob '[a-z][a-z][a-z][-_]*'
    then lower(substr(locale, 1, 3))
  else 'other' end) virtual;
-- When its subscription was last replaced; null where an earlier version did it.
alter table registrations add column renewed_at_ms integer;
-- Whether it was an operator who ended it.
alter table registrations add column removed integer not null default 0
  check (removed = 0 or (removed = 1 and end_reason = 'left'));

-- These push services serve one family of browsers each; fcm.googleapis.com serves many.
update registrations set browser = 'firefox' where push_origin glob 'https://*.push.services.mozilla.com';
update registrations set browser = 'safari' where push_origin glob 'https://*.push.apple.com';
update registrations set browser = 'edge', system = 'windows' where push_origin glob 'https://*.notify.windows.com';

-- All that a list of registrations filters by: it reads this, and rows only of those that it shows. The plus keeps every
-- other query from it.
create index registrations_listed
  on registrations (project_id + 0, id, end_reason, removed, browser, system, locale, push_origin);

-- Live registrations by one of their columns. Whatever has none has no row.
create table audience_live (
  project_id integer not null references projects (id),
  kind text not null check (kind in ('push-origin', 'browser', 'system', 'language')),
  value text not null,
  live integer not null,
  primary key (project_id, kind, value)
) strict, without rowid;
create trigger audience_live_is_none after update of live on audience_live when new.live <= 0
begin
  delete from audience_live where project_id = new.project_id and kind = new.kind and value = new.value;
end;
insert into audience_live
  select project_id, 'push-origin', push_origin, count(*) from registrations
  where ended_at_ms is null group by project_id, push_origin;
insert into audience_live
  select project_id, 'browser', browser, count(*) from registrations
  where ended_at_ms is null group by project_id, browser;
insert into audience_live
  select project_id, 'system', system, count(*) from registrations
  where ended_at_ms is null group by project_id, system;
insert into audience_live
  select project_id, 'language', language, count(*) from registrations
  where ended_at_ms is null group by project_id, language;

-- What happened on each day. All of it up to a day, came less lost, is how many were live at its end.
create table audience_days (
  project_id integer not null references projects (id),
  -- Days of UTC since 1970.
  day integer not null,
  registered integer not null default 0,
  -- Had been gone, and came back under their token.
  returned integer not null default 0,
  -- Live ones that got another subscription.
  renewed integer not null default 0,
  "left" integer not null default 0,
  gone integer not null default 0,
  removed integer not null default 0,
  primary key (project_id, day)
) strict, without rowid;
-- Of what is still there: who ended long ago was removed, with the day on which they came.
insert into audience_days (project_id, day, registered, "left", gone)
  select project_id, day, sum(registered), sum(has_left), sum(is_gone) from (
    select project_id, created_at_ms / 86400000 as day, 1 as registered, 0 as has_left, 0 as is_gone
      from registrations
    union all
    select project_id, ended_at_ms / 86400000, 0, end_reason = 'left', end_reason = 'gone'
      from registrations where ended_at_ms is not null
  ) group by project_id, day;

create trigger audience_came after insert on registrations when new.ended_at_ms is null
begin
  insert into audience_live (project_id, kind, value, live) values
    (new.project_id, 'push-origin', new.push_origin, 1), (new.project_id, 'browser', new.browser, 1),
    (new.project_id, 'system', new.system, 1), (new.project_id, 'language', new.language, 1)
    on conflict do update set live = live + 1;
  insert into audience_days (project_id, day, registered)
    values (new.project_id, new.created_at_ms / 86400000, 1)
    on conflict do update set registered = registered + 1;
end;
-- Who ends, comes back, or is another browser by its own words than before.
create trigger audience_was after update of ended_at_ms, push_origin, browser, system, locale on registrations
  when old.ended_at_ms is null and (new.ended_at_ms is not null or old.push_origin <> new.push_origin
    or old.browser <> new.browser or old.system <> new.system or old.language <> new.language)
begin
  update audience_live set live = live - 1 where project_id = old.project_id and (kind, value) in (values
    ('push-origin', old.push_origin), ('browser', old.browser), ('system', old.system), ('language', old.language));
end;
create trigger audience_is after update of ended_at_ms, push_origin, browser, system, locale on registrations
  when new.ended_at_ms is null and (old.ended_at_ms is not null or old.push_origin <> new.push_origin
    or old.browser <> new.browser or old.system <> new.system or old.language <> new.language)
begin
  insert into audience_live (project_id, kind, value, live) values
    (new.project_id, 'push-origin', new.push_origin, 1), (new.project_id, 'browser', new.browser, 1),
    (new.project_id, 'system', new.system, 1), (new.project_id, 'language', new.language, 1)
    on conflict do update set live = live + 1;
end;
create trigger audience_lost after update of ended_at_ms on registrations
  when old.ended_at_ms is null and new.ended_at_ms is not null
begin
  insert into audience_days (project_id, day, "left", gone, removed)
    values (new.project_id, new.ended_at_ms / 86400000, new.end_reason = 'left' and new.removed = 0,
      new.end_reason = 'gone', new.removed)
    on conflict do update set "left" = "left" + excluded."left", gone = gone + excluded.gone,
      removed = removed + excluded.removed;
end;
create trigger audience_returned after update of ended_at_ms on registrations
  when old.ended_at_ms is not null and new.ended_at_ms is null
begin
  insert into audience_days (project_id, day, returned)
    values (new.project_id, new.refreshed_at_ms / 86400000, 1)
    on conflict do update set returned = returned + 1;
end;
create trigger audience_renewed after update of generation on registrations
  when old.ended_at_ms is null and new.ended_at_ms is null and old.generation < new.generation
begin
  insert into audience_days (project_id, day, renewed)
    values (new.project_id, new.refreshed_at_ms / 86400000, 1)
    on conflict do update set renewed = renewed + 1;
end;
-- Sineta itself removes none that is live.
create trigger audience_deleted after delete on registrations when old.ended_at_ms is null
begin
  update audience_live set live = live - 1 where project_id = old.project_id and (kind, value) in (values
    ('push-origin', old.push_origin), ('browser', old.browser), ('system', old.system), ('language', old.language));
  insert into audience_days (project_id, day, removed) values (old.project_id, unixepoch() / 86400, 1)
    on conflict do update set removed = removed + 1;
end;

-- Live ones in each topic.
alter table topics add column live_registrations integer not null default 0;
update topics set live_registrations = (
  select count(*) from registration_topics cross join registrations
  where topic_id = topics.id and registrations.id = registration_id and ended_at_ms is null);
create trigger topic_joined after insert on registration_topics
  when exists (select 1 from registrations where id = new.registration_id and ended_at_ms is null)
begin
  update topics set live_registrations = live_registrations + 1 where id = new.topic_id;
end;
create trigger topic_left after delete on registration_topics
  when exists (select 1 from registrations where id = old.registration_id and ended_at_ms is null)
begin
  update topics set live_registrations = live_registrations - 1 where id = old.topic_id;
end;
create trigger topic_member_ended after update of ended_at_ms on registrations
  when old.ended_at_ms is null and new.ended_at_ms is not null
begin
  update topics set live_registrations = live_registrations - 1
    where id in (select topic_id from registration_topics where registration_id = new.id);
end;
create trigger topic_member_returned after update of ended_at_ms on registrations
  when old.ended_at_ms is not null and new.ended_at_ms is null
begin
  update topics set live_registrations = live_registrations + 1
    where id in (select topic_id from registration_topics where registration_id = new.id);
end;
`;
