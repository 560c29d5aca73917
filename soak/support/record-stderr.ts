/** Preloaded into a server: what it writes to stderr goes into the file named by STDERR_FILE, too. */
import { appendFileSync } from "node:fs";

const file = process.env["STDERR_FILE"] ?? "";
const { stderr } = process;

// What writes is found anew each time: it is called on the stream, as before.
// oxlint-disable-next-line typescript/unbound-method
stderr.write = new Proxy(stderr.write, {
  apply(write, stream, given: [string | Uint8Array]): boolean {
    appendFileSync(file, given[0]);
    return Reflect.apply(write, stream, given);
  },
});
