import { createMessaging } from "@sineta/client";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { NotificationBell } from "./index.ts";

it("renders nothing where there is no browser at all", () => {
  expect(typeof window).toBe("undefined");
  const messaging = createMessaging({ vapidKey: `B${"A".repeat(86)}`, allowLoopback: true });
  expect(messaging).toBe(null);
  const page = (
    <header>
      <NotificationBell messaging={messaging} />
    </header>
  );
  expect(renderToString(page)).toBe("<header></header>");
});
