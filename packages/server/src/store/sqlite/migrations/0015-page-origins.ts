/** Origins of a project's pages beside Sineta's own, a JSON list; and the host name that a passkey was made for. */
export const pageOrigins = `
alter table projects add column origins text not null default '[]' check (json_valid(origins));
-- Null: made before this was kept.
alter table passkeys add column rp_id text;
`;
