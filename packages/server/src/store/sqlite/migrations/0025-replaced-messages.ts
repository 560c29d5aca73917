/** The message that a message replaces. A message is replaced at most once. */
export const replacedMessages = `
alter table messages add column replaces text;
-- Of a draft that changes a scheduled message: that message's id.
alter table drafts add column replaces text;
create unique index messages_by_replaced on messages (replaces) where replaces is not null;
`;
