// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { readPageConfig } from "./page-config.ts";

it("reads what the server wrote into the page, and is null where nobody did", () => {
  expect(readPageConfig(document)).toBe(null);
  const element = document.createElement("script");
  element.type = "application/json";
  element.id = "sineta-config";
  element.textContent = '{"vapidKey":"\\u003ckey"}';
  document.head.append(element);
  expect(readPageConfig(document)).toEqual({ vapidKey: "<key" });
});
