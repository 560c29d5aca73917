import { createMessaging } from "@sineta/client";
import { NotificationBell } from "@sineta/react";
import "@sineta/react/bell.css";
import { useDispatch, useSelector } from "react-redux";
import type { State } from "./store.ts";

// null where push cannot be offered: then there is no bell
const messaging = createMessaging({
  server: import.meta.env["VITE_SINETA_SERVER"],
  vapidKey: import.meta.env["VITE_SINETA_VAPID_KEY"],
  allowLoopback: true, // on http://localhost, too; elsewhere a page must be https
});

export function App() {
  const token = useSelector((state: State) => state.token);
  return (
    <>
      <header>
        <h1>Uma padaria</h1>
        <NotificationBell messaging={messaging} dispatch={useDispatch()} onError={console.error} />
      </header>
      {/* With it `sineta send --to TOKEN` reaches this browser: hand it to your application. */}
      <output>{token}</output>
    </>
  );
}
