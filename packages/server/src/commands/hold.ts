import { openPresentDataFolder } from "../data-folder.ts";
import { holdBody } from "../delivery/held-list.ts";
import { isServing } from "../serve-lock.ts";
import { commandLineAsker } from "./asker.ts";
import type { Command } from "./command.ts";

export const holdCommand: Command = {
  name: "hold",
  summary: "Stops the delivery until sineta resume",
  usage: "sineta hold [--copy]",
  help: `The server sends nothing until sineta resume, also after a restart. It goes on taking registrations, messages and receipts.
A running server ends the pages that it has begun, some hundred pushes each, and begins no other. Without a server, delivery is held
when it starts.

  --copy   says that the data folder is a copy: sineta resume then cancels what the original may have sent. Call it before a copy of
           a whole disk or of a virtual machine starts, which the server cannot notice.`,
  options: { copy: { type: "boolean" } },
  run: async ({ flags, report, terminal }) => {
    const { dataFolder } = report.config;
    const nowMs = Date.now();
    const store = await openPresentDataFolder(dataFolder, nowMs);
    try {
      const reasonNow = flags["copy"] === true ? "cloned" : "asked";
      const { begun, hold } = await store.hold.begin(
        { reason: reasonNow, sinceMs: nowMs },
        commandLineAsker(),
      );
      const { reason, since } = holdBody(hold);
      terminal.out(
        begun
          ? "Delivery is held: sineta resume ends that.\n"
          : `Delivery is held already, since ${since} (${reason}): sineta resume ends that.\n`,
      );
      if (begun && isServing(dataFolder)) {
        terminal.err("The server ends the pages that it has begun, and begins no other.\n");
      }
      return 0;
    } finally {
      await store.close();
    }
  },
};
