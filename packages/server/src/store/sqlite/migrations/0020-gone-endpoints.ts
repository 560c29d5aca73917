/** A project remembers, by their hash, endpoints that a push service called gone. So the server can tell a browser that still shows one. */
export const goneEndpoints = `
-- Whether the push service has accepted a push for this endpoint. A project remembers no others, because strangers make up endpoints.
alter table registrations add column accepted integer not null default 0 check (accepted in (0, 1));

create table gone_endpoints (
  project_id integer not null references projects (id),
  endpoint_hash blob not null,
  registration_id integer not null,
  gone_at_ms integer not null,
  -- Whether the server has told its browser. After that the browser may register the same endpoint again.
  told integer not null default 0 check (told in (0, 1)),
  primary key (project_id, endpoint_hash)
) strict, without rowid;
create index gone_endpoints_of_registration on gone_endpoints (registration_id, gone_at_ms);
create index gone_endpoints_by_time on gone_endpoints (gone_at_ms);

-- As in 0017, with the new column.
drop trigger large_registration_ended;
create trigger large_registration_ended after update of ended_at_ms on registrations
  when old.ended_at_ms is null and new.ended_at_ms is not null and length(old.endpoint) > 512
begin
  delete from registrations where id = new.id;
  insert into registrations (id, project_id, token, generation, client_secret_hash, endpoint, endpoint_hash, p256dh, auth,
      vapid_key_id, push_origin, origin, locale, time_zone, user_id, created_at_ms, refreshed_at_ms, ended_at_ms, end_reason,
      refused_at_ms, browser, system, renewed_at_ms, removed, passed_messages, counted, push_service, accepted)
    values (new.id, new.project_id, new.token, new.generation, new.client_secret_hash, new.endpoint, new.endpoint_hash,
      new.p256dh, new.auth, new.vapid_key_id, new.push_origin, new.origin, new.locale, new.time_zone, new.user_id,
      new.created_at_ms, new.refreshed_at_ms, new.ended_at_ms, new.end_reason, new.refused_at_ms, new.browser, new.system,
      new.renewed_at_ms, new.removed, new.passed_messages, new.counted, new.push_service, new.accepted);
end;
`;
