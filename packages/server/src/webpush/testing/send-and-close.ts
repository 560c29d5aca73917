/**
 * A process of its own: sends pushes to a service on loopback, closes the sender, and then has nothing left to do. That
 * it ends by itself shows that `close` leaves no handle.
 * Arguments: the service's port, the file of its CA certificate.
 */
import { readFileSync } from "node:fs";
import { sendTo } from "./sending.ts";

const [port = "", caFile = ""] = process.argv.slice(2);
const { sender, sendMany } = sendTo(Number(port), { ca: readFileSync(caFile, "utf8") });
const outcomes = await sendMany(20);
await sender.close();
process.stdout.write(outcomes.map(({ kind }) => kind).join(" "));
