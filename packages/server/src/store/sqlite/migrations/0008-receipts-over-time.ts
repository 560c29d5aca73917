/**
 * What the console's pages of messages read: what became of a message hour by hour, so that nobody has to count
 * receipts; and an index and words to find messages by.
 */
export const receiptsOverTime = `
-- Kept in the transaction of what it counts. Hours begin with those of UTC.
create table message_hours (
  message_id text not null references messages (id),
  hour_ms integer not null,
  accepted integer not null default 0,
  displayed integer not null default 0,
  clicked integer not null default 0,
  closed integer not null default 0,
  primary key (message_id, hour_ms)
) strict, without rowid;
-- Of receipts that retention has removed the hour is not known any more.
insert into message_hours (message_id, hour_ms, displayed, clicked, closed)
  select message_id, received_at_ms / 3600000 * 3600000, sum(kind = 'displayed'), sum(kind = 'clicked'),
    sum(kind = 'closed')
  from receipts group by 1, 2;
-- What a batch had accepted is counted in the hour of its last turn: when the others were is not kept.
insert into message_hours (message_id, hour_ms, accepted)
  select message_id, worked_at_ms / 3600000 * 3600000, sum(accepted)
  from batches where accepted > 0 and worked_at_ms is not null group by 1, 2
  on conflict do update set accepted = excluded.accepted;

-- All that the list of messages is filtered by, so that what is left out is not read.
drop index messages_of_project;
create index messages_listed
  on messages (project_id, id, state, scheduled_at_ms, json_extract(target, '$.kind'));

-- The words of titles and bodies, without case and accents. What is found is walked by number, in the order of publication.
create table message_numbers (
  number integer primary key autoincrement,
  message_id text not null unique references messages (id)
) strict;
create virtual table message_words using fts5 (
  title, body, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
insert into message_numbers (message_id) select id from messages order by id;
insert into message_words (rowid, title, body)
  select number, json_extract(notification, '$.title'), json_extract(notification, '$.body')
  from message_numbers join messages on messages.id = message_id;
create trigger message_was_published after insert on messages
begin
  insert into message_numbers (message_id) values (new.id);
  insert into message_words (rowid, title, body)
    select number, json_extract(new.notification, '$.title'), json_extract(new.notification, '$.body')
    from message_numbers where message_id = new.id;
end;
`;
