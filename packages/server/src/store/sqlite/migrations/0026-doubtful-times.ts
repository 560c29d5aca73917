/** When another server sends a doubtful message. A message that replaces a doubtful one keeps that time. */
export const doubtfulTimes = `
alter table doubtful_messages add column due_at_ms integer not null default 0;
update doubtful_messages
  set due_at_ms = coalesce((select scheduled_at_ms from messages where id = message_id), 0);
`;
