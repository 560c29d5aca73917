import { createChannel, type Channel, type Deadlines } from "./channel.ts";
import type { ConnectOptions } from "./connect.ts";
import type { PushTarget } from "./endpoint.ts";
import { broken, type Exchange, type LineRequest } from "./line.ts";

export type Connections = {
  /**
   * Sends a request to a push service and gives what came back, within the request deadline. Rejects only if a header
   * or the path cannot be written.
   * @param id see `withdraw`
   */
  readonly exchange: (target: PushTarget, request: LineRequest, id?: number) => Promise<Exchange>;
  /** As the channel's (channel.ts), of all push services. */
  readonly withdraw: Channel["withdraw"];
  /** Soft, then hard after `closeMs`; resolves when every socket is closed. Repeatable. */
  readonly close: () => Promise<void>;
};

export type ConnectionsOptions = ConnectOptions & {
  readonly deadlines?: Partial<Deadlines>;
  /**
   * Requests that may wait per push origin; more are turned away as `queue-full`. 2,000 if not given: ten pages of an
   * audience, and some 10 MB of sealed messages at most.
   */
  readonly mostWaiting?: number;
};

const defaultDeadlines: Deadlines = {
  connectMs: 10_000,
  requestMs: 30_000,
  idleMs: 60_000,
  closeMs: 5_000,
};

/** Connections to push services: opened when needed, one HTTP/2 session per origin, used again until idle. */
export function createConnections({
  deadlines = {},
  mostWaiting = 2_000,
  ...connectOptions
}: ConnectionsOptions): Connections {
  const channels = new Map<string, Channel>();
  let closing: Promise<unknown> | null = null;
  const options = {
    ...connectOptions,
    deadlines: { ...defaultDeadlines, ...deadlines },
    mostWaiting,
  };

  return {
    exchange(target, request, id) {
      if (closing !== null) return Promise.resolve(broken("sender-closed"));
      const { origin } = target;
      let channel = channels.get(origin);
      if (channel === undefined) {
        channel = createChannel(target, { ...options, onEmpty: () => channels.delete(origin) });
        channels.set(origin, channel);
      }
      return channel.exchange(request, id);
    },
    withdraw(ids) {
      for (const channel of channels.values()) channel.withdraw(ids);
    },
    async close() {
      closing ??= Promise.all([...channels.values()].map((channel) => channel.close()));
      await closing;
    },
  };
}
