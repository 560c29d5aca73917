import { describe, expect, test } from "vitest";
import { ownOriginsOf, localUrl } from "./origins.ts";

const tls = { cert: "", key: "" };
const config = (over: object) => ({ host: "127.0.0.1", tls: null, publicUrl: null, ...over });

describe("ownOriginsOf", () => {
  test.for([
    [
      "development",
      config({}),
      8080,
      ["http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080"],
    ],
    [
      "the scheme's own port",
      config({}),
      80,
      ["http://localhost", "http://127.0.0.1", "http://[::1]"],
    ],
    [
      "https itself",
      config({ tls, host: "::" }),
      443,
      ["https://localhost", "https://127.0.0.1", "https://[::1]"],
    ],
    [
      "an address",
      config({ tls, host: "fd00::5" }),
      8443,
      [
        "https://localhost:8443",
        "https://127.0.0.1:8443",
        "https://[::1]:8443",
        "https://[fd00::5]:8443",
      ],
    ],
    [
      "another address of loopback",
      config({ host: "127.0.0.2" }),
      8080,
      [
        "http://localhost:8080",
        "http://127.0.0.1:8080",
        "http://[::1]:8080",
        "http://127.0.0.2:8080",
      ],
    ],
    [
      "a public URL alone",
      config({ publicUrl: new URL("https://sino.example") }),
      8080,
      ["https://sino.example"],
    ],
  ] as const)("%s", ([, given, port, origins]) => {
    expect([...ownOriginsOf(given, port)]).toEqual(origins);
  });
});

describe("localUrl", () => {
  test.for([
    [{ host: "127.0.0.1" }, 8080, "http://localhost:8080/"],
    [{ host: "0.0.0.0" }, 80, "http://localhost/"],
    [{ host: "localhost" }, 8080, "http://localhost:8080/"],
    // Where localhost is 127.0.0.1, nothing listens at it.
    [{ host: "::1", tls }, 8443, "https://[::1]:8443/"],
    [{ host: "127.0.0.2" }, 8080, "http://127.0.0.2:8080/"],
    [{ host: "192.168.1.5" }, 8080, "http://192.168.1.5:8080/"],
    [{ host: "fd00::5" }, 8080, "http://[fd00::5]:8080/"],
  ] as const)("%j on %i", ([over, port, url]) => {
    expect(localUrl(config(over), port)).toBe(url);
  });
});
