import { doctorFindings } from "@sineta/protocol/doctor-findings";
import type { Texts } from "../pt/index.ts";

export const doctor: Texts["doctor"] = {
  card: "The server examines itself",
  what: "The server looks at the settings, the disk, the public address and the way to the push services. No notice is sent. On the server's machine, this command also looks at the whole database:",
  examining: "Examining. This takes some seconds…",
  again: "Examine again",
  allWell: "All is well.",
  toDo: (count) => (count === 1 ? "1 thing to do." : `${count} things to do.`),
  notSeen: (count) =>
    count === 1 ? "1 thing could not be looked at." : `${count} things could not be looked at.`,
  groups: { "to-do": "What to do", unknown: "What could not be looked at", ok: "What is well" },
  checks: {
    settings: "Settings",
    server: "Server",
    database: "Database",
    secret: "Secret",
    files: "Files",
    disk: "Disk",
    clock: "Clock",
    "public-url": "Public address",
    dns: "Name in the DNS",
    certificate: "Certificate",
    proxy: "Proxy",
    origin: "Origin of pages",
    "push-service": "Push service",
  },
  findings: doctorFindings,
};
