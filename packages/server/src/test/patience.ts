/** How long a test waits for what comes at once on an idle machine: these milliseconds, looking every 20. */
export const patience = { timeout: 30_000, interval: 20 };
