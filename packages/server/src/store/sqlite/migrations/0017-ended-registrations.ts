/** Whoever registers and leaves over and over fills no disk: ended registrations are counted, and take no more room than they need. */
export const endedRegistrations = `
-- The greatest watermark of the project's messages: no registration with a greater id was ever sent to.
alter table projects add column watermark integer not null default 0;
update projects set watermark =
  coalesce((select max(watermark) from messages where project_id = projects.id), 0);
create trigger message_has_watermark after update of watermark on messages when new.watermark is not null
begin
  update projects set watermark = max(watermark, new.watermark) where id = new.project_id;
end;

-- Which of a project ended first.
drop index registrations_ended;
create index registrations_ended on registrations (project_id, ended_at_ms) where ended_at_ms is not null;

-- Counted as they come and go, like the live ones.
alter table projects add column ended_registrations integer not null default 0;
update projects set ended_registrations =
  (select count(*) from registrations where project_id = projects.id and ended_at_ms is not null);
drop trigger registration_ended;
create trigger registration_ended after update of ended_at_ms on registrations
  when old.ended_at_ms is null and new.ended_at_ms is not null
begin
  update projects set live_registrations = live_registrations - 1, ended_registrations = ended_registrations + 1
    where id = new.project_id;
end;
drop trigger registration_came_back;
create trigger registration_came_back after update of ended_at_ms on registrations
  when old.ended_at_ms is not null and new.ended_at_ms is null
begin
  update projects set live_registrations = live_registrations + 1, ended_registrations = ended_registrations - 1
    where id = new.project_id;
end;
create trigger ended_registration_removed after delete on registrations when old.ended_at_ms is not null
begin
  update projects set ended_registrations = ended_registrations - 1 where id = old.project_id;
end;
create trigger ended_registration_written after insert on registrations when new.ended_at_ms is not null
begin
  update projects set ended_registrations = ended_registrations + 1 where id = new.project_id;
end;

-- A row that becomes small stays where it is, and a page that held a large one keeps the room that it gave up: SQLite joins pages only
-- when a row is deleted. So a row that was large is written anew. Endpoints of the vendors are shorter than that.
create trigger large_registration_ended after update of ended_at_ms on registrations
  when old.ended_at_ms is null and new.ended_at_ms is not null and length(old.endpoint) > 512
begin
  delete from registrations where id = new.id;
  insert into registrations (id, project_id, token, generation, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, locale, time_zone, user_id, created_at_ms, refreshed_at_ms, ended_at_ms, end_reason,
      refused_at_ms, browser, system, renewed_at_ms, removed, passed_messages, counted, push_service)
    values (new.id, new.project_id, new.token, new.generation, new.client_secret_hash, new.endpoint, new.endpoint_hash,
      new.p256dh, new.auth, new.vapid_key_id, new.push_origin, new.origin, new.locale, new.time_zone, new.user_id,
      new.created_at_ms, new.refreshed_at_ms, new.ended_at_ms, new.end_reason, new.refused_at_ms, new.browser, new.system,
      new.renewed_at_ms, new.removed, new.passed_messages, new.counted, new.push_service);
end;
`;
