/** What a push service refuses although it takes others: registrations that were made with another key, or made up. */
export const refusals = `
-- Since when pushes to it are refused for what may be its own fault; null once one was accepted.
alter table registrations add column refused_at_ms integer;
`;
