import type {
  Account,
  ApiKeyList,
  DoctorBody,
  InvitationList,
  OperatorList,
  OriginUse,
  SessionList,
} from "@sineta/protocol";
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { bodyOf, codeOf, read } from "../../api/api-problem.ts";
import { ask } from "../../api/ask.ts";
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

/**
 * Has the server look at itself, which takes seconds. It does so once at a time: a page that is left goes on waiting, and one
 * that is loaded anew asks until the examination before is over.
 */
export const doctorQuery = ({ name, path }: Place) =>
  queryOptions({
    queryKey: [name, "doctor"],
    queryFn: () => bodyOf(ask<DoctorBody>("POST", `${path}/doctor`)),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (failures, error) => codeOf(error) === "too-many-at-once" && failures < 20,
    retryDelay: 1_000,
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
