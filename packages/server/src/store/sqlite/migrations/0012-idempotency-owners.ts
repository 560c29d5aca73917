/** Whose an idempotency key is, so that nobody stands in another's way with the same one. */
export const idempotencyOwners = `
-- Null where there is no key. Of those from before publishers were kept (0009) nobody knows whose they were.
alter table messages add column idempotency_owner text;
with recursive line (id, first) as (
  select id, id from api_keys where predecessor_id is null
  union all
  select api_keys.id, first from api_keys join line on api_keys.predecessor_id = line.id
)
update messages set idempotency_owner = case publisher_kind
    when 'api-key' then 'api-key:' || (select first from line where line.id = publisher_id)
    when 'operator' then 'operator:' || publisher_id
    else coalesce(publisher_kind, 'nobody')
  end
  where idempotency_key is not null;
drop index messages_idempotent;
create unique index messages_idempotent on messages (project_id, idempotency_owner, idempotency_key)
  where idempotency_key is not null;
`;
