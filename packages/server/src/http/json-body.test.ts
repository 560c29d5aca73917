import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  appBench,
  expectProblem,
  origin,
  registrationsPath,
  type AppBench,
} from "../test/app-bench.ts";
import { testBrowser } from "../test/browser.ts";
import { listen } from "./listen.ts";

const tenMegabytes = 10 * 1024 * 1024;

let bench: AppBench;
beforeEach(async () => {
  bench = await appBench();
});
afterEach(() => bench.close());

/** Headers of an authorized caller, by path. */
const senders = async (): Promise<Record<string, Record<string, string>>> => ({
  registrations: { Origin: origin, "Sineta-Client-Secret": testBrowser().clientSecret },
  messages: { Authorization: `Bearer ${await bench.key()}` },
  images: (await bench.operator("owner")).headers,
});

const errors = () =>
  bench.logged.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);

describe("a JSON body", () => {
  test.for([
    "application/json;foo",
    'application/json;a="b',
    "application/json charset=utf-8",
    "application/jsonp",
    `application/json${"; ".repeat(5_000)},`,
    "text/plain",
  ])("declared as %s is refused, not failed on", async (type) => {
    const response = await bench.post(testBrowser(), { headers: { "Content-Type": type } });
    await expectProblem(response, "content-type-unsupported");
    expect(errors()).toEqual([]);
  });

  test.for([
    "application/json;",
    "application/json; charset=utf-8;",
    "application/json;;charset=utf-8",
    "application/json ",
    "application/json ; charset=utf-8",
    "application/json; odata.metadata=minimal; x_y=1",
    'application/json; profile="a;b"',
    'Application/JSON; profile="\\"; charset=utf-16"',
  ])("declared as %s is read", async (type) => {
    const headers = { "Content-Type": type };
    expect((await bench.post(testBrowser(), { headers, more: { locale: "pão" } })).status).toBe(
      201,
    );
  });

  test.for([
    ["gzip", "gzip"],
    ["deflate", "deflate"],
    ["br", "br"],
    ["GZIP, gzip", "gzip, gzip"],
    ["identity, gzip", "identity, gzip"],
  ])("compressed as %s is refused by name, with Accept-Encoding", async ([encoding, named]) => {
    const body = gzipSync(JSON.stringify(testBrowser().subscription));
    const headers = { "Content-Type": "application/json", "Content-Encoding": encoding ?? "" };
    for (const path of ["registrations", "messages", "images"]) {
      const response = await bench.app.request(`/v1/projects/default/${path}`, {
        method: "POST",
        headers: { ...headers, ...(await senders())[path] },
        body,
      });
      expect(response.headers.get("Accept-Encoding")).toBe("identity");
      const { detail } = await expectProblem(response, "content-encoding-unsupported");
      expect(detail).toContain(`It is "${named}".`);
    }
  });

  test.for([
    ["iso-8859-1", "iso-8859-1"],
    ['"UTF-16"', "utf-16"],
    ["latin1; x=y", "latin1"],
    [`x${"y".repeat(100)}`, `x${"y".repeat(39)}`],
  ])("in the charset %s is refused by name", async ([charset, named]) => {
    const headers = { "Content-Type": `application/json;Charset = ${charset}` };
    const response = await bench.post(testBrowser(), { headers, more: { locale: "pão" } });
    expect(response.headers.has("Accept-Encoding")).toBe(false);
    const { detail } = await expectProblem(response, "charset-unsupported");
    expect(detail).toContain(`It is "${named}".`);
  });

  test.for([
    ["utf-7", "S+AOM-o"],
    ["iso-2022-jp", "\u001b$B$\u001b(B"],
    ["hz-gb-2312", "~{<:Ky2;~}"],
    ["utf-16le", "So"],
  ])("of ASCII that means something else in its charset %s is refused", async ([charset, text]) => {
    const headers = { "Content-Type": `application/json; charset=${charset}` };
    const vapidKey = bench.project.keys.current.publicKey;
    const { subscription } = testBrowser();
    const body = `{"subscription":${JSON.stringify(subscription)},"vapidKey":"${vapidKey}","locale":"${text}"}`;
    const { detail } = await expectProblem(
      await bench.post(testBrowser(), { headers, body }),
      "charset-unsupported",
    );
    expect(detail).toContain(`It is "${charset}".`);
  });

  test.for(["utf-8", '"UTF-8"', "utf8", "us-ascii", "iso-8859-1", "Windows-1252", "shift_jis"])(
    "in the charset %s is read",
    async (charset) => {
      const headers = {
        "Content-Type": `application/json; charset=${charset}`,
        "Content-Encoding": "identity",
      };
      expect((await bench.post(testBrowser(), { headers })).status).toBe(201);
    },
  );

  test.for([
    ["with its length", true],
    ["without it", false],
  ] as const)("that is not UTF-8 is refused, %s", async ([, withLength]) => {
    const { clientSecret, subscription } = testBrowser();
    const vapidKey = bench.project.keys.current.publicKey;
    const latin1 = Buffer.from(
      JSON.stringify({ subscription, vapidKey, locale: "portugu\u00eas" }),
      "latin1",
    );
    const response = await bench.app.request(registrationsPath, {
      method: "POST",
      headers: {
        Origin: origin,
        "Content-Type": "application/json",
        "Sineta-Client-Secret": clientSecret,
        ...(withLength ? { "Content-Length": String(latin1.length) } : {}),
      },
      body: latin1,
    });
    const { status } = await expectProblem(response, "json-malformed");
    expect(status).toBe(400);
  });

  test.for([
    ["of a message, with its length", "messages", true],
    ["of a message, in chunks", "messages", false],
    ["of tokens, with its length", "topics/ofertas/join", true],
    ["of tokens, in chunks", "topics/ofertas/join", false],
  ] as const)("of ten megabytes is refused unread: %s", async ([, path, withLength]) => {
    const key = await bench.key();
    const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
    listener.serve((incoming) => bench.app.fetch(incoming));
    const sending = request({
      port: listener.port,
      path: `/v1/projects/default/${path}`,
      method: "POST",
      agent: false,
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        ...(withLength ? { "Content-Length": String(tenMegabytes) } : {}),
      },
    });
    // The server may close the connection once it has answered.
    sending.on("error", () => undefined);
    const answered = once(sending, "response");
    sending.write(`{"title":"${"x".repeat(200 * 1024)}`);
    const [incoming]: IncomingMessage[] = await answered;
    // The rest has not been sent, and it has answered all the same.
    expect(incoming?.statusCode).toBe(413);
    expect(JSON.parse((await incoming?.toArray())?.join("") ?? "")).toMatchObject({
      code: "body-too-large",
    });
    sending.destroy();
    expect(errors()).toEqual([]);
    await listener.close(0);
  });

  /** Publishes through a socket, and reads the answer when all is sent. */
  async function publish(type: string, body: string): Promise<Response> {
    const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
    listener.serve((incoming) => bench.app.fetch(incoming));
    const response = await fetch(`http://127.0.0.1:${listener.port}/v1/projects/default/messages`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${await bench.key()}`,
        "Content-Type": type,
        Connection: "close",
      },
      body,
    });
    await listener.close(0);
    return response;
  }

  test("of ten megabytes from whoever sends it all before reading the answer", async () => {
    const response = await publish("application/json", "x".repeat(tenMegabytes));
    const { status } = await expectProblem(response, "body-too-large");
    expect(status).toBe(413);
  });

  test("declared with an empty parameter is read from a socket, too", async () => {
    const body = '{"target":{"kind":"all"},"notification":{"title":"Olá"}}';
    expect((await publish("application/json;", body)).status).toBe(202);
  });

  test("that comes without a key is not read either", async () => {
    const read = vi.fn<() => void>();
    const body = new ReadableStream({ pull: read }, { highWaterMark: 0 });
    const response = await bench.app.request("/v1/projects/default/messages", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body,
      duplex: "half",
    });
    await expectProblem(response, "api-key-missing");
    expect(read).not.toHaveBeenCalled();
  });
});

describe.for([
  ["with its length", { "Content-Length": "43" }],
  ["in chunks", { "Transfer-Encoding": "chunked" }],
] as const)("a body that its client breaks off, %s", ([, framing]) => {
  const page = { Origin: origin, "Sineta-Client-Secret": testBrowser().clientSecret };
  test.for([
    ["of a registration", registrationsPath, { ...page, "Content-Type": "application/json" }],
    ["of a look", `${registrationsPath}/token/look`, { ...page, "Content-Type": "text/plain" }],
    ["of an image", "/v1/projects/default/images", null],
  ] as const)("is no error of the server: %s", async ([, path, headers]) => {
    const listener = await listen({ host: "127.0.0.1", port: 0, tls: null });
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<Response>();
    listener.serve((incoming) => {
      const answer = Promise.resolve(bench.app.fetch(incoming));
      answered.resolve(answer);
      asked.resolve();
      return answer;
    });
    const broken = request({
      port: listener.port,
      path,
      method: "POST",
      agent: false,
      headers: { ...(headers ?? (await bench.operator("owner")).headers), ...framing },
    });
    const failed = once(broken, "error");
    broken.write('{"subscription":');
    await asked.promise;
    broken.destroy(new Error("the client went away"));
    await failed;
    expect((await answered.promise).status).toBe(400);
    expect(errors()).toEqual([]);
    await listener.close(0);
  });
});
