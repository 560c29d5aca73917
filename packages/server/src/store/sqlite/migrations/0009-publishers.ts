/** Who published a message and who made an API key; how often an invitation was tried in vain. */
export const publishers = `
-- An API key's or an operator's; null for the command line. No reference: an operator may go, and ids never come back.
alter table messages add column publisher_kind text
  check (publisher_kind in ('api-key', 'operator', 'command-line'));
alter table messages add column publisher_id integer;
-- What of a key has not ended, for its revocation.
create index messages_of_api_key on messages (publisher_id, scheduled_at_ms, id)
  where publisher_kind = 'api-key' and state in ('scheduled', 'sending', 'paused');

-- Null for keys from before.
alter table api_keys add column maker_kind text check (maker_kind in ('operator', 'command-line'));
alter table api_keys add column maker_id integer;
create index api_keys_by_maker on api_keys (maker_id) where maker_kind = 'operator';
-- Whose successor it is.
alter table api_keys add column predecessor_id integer references api_keys (id);
create index api_keys_by_predecessor on api_keys (predecessor_id) where predecessor_id is not null;

-- E-mail addresses that were tried with it and have an account already.
alter table invitations add column tries integer not null default 0;
`;
