import { doctorFindings } from "@sineta/protocol/doctor-findings";
import type { Texts } from "../pt/index.ts";

export const doctor: Texts["doctor"] = {
  card: "Server self-check",
  what: "The server looks at the settings, the disk, the public address and the way to the push services. No notice is sent. On the server's machine, this command also looks at the whole database:",
  examining: "Examining. This takes some seconds…",
  again: "Examine again",
  allWell: "All is well.",
  toDo: (count) => (count === 1 ? "1 thing to do." : `${count} things to do.`),
  notSeen: (count) =>
    count === 1 ? "1 thing could not be looked at." : `${count} things could not be looked at.`,
  groups: { "to-do": "What to do", unknown: "Not checked", ok: "In order" },
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
