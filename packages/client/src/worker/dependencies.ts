import { hasNotice, keepNotice, type Notice } from "../storage/notices.ts";
import { listIdentities } from "../storage/identities.ts";
import { subscribeAndRegister } from "../subscription.ts";

/** What the worker's functions need of the world; a test hands in its own. */
export type WorkerDependencies = {
  registration: Pick<ServiceWorkerRegistration, "scope" | "showNotification">;
  clients: Pick<Clients, "matchAll" | "openWindow">;
  notices: { has: (id: string) => Promise<boolean>; keep: (notice: Notice) => Promise<void> };
  /** Renews this browser's subscription and registration with every server that knows it. */
  renewRegistrations: () => Promise<void>;
  nowMs: () => number;
  /** Safari counts a push without a notification against the site; a duplicate is shown there, silently. */
  mustAlwaysShow: boolean;
};

/** The real ones, of the worker that this runs in. */
export function workerDependencies(worker: ServiceWorkerGlobalScope): WorkerDependencies {
  const { registration, clients, navigator } = worker;
  return {
    registration,
    clients,
    notices: { has: hasNotice, keep: keepNotice },
    async renewRegistrations() {
      const renewals = (await listIdentities()).map(async ({ registrationsUrl, confirmed }) => {
        if (!confirmed) return;
        await subscribeAndRegister(registration, registrationsUrl, confirmed.vapidKey);
      });
      // A server that cannot be reached keeps the others from nothing.
      await Promise.allSettled(renewals);
      await Promise.all(renewals);
    },
    nowMs: () => Date.now(),
    mustAlwaysShow: /AppleWebKit/.test(navigator.userAgent) && !/Chrom/.test(navigator.userAgent),
  };
}
