import { createMessaging, listNotices } from "@sineta/client";
import "@sineta/look/theme.css";
import "@sineta/react/bell.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Provider } from "react-redux";
import { App } from "./app.tsx";
import { loaded } from "./notices/notices-slice.ts";
import { readPageConfig } from "./page-config.ts";
import "./site.css";
import { store } from "./store.ts";

const config = readPageConfig(document);
const messaging = config && createMessaging(config);

if (messaging) {
  // A browser that keeps nothing has no notices to show; the page is the same without them.
  listNotices().then(
    (notices) => store.dispatch(loaded(notices)),
    () => undefined,
  );
}

const root = document.getElementById("root");
if (!root) throw new Error("The page has no element with the id root");
createRoot(root).render(
  <StrictMode>
    <Provider store={store}>
      <App messaging={messaging} isInDevelopment={config?.allowLoopback === true} />
    </Provider>
  </StrictMode>,
);
