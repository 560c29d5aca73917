/** Ajustes, Diagnóstico: what the server finds when it looks at itself. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import type { Page } from "@playwright/test";
import { expect, test as base } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";
import { freePort } from "../support/server.ts";

const pushHosts = ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];

const findings = (page: Page, group: string) =>
  page.getByRole("region", { name: group }).getByRole("listitem");
const summary = (page: Page) => page.getByRole("status");
const again = (page: Page) => page.getByRole("button", { name: "Examinar de novo" });

/** Connections wait there, so that an examination lasts, until they are dropped. */
type PlaceThatWaits = { port: number; wait: () => void; drop: () => void };

const test = base.extend<{ place: PlaceThatWaits }>({
  // oxlint-disable-next-line no-empty-pattern
  place: async ({}, use) => {
    const waiting = new Set<Socket>();
    let waits = true;
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy());
      if (waits) waiting.add(socket);
      else socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const drop = () => {
      waits = false;
      for (const socket of waiting) socket.destroy();
      waiting.clear();
    };
    // The address of a TCP server is an object.
    const { port } = server.address() as AddressInfo;
    await use({ port, drop, wait: () => (waits = true) });
    drop();
    server.close();
  },
});

test("an owner reads what to do, resumes delivery, and has the server examine itself again", async ({
  place,
  serve,
  visit,
}) => {
  const server = await serve({
    SINETA_DISK_LOW_MIB: "1",
    SINETA_ORIGINS: `http://127.0.0.1:${await freePort()}`,
    SINETA_PUSH_ROUTES: pushHosts.map((host) => `${host}=127.0.0.1:${place.port}`).join(),
  });
  const cookie = await enrolOwner(server);
  await server.run("hold");
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/ajustes", {
    allows: false,
  });
  await page.getByRole("link", { name: "Diagnóstico" }).click();
  await expect(summary(page)).toHaveText("Examinando. Isto leva alguns segundos…");
  // The server goes on with the examination, and refuses another one beside it.
  const refused = page.waitForResponse((response) => response.status() === 429);
  await page.reload();
  await refused;
  place.drop();
  await expect(summary(page)).toHaveText("6 coisas a fazer. 1 coisa não pôde ser vista.");
  const toDo = findings(page, "O que fazer");
  await expect(toDo).toHaveCount(6);
  await expect(toDo.getByText("O envio está parado desde")).toBeVisible();
  await expect(toDo.getByText("sineta resume")).toHaveRole("code");
  await expect(toDo.getByText("For the bell to show")).toHaveAttribute("lang", "en");
  await expect(toDo.filter({ hasText: "web.push.apple.com" })).toContainText("porta 443");
  await expect(findings(page, "Não verificado")).toContainText("Relógio");
  await expect(findings(page, "Em ordem").filter({ hasText: "Disco" })).toContainText("Resta");
  await lookAt(page, "doctor");

  await toDo.getByRole("link", { name: "Abrir Envio" }).click();
  await server.run("resume", "--yes");
  await page.goBack();
  await expect(summary(page)).toHaveText("5 coisas a fazer. 1 coisa não pôde ser vista.");

  place.wait();
  const examinations: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") examinations.push(request.url());
  });
  await again(page).click();
  await expect(summary(page)).toContainText("Examinando");
  await page.keyboard.press("Enter");
  place.drop();
  await expect(summary(page)).toHaveText("5 coisas a fazer. 1 coisa não pôde ser vista.");
  await expect(again(page)).toBeFocused();
  expect(examinations).toEqual([new URL("/v1/projects/default/doctor", server.url).href]);
  expect(complaints.filter((text) => !text.includes("status of 429"))).toEqual([]);
});

test("an editor is told that the doctor is for owners", async ({ serve, visit }) => {
  const server = await serve();
  await server.run("operators", "create", "chefe@padaria.example");
  const invitation = await server.run("operators", "invite", "--role", "editor");
  const firstLink = async () => invitation.stdout.trim();
  const cookie = await enrolOwner({ url: server.url, firstLink });
  const { page, complaints } = await openConsole(
    { server, visit },
    cookie,
    "/ajustes/diagnostico",
    { allows: false },
  );
  await expect(page.getByRole("note")).toContainText("é preciso ter o papel Dono");
  await expect(again(page)).toHaveCount(0);
  await expect(
    page.getByRole("navigation", { name: "Partes dos ajustes" }).getByRole("link"),
  ).toHaveText(["Projeto", "Envio", "Sua conta"]);
  // It did not even ask.
  expect(complaints).toEqual([]);
});
