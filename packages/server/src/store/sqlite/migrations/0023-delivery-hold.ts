/** The hold of the whole delivery. */
export const deliveryHold = `
-- At most one row: while it is there, the server delivers nothing.
create table delivery_hold (
  reason text not null check (reason in ('restored', 'cloned', 'asked')),
  since_ms integer not null
) strict;
create unique index delivery_hold_one on delivery_hold (0);
-- Messages that had not ended when a hold 'restored' or 'cloned' began: another server may have sent them.
create table doubtful_messages (
  message_id text primary key
) strict, without rowid;
`;
