export const receiptsBound = `
-- Receipts of messages that ended before this were removed: one that comes now could count a second time.
alter table projects add column receipts_from_ms integer not null default 0;
`;
