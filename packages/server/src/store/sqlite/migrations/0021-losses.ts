/** Losses of registrations that came back: the last one of each registration, and how many there were by cause. */
export const losses = `
create table registration_losses (
  registration_id integer primary key,
  -- The cause that the browser told. gone: the push service had ended the subscription, and the browser told no cause.
  cause text not null check (cause in ('worker-missing', 'worker-replaced', 'subscription-missing',
    'subscription-changed', 'key-changed', 'subscription-gone', 'registration-unknown', 'registration-outdated', 'gone')),
  -- When the push service answered with 404 or 410; null if the server knew of no loss.
  gone_at_ms integer,
  returned_at_ms integer not null,
  -- When the server had confirmed the browser before the loss, by the browser's clock; null if the browser told no loss.
  confirmed_at_ms integer,
  times integer not null default 1
) strict;

-- Losses of registrations that came back, by the day of the loss (days of UTC since 1970). audience_days has the other losses.
create table audience_returns (
  project_id integer not null references projects (id),
  day integer not null,
  cause text not null,
  -- Whether audience_days has counted the loss on that day, as gone.
  was_gone integer not null check (was_gone in (0, 1)),
  returns integer not null,
  primary key (project_id, day, cause, was_gone)
) strict, without rowid;
`;
