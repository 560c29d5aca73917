import { expect, test } from "vitest";
import { demandSameOrigin } from "./same-origin.ts";

const own = new Set(["https://sino.example", "http://localhost:8080"]);
const demand = (method: string, headers: Record<string, string>) => () =>
  demandSameOrigin({ method, headers: new Headers(headers), url: "https://sino.example/" }, own);

test.for<[method: string, headers: Record<string, string>]>([
  ["GET", {}],
  ["GET", { "Sec-Fetch-Site": "none" }],
  ["GET", { "Sec-Fetch-Site": "same-origin" }],
  ["GET", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" }],
  ["GET", { "Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document" }],
  ["POST", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "empty" }],
  ["HEAD", { "Sec-Fetch-Site": "same-origin" }],
  ["POST", { "Sec-Fetch-Site": "same-origin" }],
  ["POST", { Origin: "https://sino.example" }],
  ["POST", { "Sec-Fetch-Site": "same-origin", Origin: "https://sino.example" }],
  ["DELETE", { "Sec-Fetch-Site": "same-origin", Origin: "http://localhost:8080" }],
])("%s with %j is the console's", ([method, headers]) => {
  expect(demand(method, headers)).not.toThrow();
});

test.for<[method: string, headers: Record<string, string>]>([
  ["GET", { "Sec-Fetch-Site": "cross-site" }],
  ["GET", { "Sec-Fetch-Site": "same-site" }],
  ["GET", { "Sec-Fetch-Site": "same-origin, cross-site" }],
  ["GET", { "Sec-Fetch-Site": "" }],
  ...["image", "iframe", "script", "style", "serviceworker", "empty, image", ""].map(
    (destination): [string, Record<string, string>] => [
      "GET",
      { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": destination },
    ],
  ),
  ["POST", { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "image" }],
  ["HEAD", { "Sec-Fetch-Site": "none" }],
  ["POST", {}],
  ["PATCH", {}],
  ["X", {}],
  // Methods are told by case (RFC 9110, section 9.1).
  ["get", {}],
  ["POST", { "Sec-Fetch-Site": "none" }],
  ["POST", { "Sec-Fetch-Site": "none", Origin: "https://sino.example" }],
  ["POST", { "Sec-Fetch-Site": "cross-site", Origin: "https://sino.example" }],
  ["POST", { "Sec-Fetch-Site": "same-site", Origin: "https://sino.example" }],
  ["POST", { "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" }],
  ["POST", { "Sec-Fetch-Site": "same-origin", Origin: "null" }],
  ["POST", { "Sec-Fetch-Site": "same-origin", Origin: "" }],
  ["POST", { Origin: "null" }],
  ["POST", { Origin: "http://sino.example" }],
  ["POST", { Origin: "https://SINO.example" }],
  ["POST", { Origin: "https://sino.example:443" }],
  ["POST", { Origin: "https://sino.example/" }],
  ["POST", { Origin: "https://sino.example." }],
  ["POST", { Origin: "https://reader@sino.example" }],
  ["POST", { Origin: "https://sino.example.evil.example" }],
  ["POST", { Origin: "https://sino.example, https://sino.example" }],
  ["POST", { Origin: "http://localhost:8081" }],
  ["POST", { Referer: "https://sino.example/" }],
])("%s with %j is refused", ([method, headers]) => {
  expect(demand(method, headers)).toThrow(expect.objectContaining({ code: "cross-site-refused" }));
});
