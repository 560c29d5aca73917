import { oneAfterTheOther } from "../lock.ts";
import { findIdentity, isConfirmed, listLatestConfirmed } from "../storage/identities.ts";
import { hasNotice, keepNotice, type Notice } from "../storage/notices.ts";
import { subscribeAndRegisterHeld } from "../subscription.ts";
import { report } from "./receipt.ts";

/** What the worker's functions need of the world; a test hands in its own. */
export type WorkerDependencies = {
  registration: Pick<ServiceWorkerRegistration, "scope" | "showNotification">;
  clients: Pick<Clients, "matchAll" | "openWindow">;
  notices: { has: (id: string) => Promise<boolean>; keep: (notice: Notice) => Promise<void> };
  oneAfterTheOther: typeof oneAfterTheOther;
  report: typeof report;
  /** Messages whose notification was clicked: Firefox tells of its closing, too. */
  clicked: Set<string | undefined>;
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
    oneAfterTheOther,
    report,
    clicked: new Set(),
    async renewRegistrations() {
      const identities = await listLatestConfirmed();
      const vapidKey = identities[0]?.confirmed.vapidKey ?? "";
      const renewals = identities
        // There is one subscription, with one key: whoever was confirmed earlier with another key has lost theirs.
        .filter(({ confirmed }) => confirmed.vapidKey === vapidKey)
        .map(({ registrationsUrl }) =>
          oneAfterTheOther("registration", async () => {
            // The visitor may have left while this waited for the lock.
            if (!isConfirmed(await findIdentity(registrationsUrl))) return;
            await subscribeAndRegisterHeld(registration, registrationsUrl, vapidKey);
          }),
        );
      // A server that cannot be reached keeps the others from nothing.
      await Promise.allSettled(renewals);
      await Promise.all(renewals);
    },
    nowMs: Date.now,
    mustAlwaysShow: /AppleWebKit(?!.*Chrom)/.test(navigator.userAgent),
  };
}
