import type { Messaging } from "@sineta/client";
import { NotificationBell, useNotifications } from "@sineta/react";
import { useEffect, useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import { NoticeList } from "./notices/notice-list.tsx";
import { received } from "./notices/notices-slice.ts";
import type { Dispatch, State } from "./store.ts";
import { texts } from "./texts.ts";

type AppProps = {
  /** Null where push cannot be offered. */
  messaging: Messaging | null;
  /** Whether the server runs for development. Then the visitor is a developer. */
  isInDevelopment: boolean;
};

export function App({ messaging, isInDevelopment }: AppProps) {
  const dispatch = useDispatch<Dispatch>();
  const notices = useSelector((state: State) => state.notices);
  const [announcement, setAnnouncement] = useState("");

  useEffect(
    () =>
      messaging?.onMessage((notice) => {
        dispatch(received(notice));
        setAnnouncement(texts.newNotice(notice.title));
      }),
    [messaging, dispatch],
  );

  return (
    <>
      <header className="app-bar">
        <div className="app-bar-content">
          <img src="/icon.svg" alt="" width="32" height="32" />
          <span className="product-name">{texts.productName}</span>
          <NotificationBell messaging={messaging} dispatch={dispatch} />
        </div>
      </header>
      <main>
        <h1>{texts.notices}</h1>
        <BellHint messaging={messaging} dispatch={dispatch} />
        <NoticeList notices={notices} />
      </main>
      {isInDevelopment && (
        <footer>
          {texts.development} <a href="/painel/">{texts.toConsole}</a>
        </footer>
      )}
      <output className="visually-hidden">{announcement}</output>
    </>
  );
}

/**
 * Points at the bell that stays grey after the page has asked, unless the browser would not ask again. With the bell's own dispatch it is
 * part of the same request.
 */
function BellHint(bell: { messaging: Messaging | null; dispatch: Dispatch }) {
  const { enabled, busy } = useNotifications(bell);
  const [hasAsked, setHasAsked] = useState(false);
  if (busy && !hasAsked) setHasAsked(true);
  const mayTurnOn = hasAsked && !busy && !enabled && Notification.permission !== "denied";
  return mayTurnOn && <p className="hint">{texts.touchBell}</p>;
}
