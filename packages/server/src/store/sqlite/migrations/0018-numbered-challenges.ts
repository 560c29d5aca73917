/**
 * Challenges have numbers, so that the oldest are found without counting: a stranger may ask for any number of them. Those that were open are
 * dropped: whoever was about to log in by passkey asks for another one.
 */
export const numberedChallenges = `
drop table passkey_challenges;
-- Questions put to a passkey, each to be answered once.
create table passkey_challenges (
  id integer primary key autoincrement,
  challenge_hash blob not null unique,
  -- Null for a log-in: who it is comes with the answer.
  operator_id integer references operators (id) on delete cascade,
  expires_at_ms integer not null
) strict;
create index passkey_challenges_by_time on passkey_challenges (expires_at_ms);
create index passkey_challenges_of_operator on passkey_challenges (operator_id) where operator_id is not null;
`;
