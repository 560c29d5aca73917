/** A page as an integrator writes it, without a store: it says nothing of colour schemes, and Sineta runs elsewhere. */
import { createMessaging } from "@sineta/client";
import { NotificationBell, type NotificationBellProps, type SetTokenAction } from "@sineta/react";
import "@sineta/react/bell.css";
import { createRoot } from "react-dom/client";

const address = new URLSearchParams(location.search);
const given = {
  server: address.get("server") ?? "",
  vapidKey: address.get("vapidKey") ?? "",
  worker: address.get("worker") ?? "/sineta-sw.js",
  ...(!address.has("forgotten") && { allowLoopback: true }),
  ...(address.has("homeScreen") && { appleDevices: "home-screen" as const }),
};
/** The bell makes the object itself where the address says so. */
const messaging = address.has("madeByBell") ? undefined : createMessaging(given);
const source = messaging === undefined ? given : { messaging };
// Without options in the address, the bell has its defaults.
const options: Partial<NotificationBellProps> = JSON.parse(address.get("options") ?? "{}");
const actions: SetTokenAction[] = [];
Object.assign(window, { recordedActions: actions, messaging });

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <>
      <h1>Uma página de outra pessoa</h1>
      <NotificationBell
        {...options}
        {...source}
        dispatch={(action: SetTokenAction) => actions.push(action)}
      />
    </>,
  );
}
