/** What an application writes with the published packages, in strict TypeScript: compiled, never run. */
import {
  createMessaging,
  listNotices,
  type Messaging,
  MessagingError,
  notificationsOf,
} from "@sineta/client";
import { fromFirebase } from "@sineta/client/firebase";
import {
  type BellLabels,
  NotificationBell,
  type NotificationBellProps,
  setToken,
  type SetTokenAction,
  tokenReducer,
  useNotifications,
} from "@sineta/react";
import "@sineta/react/bell.css";

const messaging = createMessaging({ vapidKey: "B...", allowLoopback: true });

export function Header({ dispatch }: { dispatch: (action: { type: "setToken" }) => void }) {
  return <NotificationBell messaging={messaging} dispatch={dispatch} onError={code} />;
}

/** What a server component passes on: texts, and no function. */
export const ofTexts = <NotificationBell server="https://avisos.example" vapidKey="B..." />;

export function WithOptions({ hasConsented }: { hasConsented: boolean }) {
  const labels: BellLabels = { enable: "Avise-me", disable: "Avisos ligados" };
  return (
    <NotificationBell
      messaging={createMessaging({ vapidKey: "B...", appleDevices: "home-screen" })}
      dispatch={(action: SetTokenAction) => action.payload ?? "off"}
      askOnLoad={hasConsented}
      whenOn="disable"
      language="en-US"
      labels={labels}
    />
  );
}

/** With options that a build reads from its environment, so that each may be missing. */
export function FromSettings(read: (name: string) => string | undefined) {
  const whenOn = read("disable") ? "disable" : undefined;
  return (
    <NotificationBell
      vapidKey="B..."
      server={read("server")}
      language={read("language")}
      whenOn={whenOn}
      askOnLoad={whenOn && false}
      labels={undefined}
      dispatch={undefined}
      onError={undefined}
    />
  );
}

/** Wherever the server's address comes from, only a literal can lack its scheme before the page runs. */
export function FromElsewhere(
  props: NotificationBellProps & { origin: string & { readonly __brand: "origin" } },
) {
  createMessaging({ vapidKey: "B...", server: props.origin });
  createMessaging({ vapidKey: "B...", server: `https://${location.host}` });
  createMessaging({ vapidKey: "B...", server: "HTTPS://avisos.example" });
  createMessaging({ vapidKey: "B...", server: "" });
  const local = "http://localhost:8080";
  createMessaging({ vapidKey: "B...", server: location.port ? local : props.origin });
  const address: "" | `${string}://${string}` = location.host && `https://${location.host}`;
  createMessaging({ vapidKey: "B...", server: address });
  return <NotificationBell {...props} />;
}

export function OwnControl() {
  const { available, enabled, ask, disable } = useNotifications({ messaging, askOnLoad: false });
  return available ? (
    <button type="button" onClick={enabled ? disable : ask}>
      {enabled ? "Desabilitar Notificações" : "Habilitar Notificações"}
    </button>
  ) : null;
}

function code(error: unknown): string | null {
  return error instanceof MessagingError ? error.code : null;
}

export async function tokenOf({ getToken, vapidKey }: Messaging): Promise<string | null> {
  return tokenReducer(await getToken({ vapidKey }), setToken("token"));
}

export async function joinNews(): Promise<void> {
  await messaging?.joinTopic("novidades");
  await messaging?.setUser(null);
  await messaging?.setUser(undefined);
  // @ts-expect-error a topic has a name
  await messaging?.leaveTopic();
}

// @ts-expect-error Firebase's messaging object has an app; no messaging is null
export const ofFirebase: Messaging | null = fromFirebase({}, { vapidKey: "B..." });
export const ofNoFirebase: Messaging | null = fromFirebase(null, { vapidKey: "B..." });

export async function titles(): Promise<string[]> {
  return (await listNotices()).map(({ title }) => title);
}

// Where the types were lost, all would be `any` and nothing below an error.
// @ts-expect-error a bell takes a messaging object or null
export const withoutMessaging = <NotificationBell messaging="none" />;
// @ts-expect-error a bell takes a messaging object or the key for one
export const withNothing = <NotificationBell server="https://avisos.example" />;
// @ts-expect-error messaging may be null, and so may its notifications
export const enabled: boolean = notificationsOf(messaging).getState().enabled;
// @ts-expect-error a click asks or disables
export const wrongOption = <NotificationBell messaging={messaging} whenOn="off" />;
// @ts-expect-error the server's origin has a scheme
export const withoutScheme = createMessaging({ vapidKey: "B...", server: "avisos.example" });
// @ts-expect-error an origin has no user's name and password
export const withUser = createMessaging({ vapidKey: "B...", server: "https://a:b@avisos.example" });
// @ts-expect-error each member of a union has a scheme
export const withChoice = createMessaging({ vapidKey: "B...", server: enabled ? "/push" : "" });
// @ts-expect-error a path is no origin
export const withPath = <NotificationBell vapidKey="B..." server="/push" />;
// @ts-expect-error the key is needed
export const withoutKey = createMessaging({});
