import type {
  Account,
  ApiKeyList,
  InvitationList,
  OperatorList,
  OriginUse,
  SessionList,
} from "@sineta/protocol";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { read } from "../../api/api-problem.ts";
import type { OwnProject } from "../../session/operator.ts";

type Place = Pick<OwnProject, "name" | "path">;

export const apiKeysQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "api-keys"],
    queryFn: ({ signal }) => read<ApiKeyList>(`${path}/api-keys`, { signal }),
  });

export const operatorsQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "operators"],
    queryFn: ({ signal }) => read<OperatorList>(`${path}/operators`, { signal }),
  });

export const invitationsQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "invitations"],
    queryFn: ({ signal }) => read<InvitationList>(`${path}/invitations`, { signal }),
  });

/** Where live registrations were made, for owners. */
export const originUseQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "origins"],
    queryFn: ({ signal }) => read<OriginUse>(`${path}/origins`, { signal }),
  });

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => read<Account>("session", { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => read<SessionList>("sessions", { signal }),
});

/** After what changes how one gets in: that ends all other sessions. */
export async function readAccountAnew(queries: QueryClient): Promise<void> {
  await Promise.all(
    [accountQuery, sessionsQuery].map(({ queryKey }) => queries.invalidateQueries({ queryKey })),
  );
}
