import type { Installation } from "@sineta/protocol";

/** Colours of the bell, `#rrggbb`; what is left out is the bell's own. */
export type BellColors = { off?: string; on?: string; focus?: string };

export type SnippetKind = "react" | "html";
/** One thing to do: what to run or write, and where. */
export type SnippetPart = { where: "terminal" | "styles" | "code"; text: string };

type Place = { installation: Installation; project: string; origin: string; server: string };

/** Origins that may register: the site's, then Sineta's own. */
export function pagesFirst({ origins, ownOrigins }: Installation): string[] {
  return [...origins.filter((origin) => !ownOrigins.includes(origin)), ...ownOrigins];
}

/**
 * What to run and to write so that a site shows the bell.
 * @param place.origin of the site's page
 * @param place.server origin at which this server is reached
 */
export function snippetOf(kind: SnippetKind, place: Place, colors: BellColors): SnippetPart[] {
  const options = optionsOf(place, kind === "react" ? "  " : "    ");
  return kind === "react" ? reactParts(place, options, colors) : htmlParts(place, options);
}

/** What `createMessaging` is told; nothing that is so anyway. */
function optionsOf({ installation, project, origin, server }: Place, indent: string): string {
  const [current] = installation.vapidKeys;
  const lines = [
    ...(server === origin ? [] : [`server: "${server}",`]),
    ...(project === "default" ? [] : [`project: ${JSON.stringify(project)},`]),
    `vapidKey: "${current?.publicKey ?? ""}",`,
    // A page that is not https can only be one under development.
    ...(installation.allowLoopback || origin.startsWith("http:") ? ["allowLoopback: true,"] : []),
  ];
  return lines.map((line) => indent + line).join("\n");
}

/** The packages are on no registry: they come as files out of a checkout of Sineta beside the site's folder. */
function packed(name: "client" | "react", { installation: { version } }: Place): string {
  return `../sineta/dist/sineta-${name}-${version}.tgz`;
}

function reactParts(place: Place, options: string, colors: BellColors): SnippetPart[] {
  return [
    {
      where: "terminal",
      text:
        `npm install ${packed("client", place)} ${packed("react", place)}\n` +
        "mkdir -p public && cp node_modules/@sineta/client/dist/sw.js public/sineta-sw.js",
    },
    {
      where: "code",
      text: `import { createMessaging } from "@sineta/client";
import { NotificationBell } from "@sineta/react";
import "@sineta/react/bell.css";

const messaging = createMessaging({
${options}
});

export function Bell() {
  return <NotificationBell messaging={messaging} onError={console.error} />;
}`,
    },
    ...stylesOf(colors),
  ];
}

function htmlParts(place: Place, options: string): SnippetPart[] {
  return [
    {
      where: "terminal",
      text:
        `npm install ${packed("client", place)}\n` +
        "mkdir -p sineta && cp node_modules/@sineta/client/dist/*.js sineta/\n" +
        "cp node_modules/@sineta/client/dist/sw.js sineta-sw.js",
    },
    {
      where: "code",
      text: `<button id="sino" type="button" hidden>🔔</button>
<script type="module">
  import { createMessaging, notificationsOf } from "./sineta/index.js";

  const messaging = createMessaging({
${options}
  });
  const notifications = notificationsOf(messaging);
  const bell = document.querySelector("#sino");
  const asker = { onError: console.error };

  if (notifications) {
    bell.hidden = false;
    bell.onclick = () => notifications.ask(asker);
    function show() {
      const { enabled } = notifications.getState();
      bell.style.filter = enabled ? "" : "grayscale(1)";
      bell.title = enabled ? "Desabilitar Notificações" : "Habilitar Notificações";
      bell.ariaLabel = bell.title;
    }
    notifications.subscribe(show);
    show();
    notifications.askOnLoad(bell, asker);
  }
</script>`,
    },
  ];
}

function stylesOf(colors: BellColors): SnippetPart[] {
  const lines = (["off", "on", "focus"] as const).flatMap((name) =>
    colors[name] === undefined || colors[name] === bellColors[name]
      ? []
      : [`  --sineta-bell-${name}: ${colors[name]};`],
  );
  return lines.length === 0 ? [] : [{ where: "styles", text: `:root {\n${lines.join("\n")}\n}` }];
}

/** The bell's own (bell.css of @sineta/react). */
export const bellColors = { off: "#767e8a", on: "#bd7600", focus: "#2f7de1" } as const;
