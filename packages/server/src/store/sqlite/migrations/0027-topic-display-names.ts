/** What people read as a topic's name. Empty: its technical name. */
export const topicDisplayNames = `
alter table topics add column display_name text not null default '';
`;
