import type { Page } from "@playwright/test";
import { startPushLab } from "@sineta/push-lab";
import { enrolOwner, openConsole } from "../../e2e/support/operator.ts";
import { openVisitor } from "../../e2e/support/visitor.ts";
import type { ServerProcess } from "../broadcast/process.ts";

/** A real Chromium with the owner logged in at the console, who is made for it. */
export async function openBrowser(
  server: ServerProcess,
): Promise<{ page: Page; close: () => Promise<void> }> {
  const lab = await startPushLab();
  try {
    const visitor = await openConsole(
      { server, visit: (options = {}) => openVisitor({ lab, url: server.url, ...options }) },
      await enrolOwner(server),
      "/",
    );
    return {
      page: visitor.page,
      async close() {
        await visitor.close();
        await lab.close();
      },
    };
  } catch (error) {
    await lab.close();
    throw error;
  }
}
