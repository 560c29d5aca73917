/**
 * What the page of one message reads again whenever a figure changes: why registrations did not accept it, counted in
 * the transaction of what is counted, and clicks on actions by an index of their own.
 */
export const exceptionCounts = `
-- Exceptions by what was said of them. Whatever counts none has no row. Those without a batch, which an earlier version
-- settled, are not among them: their push origin is where their registration is now.
create table exception_counts (
  message_id text not null references messages (id),
  push_origin text not null,
  kind text not null check (kind in ('retry', 'rejected', 'failed')),
  reason text not null,
  detail text not null,
  registrations integer not null,
  primary key (message_id, push_origin, kind, reason, detail)
) strict, without rowid;
insert into exception_counts
  select exception.message_id, push_origin, kind, reason, detail, count(*)
  from message_exceptions as exception join batches on batches.id = batch_id
  where kind in ('retry', 'rejected', 'failed') group by 1, 2, 3, 4, 5;

create trigger exception_count_is_none after update of registrations on exception_counts
  when new.registrations <= 0
begin
  delete from exception_counts where message_id = new.message_id and push_origin = new.push_origin
    and kind = new.kind and reason = new.reason and detail = new.detail;
end;
create trigger exception_came after insert on message_exceptions
  when new.batch_id is not null and new.kind in ('retry', 'rejected', 'failed')
begin
  insert into exception_counts
    select new.message_id, push_origin, new.kind, new.reason, new.detail, 1 from batches where id = new.batch_id
    on conflict do update set registrations = registrations + 1;
end;
create trigger exception_changed after update of batch_id, kind, reason, detail on message_exceptions
  when old.batch_id is not new.batch_id or old.kind <> new.kind or old.reason <> new.reason or old.detail <> new.detail
begin
  update exception_counts set registrations = registrations - 1
    where message_id = old.message_id and push_origin = (select push_origin from batches where id = old.batch_id)
      and kind = old.kind and reason = old.reason and detail = old.detail;
  insert into exception_counts
    select new.message_id, push_origin, new.kind, new.reason, new.detail, 1 from batches
      where id = new.batch_id and new.kind in ('retry', 'rejected', 'failed')
    on conflict do update set registrations = registrations + 1;
end;
create trigger exception_went after delete on message_exceptions
  when old.batch_id is not null and old.kind in ('retry', 'rejected', 'failed')
begin
  update exception_counts set registrations = registrations - 1
    where message_id = old.message_id and push_origin = (select push_origin from batches where id = old.batch_id)
      and kind = old.kind and reason = old.reason and detail = old.detail;
end;
create index exceptions_without_batch on message_exceptions (message_id)
  where batch_id is null and kind in ('rejected', 'failed');

create index receipts_of_actions on receipts (message_id, action) where kind = 'clicked' and action is not null;
`;
