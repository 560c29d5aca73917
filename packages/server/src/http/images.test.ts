import { randomUUID } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  imageListSchema,
  imageSchema,
  imageUsesSchema,
  limits,
  publishedSchema,
} from "@sineta/protocol";
import { appBench, expectProblem, origin, type AppBench } from "../test/app-bench.ts";
import { imageUploadsPerMinute } from "./images.ts";

let bench: AppBench;
let headers: Record<string, string>;
beforeEach(async () => {
  bench = await appBench();
  ({ headers } = await bench.operator("editor"));
});
afterEach(() => bench.close());

const path = "/v1/projects/default/images";

/** A PNG (W3C "Portable Network Graphics", section 5) of black, with as many bytes behind it as a test wants. */
function png(width: number, height: number, more = 0): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
    chunk("IEND", Buffer.alloc(0)),
    Buffer.alloc(more),
  ]);
}

const upload = (bytes: Buffer, more: Record<string, string> = {}) =>
  bench.app.request(path, {
    method: "POST",
    headers: { ...headers, ...more },
    body: new Uint8Array(bytes),
  });

test("a picture is kept under its hash, and served to everybody for ever", async () => {
  const bytes = png(20, 10);
  // What it is declared as is not asked.
  const response = await upload(bytes, { "Content-Type": "text/html" });
  expect(response.status).toBe(201);
  const image = imageSchema.parse(await response.json());
  expect(image).toMatchObject({ type: "png", widthPixels: 20, heightPixels: 10 });
  expect(image.url).toBe(`${origin}/images/${image.hash}.png`);

  const served = await bench.app.request(image.url);
  expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'",
  });
  expect(await (await upload(bytes)).json()).toEqual(image);
  const listed = imageListSchema.parse(await (await bench.app.request(path, { headers })).json());
  expect(listed.images).toEqual([image]);
});

test("of an image only its own address is one", async () => {
  const { url } = imageSchema.parse(await (await upload(png(5, 5))).json());
  for (const wrong of [url.replace(/png$/, "jpg"), `${url}x`, url.replace(/.png$/, "")]) {
    await expectProblem(await bench.app.request(wrong), "image-unknown");
  }
  await expectProblem(await bench.app.request(`${origin}/images/..%2fsecret`), "image-unknown");
  expect((await bench.app.request(url)).status).toBe(200);
});

test("one that was removed is not served any more, although it just was", async () => {
  const { url, hash } = imageSchema.parse(await (await upload(png(6, 6))).json());
  expect((await bench.app.request(url)).status).toBe(200);
  const remove = () => bench.app.request(`${path}/${hash}`, { method: "DELETE", headers });
  expect((await remove()).status).toBe(204);
  await expectProblem(await bench.app.request(url), "image-unknown");
  await expectProblem(await remove(), "image-unknown");
});

test("one that a scheduled message shows stays until that is cancelled; a draft does not keep it", async () => {
  const { url, hash } = imageSchema.parse(await (await upload(png(11, 6))).json());
  const ask = (method: string, address: string, body?: object) =>
    bench.app.request(`/v1/projects/default/${address}`, {
      method,
      headers: { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const uses = async () => (await ask("GET", `images/${hash}/uses`)).json();
  const lines = async () => {
    const all = await bench.store.audit.list([bench.project.id], { limit: 99 });
    return all.filter(({ subject }) => subject === hash).map(({ action }) => action);
  };
  expect(await uses()).toEqual({ drafts: 0, messages: 0 });
  await ask("PUT", `drafts/${randomUUID()}`, { revision: 0, content: { icon: url } });
  const published = await ask("POST", "messages", {
    target: { kind: "all" },
    notification: { title: "Pão", image: url },
    scheduleAt: new Date(3_600_000).toISOString(),
  });
  const { id } = publishedSchema.parse(await published.json());
  expect(imageUsesSchema.parse(await uses())).toEqual({ drafts: 1, messages: 1 });
  await expectProblem(await ask("DELETE", `images/${hash}`), "image-in-use");
  expect((await bench.app.request(url)).status).toBe(200);
  await ask("POST", `messages/${id}/cancel`, {});
  expect(await uses()).toEqual({ drafts: 1, messages: 0 });
  expect((await ask("DELETE", `images/${hash}`)).status).toBe(204);
  await expectProblem(await ask("GET", `images/${hash}/uses`), "image-unknown");
  expect(await lines()).toEqual(["image.removed", "image.added"]);
});

test("of an image's hash one spelling alone is its name, also when it is removed", async () => {
  const { url, hash } = imageSchema.parse(await (await upload(png(6, 7))).json());
  // Of the last character two bits belong to no byte.
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const other = alphabet[alphabet.indexOf(hash.slice(-1)) + 1];
  for (const name of [`${hash.slice(0, -1)}${other}`, `${hash}=`, `${hash}$`, ` ${hash}`]) {
    expect(Buffer.from(name, "base64url")).toEqual(Buffer.from(hash, "base64url"));
    const file = `${origin}/images/${encodeURIComponent(name)}.png`;
    await expectProblem(await bench.app.request(file), "image-unknown");
    const address = `${path}/${encodeURIComponent(name)}`;
    const removed = await bench.app.request(address, { method: "DELETE", headers });
    await expectProblem(removed, "image-unknown");
  }
  expect((await bench.app.request(url)).status).toBe(200);
});

test("one that was removed while it was read is not kept for the next who asks", async () => {
  const { url, hash } = imageSchema.parse(await (await upload(png(7, 6))).json());
  const { promise: removed, resolve } = Promise.withResolvers<void>();
  const read = bench.store.images.read.bind(bench.store.images);
  vi.spyOn(bench.store.images, "read").mockImplementationOnce(async (...given) => {
    const image = await read(...given);
    await removed;
    return image;
  });
  const reading = bench.app.request(url);
  const remove = await bench.app.request(`${path}/${hash}`, { method: "DELETE", headers });
  expect(remove.status).toBe(204);
  resolve();
  expect((await reading).status).toBe(200);
  await expectProblem(await bench.app.request(url), "image-unknown");
});

test("what is no PNG, JPEG or WebP is refused, whatever it says that it is", async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>`;
  const gif = "GIF89a\u0001\u0000\u0001\u0000\u0000\u0000\u0000";
  for (const text of [svg, gif, "", "<!doctype html>", "\u0089PNG"]) {
    const response = await upload(Buffer.from(text, "latin1"), { "Content-Type": "image/png" });
    await expectProblem(response, "image-unreadable");
  }
  expect(await bench.store.images.list(bench.project.id)).toEqual([]);
});

test("a picture that is cut off anywhere is refused, and nothing is kept", async () => {
  const whole = png(7, 7);
  for (let length = 0; length < whole.length; length += 1) {
    await expectProblem(await upload(whole.subarray(0, length)), "image-unreadable");
  }
  expect(await bench.store.images.list(bench.project.id)).toEqual([]);
});

/** A grey JPEG (ITU-T T.81, annex B) as far as its markers go, with segments before its frame header. */
function jpeg(width: number, height: number, segments: readonly Buffer[] = []): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const table = segment(0xdb, Buffer.alloc(65));
  const scan = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.alloc(1)]);
  const end = Buffer.from([0xff, 0xd9]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, table, scan, end]);
}
function segment(marker: number, data: Buffer, fill = 0): Buffer {
  const head = Buffer.from([...Array<number>(fill + 1).fill(0xff), marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, fill + 2);
  return Buffer.concat([head, data]);
}

test("of a JPEG the sides are those that a decoder takes, whatever stands before them", async () => {
  const decoy = jpeg(10, 10).subarray(2);
  const honest = jpeg(40, 30, [
    segment(0xe0, Buffer.from("JFIF")),
    segment(0xc4, Buffer.alloc(30)),
  ]);
  for (const fill of [0, 1, 2, 5]) {
    const held = [segment(0xe0, Buffer.from("JFIF")), segment(0xfe, decoy, fill)];
    expect(imageSchema.parse(await (await upload(jpeg(40, 31 + fill, held))).json())).toMatchObject(
      {
        type: "jpg",
        widthPixels: 40,
        heightPixels: 31 + fill,
      },
    );
    const large = await upload(jpeg(20_000, 20_000, held));
    await expectProblem(large, "image-too-large");
  }
  expect(imageSchema.parse(await (await upload(honest)).json())).toMatchObject({
    heightPixels: 30,
  });
  const unread = [
    Buffer.from([0]),
    Buffer.from([0xff, 0xd9]),
    Buffer.from([0xff, 0xfe, 0, 1]),
    segment(0xda, Buffer.alloc(4)),
    segment(0xfe, Buffer.alloc(60_000)).subarray(0, 9_000),
  ];
  for (const broken of unread) {
    await expectProblem(await upload(jpeg(8, 8, [broken])), "image-unreadable");
  }
  await expectProblem(await upload(jpeg(0, 8)), "image-unreadable");
});

test("an address uploads so many a minute", async () => {
  for (let count = 0; count < imageUploadsPerMinute; count += 1) {
    await expectProblem(await upload(Buffer.from("x")), "image-unreadable");
  }
  await expectProblem(await upload(Buffer.from("x")), "too-many-requests");
  expect((await bench.app.request(path, { headers })).status).toBe(200);
});

test("too many bytes and too many pixels are refused", async () => {
  const excess = limits.imageBytes - png(8, 8).length;
  expect((await upload(png(8, 8, excess))).status).toBe(201);
  await expectProblem(await upload(png(8, 8, excess + 1)), "image-too-large");
  const declared = await upload(png(8, 8), { "Content-Length": String(limits.imageBytes + 1) });
  await expectProblem(declared, "image-too-large");
  expect((await upload(png(limits.imageSidePixels, 1))).status).toBe(201);
  await expectProblem(await upload(png(limits.imageSidePixels + 1, 1)), "image-too-large");
  await expectProblem(await upload(png(1, limits.imageSidePixels + 1)), "image-too-large");
});

test("of whose role is lost while the file comes in, none is kept, and that is said", async () => {
  const { headers: demoted, id } = await bench.operator("editor");
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { headers: owner } = await bench.operator("owner");
      const changed = await bench.app.request(`/v1/projects/default/operators/${id}`, {
        method: "PUT",
        headers: { ...owner, "Content-Type": "application/json" },
        body: JSON.stringify({ role: "viewer" }),
      });
      expect(changed.ok).toBe(true);
      controller.enqueue(png(9, 9));
      controller.close();
    },
  });
  const init = { method: "POST", headers: demoted, body, duplex: "half" as const };
  const response = await bench.app.request(new Request(`${origin}${path}`, init));
  await expectProblem(response, "role-missing");
  expect(await bench.store.images.list(bench.project.id)).toEqual([]);
});

test("of whose session ends while the file comes in, none is kept", async () => {
  const { headers: leaving } = await bench.operator("editor");
  const bytes = png(9, 9);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const ended = await bench.app.request("/v1/session", { method: "DELETE", headers: leaving });
      expect(ended.status).toBe(204);
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const init = { method: "POST", headers: leaving, body, duplex: "half" as const };
  const response = await bench.app.request(new Request(`${origin}${path}`, init));
  await expectProblem(response, "session-ended");
  const listed = imageListSchema.parse(await (await bench.app.request(path, { headers })).json());
  expect(listed.images.filter(({ widthPixels }) => widthPixels === 9)).toEqual([]);
});
