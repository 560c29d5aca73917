import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { saysSessionEnded, sessionEnded } from "../session/ended.ts";
import { codeOf } from "./api-problem.ts";

/** Whatever is asked while the session is over has the log-in come up over the page, where nothing typed is lost. */
function notice(error: unknown): void {
  if (saysSessionEnded(codeOf(error))) sessionEnded();
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        // The server may be on this very machine: whether it answers is found out by asking, not by what the browser says.
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: 10_000,
        // What the server refuses, it refuses again; a connection may come back.
        retry: (failures, error) => codeOf(error) === "server-unreachable" && failures < 3,
      },
      // What could not be sent is over: nothing goes out later that was written before.
      mutations: { networkMode: "always" },
    },
  });
}
