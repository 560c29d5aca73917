/** The pictures of Novo aviso: made smaller, uploaded, chosen again and deleted. */
import { imageSchema, publishedSchema } from "@sineta/protocol";
import { api, openComposer, ours, saved, state, title } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, lookAt, openConsole } from "../support/operator.ts";

test("a large picture is made smaller, uploaded, shown, and chosen again", async ({
  serve,
  visit,
}) => {
  const { page, complaints } = await openComposer({ serve, visit });
  await title(page).fill("Vitrine");
  const large = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [3000, 2000];
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("there is no canvas");
    const noise = context.createImageData(canvas.width, canvas.height);
    for (let at = 0; at < noise.data.length; at += 1) {
      noise.data[at] = at % 4 === 3 ? 255 : (at * 2_654_435_761) >>> 24;
    }
    context.putImageData(noise, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  });
  expect(large.length).toBeGreaterThan(300_000);
  await page.getByRole("button", { name: "Adicionar imagem" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Carregar imagem: Imagem grande" }).click();
  const files = {
    name: "vitrine.png",
    mimeType: "image/png",
    buffer: Buffer.from(large, "latin1"),
  };
  await (await chooser).setFiles(files);
  const address = page.getByRole("textbox", { name: "Imagem grande: ou cole o link da imagem" });
  await expect(address).toHaveValue(/\/images\/[\w-]{43}\.webp$/);
  const image = await fetch(await address.inputValue());
  expect(image.headers.get("Content-Type")).toBe("image/webp");
  expect((await image.arrayBuffer()).byteLength).toBeLessThan(300_000);
  const shown = page.getByRole("figure").locator("img");
  const width = () => shown.evaluate((picture: HTMLImageElement) => picture.naturalWidth);
  await expect.poll(width).toBeGreaterThan(400);
  expect(await width()).toBeLessThanOrEqual(1440);

  await page.getByRole("button", { name: "Adicionar ícone" }).click();
  await page.getByRole("button", { name: "Biblioteca: Ícone" }).click();
  await page.getByRole("button", { name: /^Imagem carregada hoje, / }).click();
  await expect(page.getByRole("textbox", { name: "Ícone: ou cole o link da imagem" })).toHaveValue(
    await address.inputValue(),
  );
  await lookAt(page, "compose-pictures");

  const words = { name: "x.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") };
  const again = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Carregar imagem: Ícone" }).click();
  await (await again).setFiles(words);
  await expect(page.getByText("Este arquivo não é uma imagem")).toBeVisible();
  expect(ours(complaints)).toEqual([]);
});

test("a picture is deleted, unless a notice needs it that is still to go out", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const picture =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const kept = await api(server, cookie, "projects/default/images", {
    method: "POST",
    body: Buffer.from(picture, "base64"),
  });
  const { url, hash } = imageSchema.parse(await kept.json());
  const published = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({
      target: { kind: "all" },
      notification: { title: "Vitrine", image: url },
      scheduleAt: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  });
  const { id } = publishedSchema.parse(await published.json());
  const { page, complaints } = await openConsole({ server, visit }, cookie, "/avisos/novo");
  await title(page).fill("Vitrine de Natal");
  await page.getByRole("button", { name: "Adicionar ícone" }).click();
  const choose = page.getByRole("button", { name: "Biblioteca: Ícone" });
  const address = page.getByRole("textbox", { name: "Ícone: ou cole o link da imagem" });
  await address.fill(url);
  await expect(state(page)).toHaveText(saved);
  const name = `${hash.slice(0, 6)}.png`;
  const remove = page.getByRole("button", { name: `Apagar a imagem ${name}` });
  const dialog = page.getByRole("dialog", { name: `Apagar ${name}?` });
  await choose.click();
  await expect(remove).toBeVisible();
  await lookAt(page, "compose-gallery");
  await remove.click();
  await expect(dialog).toContainText("1 rascunho usa esta imagem");
  await expect(dialog).toContainText("1 aviso agendado ou em envio a usa.");
  await expect(dialog.getByRole("button", { name: "Apagar" })).toHaveCount(0);
  await lookAt(page, "compose-picture-in-use");
  await dialog.getByText("Fechar", { exact: true }).click();

  const cancel = `projects/default/messages/${id}/cancel`;
  expect((await api(server, cookie, cancel, { method: "POST", body: "{}" })).status).toBe(200);
  await remove.click();
  const yes = dialog.getByRole("button", { name: "Apagar", exact: true });
  await expect(dialog).toContainText("Nenhum aviso agendado");
  await expect(yes).toBeDisabled();
  await dialog.getByRole("textbox").fill("apagar");
  await lookAt(page, "compose-picture-remove");
  await yes.click();
  await expect(page.getByText("A biblioteca ainda está vazia.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(address).toHaveValue("");
  expect((await fetch(url)).status).toBe(404);
  expect(ours(complaints)).toEqual([]);
});
