import { randomUUIDv7 } from "node:crypto";
import type { Config } from "../config.ts";
import { openPresentDataFolder } from "../data-folder.ts";
import { createMessages } from "../messages/create-messages.ts";
import type { MessageProject, Messages } from "../messages/messages.ts";
import { ownOriginsOf } from "../projects/origins.ts";
import { createPageOrigins } from "../projects/page-origins.ts";
import { defaultProjectName } from "../projects/project.ts";
import { isServing } from "../serve-lock.ts";
import type { Store } from "../store/port.ts";

export type OpenMessages = { store: Store; project: MessageProject; messages: Messages };

/**
 * Works on the messages of the data folder, beside a server or without one, and closes it afterwards.
 * @throws CommandError as `openPresentDataFolder`
 */
export async function withMessages<Result>(
  config: Config,
  work: (opened: OpenMessages) => Promise<Result>,
): Promise<Result> {
  const store = await openPresentDataFolder(config.dataFolder, Date.now());
  try {
    const { id } = await store.projects.ensure(defaultProjectName, Date.now());
    let delivers: boolean | undefined;
    const messages = createMessages({
      store,
      endpointPolicy: { hosts: config.pushHosts, routes: config.pushRoutes },
      vapidSubject: config.vapidSubject,
      now: Date.now,
      newId: randomUUIDv7,
      delivers: () => (delivers ??= isServing(config.dataFolder)),
    });
    const origins = createPageOrigins({
      own: ownOriginsOf(config, config.port),
      environment: config.origins,
      readSettings: async () => (await store.projects.settings(id)).origins,
      now: Date.now,
    });
    return await work({ store, project: { id, origins }, messages });
  } finally {
    await store.close();
  }
}
