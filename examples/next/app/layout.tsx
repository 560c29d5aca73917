import { NotificationBell } from "@sineta/react";
import "@sineta/react/bell.css";
import type { Metadata } from "next";
import type { ReactNode } from "react";

export const metadata: Metadata = { title: "Uma padaria", icons: "data:," };

// A server component. It gives the bell texts, and the browser makes the messaging object of them.
export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="pt-BR">
      <body>
        <header>
          <h1>Uma padaria</h1>
          <NotificationBell
            server={process.env.SINETA_SERVER ?? ""}
            vapidKey={process.env.SINETA_VAPID_KEY ?? ""}
            allowLoopback // on http://localhost, too; elsewhere a page must be https
          />
        </header>
        {children}
      </body>
    </html>
  );
}
