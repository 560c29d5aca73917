/** The least that puts Sineta's bell on a page. */
import { createMessaging } from "@sineta/client";
import { NotificationBell } from "@sineta/react";
import "@sineta/react/bell.css";
import { createRoot } from "react-dom/client";

// As the server writes it into every page that it serves.
const messaging = createMessaging(
  JSON.parse(document.getElementById("sineta-config")?.textContent ?? "{}"),
);
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <header>
      <h1>Padaria</h1>
      <NotificationBell messaging={messaging} />
    </header>,
  );
}
