/** Takes the README's pictures: `node e2e/screenshots.ts`, after `npm run build`. */
import { fileURLToPath } from "node:url";
import { startPushLab } from "@sineta/push-lab";
import { startServer } from "./support/server.ts";
import { openVisitor } from "./support/visitor.ts";

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
const notices = [
  ["Inscrições abertas", "As oficinas de verão começam em janeiro. Vagas limitadas."],
  ["Manutenção concluída", "O site está de volta. Obrigado pela paciência!"],
  ["Bazar de fim de ano neste sábado", "Das 9h às 17h, na praça. Traga a sua sacola."],
] as const;

const lab = await startPushLab();
const server = await startServer(lab.serverEnvironment);
try {
  for (const state of ["off", "on"] as const) {
    const visitor = await openVisitor({
      lab,
      url: server.url,
      allows: state === "on",
      viewport: { width: 420, height: 300 },
    });
    const label = state === "on" ? "Desabilitar Notificações" : "Habilitar Notificações";
    const bell = visitor.page.getByRole("button", { name: label });
    await bell.hover();
    await visitor.page.getByRole("tooltip").waitFor();
    await visitor.page.screenshot({
      path: `${folder}bell-${state}.png`,
      clip: { x: 0, y: 0, width: 420, height: 96 },
      animations: "disabled",
    });
    await visitor.close();
  }

  const visitor = await openVisitor({
    lab,
    url: server.url,
    viewport: { width: 860, height: 560 },
  });
  await visitor.page.getByRole("button", { name: "Desabilitar Notificações" }).waitFor();
  for (const [title, body] of notices) {
    await server.run("send", "--title", title, "--body", body);
    await visitor.page.getByRole("listitem").filter({ hasText: title }).waitFor();
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await visitor.page.emulateMedia({ colorScheme });
    await visitor.page.screenshot({
      path: `${folder}site-${colorScheme}.png`,
      animations: "disabled",
    });
  }
  await visitor.close();
} finally {
  await server.stop();
  await lab.close();
}
