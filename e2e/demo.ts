/**
 * `npm run demo`: the whole way on one machine, without the internet. A push service of the lab, a Sineta server,
 * and a real browser in which the bell turns on and a first notice arrives. In a window where there is a display;
 * elsewhere it leaves a picture.
 */
import { resolve } from "node:path";
import { startPushLab } from "@sineta/push-lab";
import { startServer } from "./support/server.ts";
import { openVisitor } from "./support/visitor.ts";

const picture = resolve("demo.png");
const hasDisplay =
  process.platform !== "linux" || "DISPLAY" in process.env || "WAYLAND_DISPLAY" in process.env;

const lab = await startPushLab();
const server = await startServer(lab.serverEnvironment);
try {
  console.log(`Site:  ${server.url}`);
  const { context, page, bell, notifications, close } = await openVisitor({
    lab,
    url: server.url,
    headless: !hasDisplay,
    viewport: { width: 900, height: 600 },
  });
  const closed = context.waitForEvent("close", { timeout: 0 });
  await page.getByRole("button", { name: "Desabilitar Notificações" }).waitFor();
  console.log("Bell:  on");

  const sent = await server.run(
    "send",
    "--title",
    "A sineta tocou!",
    "--body",
    "Este aviso veio do seu próprio servidor, sem passar pela internet.",
  );
  process.stdout.write(`Sent:  ${sent.stdout}${sent.stderr}`);
  if (sent.status !== 0) throw new Error("The notice was not sent");
  await page.getByRole("listitem").first().waitFor();
  for (const { title, body } of await notifications()) console.log(`Shown: ${title} ${body}`);

  if (hasDisplay) {
    const send = `SINETA_DATA=${server.data} npm run sineta -- send --title Oi --body "Tudo bem?"`;
    console.log(`Send more while the window is open: ${send}\nClose the window to end the demo.`);
    await closed;
  } else {
    await bell.hover();
    await page.screenshot({ path: picture });
    console.log(`There is no display here, so the browser has no window. A picture: ${picture}`);
  }
  await close();
} finally {
  await server.stop();
  await lab.close();
}
