import type { Messaging } from "@sineta/client";
import { NotificationBell } from "@sineta/react";
import { useEffect, useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import { NoticeList } from "./notices/notice-list.tsx";
import { received } from "./notices/notices-slice.ts";
import type { Dispatch, State } from "./store.ts";
import { texts } from "./texts.ts";

type AppProps = { messaging: Messaging | null };

export function App({ messaging }: AppProps) {
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
        <NoticeList notices={notices} />
      </main>
      <output className="visually-hidden">{announcement}</output>
    </>
  );
}
