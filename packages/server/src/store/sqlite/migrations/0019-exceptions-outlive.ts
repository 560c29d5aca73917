/**
 * A message's exceptions outlive their registrations. What is still to be tried at a registration that was removed is settled like any other retry, and a
 * registration that a page has on its way can be removed meanwhile. Exceptions go with the time since their message ended (retention.ts).
 */
export const exceptionsOutlive = `
create table lasting_exceptions (
  message_id text not null references messages (id),
  -- Of one that was removed, too: ids are never used twice.
  registration_id integer not null,
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
insert into lasting_exceptions
  select message_id, registration_id, batch_id, push_origin, kind, generation, attempts, first_tried_at_ms, due_at_ms, reason,
    detail, changed_at_ms
  from message_exceptions;
drop table message_exceptions;
alter table lasting_exceptions rename to message_exceptions;

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
`;
