/** The hold of the whole delivery. */
export const deliveryHold = `
-- At most one row: while it is there, the server delivers nothing.
create table delivery_hold (
  reason text not null check (reason in ('restored', 'cloned', 'asked')),
  since_ms integer not null
) strict;
create unique index delivery_hold_one on delivery_hold (0);
`;
