/**
 * Which push service an origin belongs to follows from the vendors' hosts (webpush/push-hosts.ts), which change from version to
 * version. So the database keeps the rules that it was last worked out by; where those of this version differ, every
 * registration is looked at once, and messages that are being sent go on where they were.
 */
import type { DatabaseSync } from "node:sqlite";
import { pushHostRules } from "../../webpush/push-hosts.ts";

/** Changes nothing unless the rules have changed. */
export function assignPushServices(database: DatabaseSync, rules: string = pushHostRules): void {
  const kept = database.prepare("select rules from push_service_rules").get();
  if (kept?.["rules"] === rules) return;
  database.exec("begin immediate");
  try {
    database.exec(reassign);
    database.prepare("insert into push_service_rules values (?)").run(rules);
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

/**
 * A push origin that changes its push service leaves the batches that cover it: its rest of each goes on as a batch of its own, with its
 * retries. The batches of its new push service leave it out, so that no walk meets it twice.
 */
const reassign = `
create temp table changed as
  select push_origin, min(push_service) as was, push_service_of(push_origin) as now from registrations
  where push_service <> push_service_of(push_origin) group by push_origin;
-- What each open batch has left of it: registrations that are not walked yet and have no row, and retries.
create temp table left_over as
  select batches.id as batch_id, changed.push_origin, changed.now,
    (select count(*) from registrations
      where batches.push_origin is null and batches.cursor < batches.last_id
        and registrations.project_id = batches.project_id and registrations.push_service = changed.was
        and registrations.vapid_key_id = batches.vapid_key_id and registrations.push_origin = changed.push_origin
        and registrations.ended_at_ms is null
        and registrations.id > batches.cursor and registrations.id <= batches.last_id
        and (batches.time_zones is null
          or exists (select 1 from json_each(batches.time_zones) where value is registrations.time_zone))
        and not exists (select 1 from message_exceptions
          where message_id = batches.message_id and registration_id = registrations.id)) as unwalked,
    (select count(*) from message_exceptions
      where batch_id = batches.id and kind = 'retry' and push_origin = changed.push_origin) as retries
  from batches join changed on changed.was = batches.push_service
  where state = 'open' and (batches.push_origin is null and case
      when only_origins is not null
        then exists (select 1 from json_each(only_origins) where value = changed.push_origin)
      else except_origins is null
        or not exists (select 1 from json_each(except_origins) where value = changed.push_origin) end);
insert into batches (message_id, project_id, push_service, vapid_key_id, push_origin, lane, held, time_zones, state,
    cursor, last_id, due_at_ms, expires_at_ms, ready_at_ms, planned, retry)
  select message_id, project_id, now, vapid_key_id, left_over.push_origin,
    iif(exists (select 1 from proven_origins
      where proven_origins.push_origin = left_over.push_origin
        and proven_origins.vapid_key_id = batches.vapid_key_id), left_over.push_origin, 'unproven'),
    exists (select 1 from breakers
      where breakers.push_origin = left_over.push_origin and breakers.vapid_key_id = batches.vapid_key_id),
    time_zones, state, cursor, last_id, due_at_ms, expires_at_ms,
    iif(cursor < last_id, due_at_ms, ready_at_ms), unwalked + retries, retries
  from left_over join batches on batches.id = batch_id where unwalked + retries > 0;
update message_exceptions set batch_id = (
    select made.id from batches as made join batches as origin on origin.id = message_exceptions.batch_id
    where made.message_id = origin.message_id and made.push_origin = message_exceptions.push_origin
      and made.vapid_key_id = origin.vapid_key_id and made.last_id = origin.last_id
      and made.due_at_ms = origin.due_at_ms and made.time_zones is origin.time_zones and made.id > origin.id
    order by made.id desc limit 1)
  where kind = 'retry' and (batch_id, push_origin) in (select batch_id, push_origin from left_over where retries > 0);
update batches set
    planned = planned - (select sum(unwalked + retries) from left_over where batch_id = batches.id),
    retry = retry - (select sum(retries) from left_over where batch_id = batches.id),
    only_origins = iif(only_origins is null, null, (select json_group_array(value) from json_each(only_origins)
      where value not in (select push_origin from changed))),
    except_origins = iif(only_origins is not null, null, (select json_group_array(value) from (
      select value from json_each(coalesce(except_origins, '[]'))
      union select push_origin from left_over where batch_id = batches.id)))
  where id in (select batch_id from left_over);
-- The whole batches of one origin go along, too.
update batches set push_service = push_service_of(push_origin)
  where push_origin in (select push_origin from changed);
-- What is still to come is a figure of the new push service; what has an outcome stays with the old one.
create temp table to_come as
  select message_id, was, now, sum(planned - settled) as planned, sum(retry) as retry
  from batches join changed using (push_origin) where state = 'open' group by 1, 2, 3;
insert into message_services (message_id, push_service, planned, retry)
  select message_id, now, sum(planned), sum(retry) from to_come where true group by 1, 2
  on conflict do update set planned = planned + excluded.planned, retry = retry + excluded.retry;
update message_services set planned = message_services.planned - less.planned, retry = message_services.retry - less.retry
  from (select message_id, was, sum(planned) as planned, sum(retry) as retry from to_come group by 1, 2) as less
  where message_services.message_id = less.message_id and message_services.push_service = less.was;
drop table to_come;
-- No walk of the new push service meets it: those batches were planned without it.
update batches set except_origins = (select json_group_array(value) from (
    select value from json_each(coalesce(except_origins, '[]'))
    union select push_origin from changed where now = batches.push_service))
  where state = 'open' and push_origin is null and only_origins is null and cursor < last_id
    and push_service in (select now from changed);
update registrations set push_service = push_service_of(push_origin)
  where push_service <> push_service_of(push_origin);
drop table left_over;
drop table changed;
delete from push_service_rules;
`;
