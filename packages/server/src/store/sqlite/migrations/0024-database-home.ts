/** Which file the database was in when a server started on it: a copy is in another one. */
export const databaseHome = `
create table database_home (
  -- At most one row.
  one integer primary key check (one = 1),
  -- When the file system made the file: nanoseconds since 1970.
  born_ns text not null
) strict;
`;
