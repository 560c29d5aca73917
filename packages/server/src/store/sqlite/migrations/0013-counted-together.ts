/**
 * Whoever registers many at once counts them together, in the same transaction (new-registrations.ts). Counting each by triggers takes as long as
 * writing it does; so these are left to whoever else writes a row.
 */
export const countedTogether = `
-- Whether whoever inserted the row has counted it in that transaction, as whoever names the column has to. Nothing reads it later.
alter table registrations add column counted integer not null default 0 check (counted in (0, 1));
drop trigger registration_came;
drop trigger audience_came;
drop trigger live_group_grows;
create trigger registration_came after insert on registrations when new.ended_at_ms is null and new.counted = 0
begin
  update projects set live_registrations = live_registrations + 1 where id = new.project_id;
  insert into audience_live (project_id, kind, value, live) values
    (new.project_id, 'push-origin', new.push_origin, 1), (new.project_id, 'browser', new.browser, 1),
    (new.project_id, 'system', new.system, 1), (new.project_id, 'language', new.language, 1)
    on conflict do update set live = live + 1;
  insert into audience_days (project_id, day, registered)
    values (new.project_id, new.created_at_ms / 86400000, 1)
    on conflict do update set registered = registered + 1;
  insert into live_groups values (new.project_id, new.push_origin, new.vapid_key_id, new.origin, 1)
    on conflict do update set registrations = registrations + 1;
end;
`;
