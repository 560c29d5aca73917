/** What is written before it is published: drafts, images; and live registrations counted for whoever asks while typing. */
export const drafts = `
create table drafts (
  id text primary key,
  project_id integer not null references projects (id),
  revision integer not null,
  -- Of the content, for lists.
  title text not null,
  content text not null check (json_valid(content)),
  created_at_ms integer not null,
  changed_at_ms integer not null,
  changed_by integer references operators (id) on delete set null
) strict;
create index drafts_of_project on drafts (project_id, changed_at_ms desc, id);
create index drafts_by_time on drafts (changed_at_ms);
create index drafts_by_operator on drafts (changed_by) where changed_by is not null;

create table images (
  id integer primary key autoincrement,
  project_id integer not null references projects (id),
  -- SHA-256 of the bytes.
  hash blob not null,
  type text not null check (type in ('png', 'jpg', 'webp')),
  width_pixels integer not null,
  height_pixels integer not null,
  byte_count integer not null,
  created_at_ms integer not null,
  -- Last, so that lists do not read past it.
  bytes blob not null,
  unique (hash, project_id)
) strict;
create index images_of_project on images (project_id, id);

-- Counted as they come and go, like projects.live_registrations: a million are not looked at for each estimate.
create table live_groups (
  project_id integer not null references projects (id),
  push_origin text not null,
  vapid_key_id integer not null references vapid_keys (id),
  origin text not null,
  registrations integer not null check (registrations >= 0),
  primary key (project_id, push_origin, vapid_key_id, origin)
) strict, without rowid;
insert into live_groups
  select project_id, push_origin, vapid_key_id, origin, count(*) from registrations
  where ended_at_ms is null group by project_id, push_origin, vapid_key_id, origin;
create trigger live_group_grows after insert on registrations when new.ended_at_ms is null
begin
  insert into live_groups values (new.project_id, new.push_origin, new.vapid_key_id, new.origin, 1)
    on conflict do update set registrations = registrations + 1;
end;
create trigger live_group_changes after update of ended_at_ms, push_origin, vapid_key_id, origin on registrations
  when (old.ended_at_ms is null) <> (new.ended_at_ms is null)
    or old.push_origin <> new.push_origin or old.vapid_key_id <> new.vapid_key_id or old.origin <> new.origin
begin
  update live_groups set registrations = registrations - 1
    where old.ended_at_ms is null and project_id = old.project_id and push_origin = old.push_origin
      and vapid_key_id = old.vapid_key_id and origin = old.origin;
  delete from live_groups
    where project_id = old.project_id and push_origin = old.push_origin
      and vapid_key_id = old.vapid_key_id and origin = old.origin and registrations = 0;
  insert into live_groups
    select new.project_id, new.push_origin, new.vapid_key_id, new.origin, 1 where new.ended_at_ms is null
    on conflict do update set registrations = registrations + 1;
end;
create trigger live_group_shrinks after delete on registrations when old.ended_at_ms is null
begin
  update live_groups set registrations = registrations - 1
    where project_id = old.project_id and push_origin = old.push_origin
      and vapid_key_id = old.vapid_key_id and origin = old.origin;
  delete from live_groups
    where project_id = old.project_id and push_origin = old.push_origin
      and vapid_key_id = old.vapid_key_id and origin = old.origin and registrations = 0;
end;
`;
