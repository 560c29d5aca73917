/** Novo aviso: what an operator sees without scrolling, on a desk and on a phone. */
import type { Locator, Page } from "@playwright/test";
import { openComposer, pick, reach, saved, state, title } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { lookAt } from "../support/operator.ts";
import { violationsOn } from "../support/violations.ts";

const send = (page: Page) => page.getByRole("button", { name: "Revisar e enviar" });
const panel = (page: Page) => page.getByRole("region", { name: "Enviar", exact: true });
const preview = (page: Page) => panel(page).getByRole("figure");
const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** By system, the browsers that have a look of their own. */
const browsers = [
  ["Android", ["Chrome", "Firefox"]],
  ["Windows", ["Chrome", "Firefox"]],
  ["Mac", ["Chrome", "Firefox", "Safari"]],
] as const;

/** Shows each browser's preview after the other. */
async function onEach(page: Page, check: (system: string, browser: string) => Promise<void>) {
  for (const [system, names] of browsers) {
    await pick(page, "Sistema da pré-visualização", system);
    for (const browser of names) {
      await pick(page, "Navegador da pré-visualização", browser);
      await expect(preview(page)).toHaveAccessibleName(`Pré-visualização: ${browser} no ${system}`);
      await check(system, browser);
    }
  }
}

/** Writes as much as a notice can hold. */
async function writeMuch(page: Page): Promise<void> {
  await page.route("**/vitrine.png", (route) =>
    route.fulfill({
      body: Buffer.from(picture.split(",")[1] ?? "", "base64"),
      contentType: "image/png",
    }),
  );
  await title(page).fill("Pão quente saindo do forno agora mesmo ".repeat(5));
  await page.getByLabel("Texto", { exact: true }).fill("Croissant e broa de milho. ".repeat(60));
  for (const part of ["Adicionar imagem", "Adicionar ícone"]) {
    await page.getByRole("button", { name: part }).click();
  }
  await page
    .getByRole("textbox", { name: "Imagem grande: ou cole o link da imagem" })
    .fill("/vitrine.png");
  await page.getByRole("textbox", { name: "Ícone: ou cole o link da imagem" }).fill("/vitrine.png");
  for (const words of ["Reservar a fornada", "Ver o cardápio todo"]) {
    await page.getByRole("button", { name: "Adicionar botão" }).click();
    await page.getByLabel("Texto do botão").last().fill(words);
  }
}

/** The elements around it that scroll by themselves. */
const scrollersOf = (place: Locator) =>
  place.evaluate((element) => {
    const found: string[] = [];
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      const { overflowY } = getComputedStyle(at);
      if (/auto|scroll/.test(overflowY) && at.scrollHeight > at.clientHeight)
        found.push(at.className);
    }
    return found;
  });

test("form, preview, number and button fit 1366 x 768", async ({ serve, visit }) => {
  const { page } = await openComposer({ serve, visit });
  await page.setViewportSize({ width: 1366, height: 768 });
  await title(page).fill("Pão quente");
  await expect(state(page)).toHaveText(saved);
  await expect(reach(page)).toHaveText(/^\d vai receber$/);
  await expect(preview(page)).toContainText("Pão quente");
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThanOrEqual(768);
  for (const row of ["Para quem", "Quando", "Entrega"]) {
    await expect(page.getByRole("region", { name: row })).toBeInViewport({ ratio: 1 });
  }
  await expect(panel(page)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("region", { name: "Entrega" })).toContainText(
    "validade de 2 dias, urgência normal",
  );
});

test("the preview and the ways to send stay whole and in view, however much is written", async ({
  serve,
  visit,
}) => {
  test.slow();
  const { page } = await openComposer({ serve, visit });
  await writeMuch(page);
  const here = page.getByRole("button", { name: /^(Ativar avisos aqui|Testar neste navegador)$/ });
  for (const [width, height] of [
    [1366, 768],
    [1366, 657],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await onEach(page, async () => {
      for (const where of [0, 400, 100_000]) {
        await page.evaluate((top) => window.scrollTo(0, top), where);
        for (const place of [preview(page), reach(page), send(page)]) {
          await expect(place).toBeInViewport({ ratio: 1 });
        }
      }
    });
    expect(await scrollersOf(preview(page))).toEqual([]);
  }
  // What is wrong is said below the buttons, and moves none of them.
  await title(page).fill("");
  await send(page).click();
  await expect(page.getByText("Corrija 1 campo.")).toBeVisible();
  for (const place of [preview(page), reach(page), send(page), here]) {
    await expect(place).toBeInViewport({ ratio: 1 });
  }
  await title(page).fill("Pão quente");
  for (const [width, height] of [
    [390, 844],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    const see = page.getByRole("button", { name: "Ver a pré-visualização" });
    if (await see.isVisible()) await see.click();
    await onEach(page, async () => {
      for (const place of [preview(page), reach(page), send(page)]) {
        await expect(place).toBeInViewport({ ratio: 1 });
      }
      expect(await scrollersOf(preview(page))).toEqual([]);
    });
  }
  await lookAt(page, "compose-much");
});

test("each browser's preview shows the parts that this browser shows, and the site by its name", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer(
    { serve, visit },
    { environment: { SINETA_ORIGINS: "https://padaria.example" } },
  );
  await page.route("https://padaria.example/**", (route) =>
    route.fulfill({
      body: Buffer.from(picture.split(",")[1] ?? "", "base64"),
      contentType: "image/png",
    }),
  );
  await page.setViewportSize({ width: 1366, height: 768 });
  await title(page).fill("Pão quente");
  await page.getByRole("button", { name: "Adicionar imagem" }).click();
  await page
    .getByRole("textbox", { name: "Imagem grande: ou cole o link da imagem" })
    .fill("/vitrine.png");
  for (const words of ["Reservar", "Depois", "Nunca"]) {
    await page.getByRole("button", { name: "Adicionar botão" }).click();
    await page.getByLabel("Texto do botão").last().fill(words);
  }
  await page.getByRole("button", { name: "Ver em modo escuro" }).click();
  await expect(preview(page)).toHaveAttribute("data-colors", "dark");
  await page.getByRole("button", { name: "Ver em modo claro" }).click();
  await expect(preview(page)).toHaveAttribute("data-colors", "light");
  await expect(page.getByText("Nenhum navegador mostra um terceiro botão.")).toBeVisible();
  const shown: string[] = [];
  await onEach(page, async (system, browser) => {
    await expect(preview(page)).toContainText("Pão quente");
    await expect(preview(page)).toContainText("padaria.example");
    const buttons = await Promise.all(
      ["Reservar", "Depois", "Nunca"].map((words) => preview(page).getByText(words).count()),
    );
    const pictures = await preview(page).locator("img").count();
    shown.push(`${browser}, ${system}: ${buttons.join("")} buttons, ${pictures} pictures`);
  });
  expect(shown).toEqual([
    "Chrome, Android: 110 buttons, 1 pictures",
    "Firefox, Android: 110 buttons, 0 pictures",
    "Chrome, Windows: 110 buttons, 1 pictures",
    "Firefox, Windows: 110 buttons, 0 pictures",
    "Chrome, Mac: 110 buttons, 0 pictures",
    "Firefox, Mac: 110 buttons, 0 pictures",
    "Safari, Mac: 000 buttons, 0 pictures",
  ]);
});

test("on a phone the number and the button stand at the foot, and the preview unfolds above them", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit }, { readers: 1, allows: false });
  await page.setViewportSize({ width: 390, height: 844 });
  await title(page).fill("Pão quente");
  await expect(reach(page)).toHaveText("1 vai receber");
  await expect(preview(page)).toBeHidden();
  for (const where of [0, 300, 100_000]) {
    await page.evaluate((top) => window.scrollTo(0, top), where);
    await expect(reach(page)).toBeInViewport({ ratio: 1 });
    await expect(send(page)).toBeInViewport({ ratio: 1 });
  }
  // The bar hides nothing that has the focus, and at the end of the page nothing at all.
  const end = page.getByRole("button", { name: "Mudar" });
  await page.evaluate(() => window.scrollTo(0, 0));
  await end.focus();
  const foot = async (place: Locator) => {
    const box = await place.boundingBox();
    return box === null ? Number.NaN : box.y + box.height;
  };
  const top = (await panel(page).boundingBox())?.y ?? Number.NaN;
  expect(await foot(end)).toBeLessThanOrEqual(top);

  await page.getByRole("button", { name: "Ver a pré-visualização" }).click();
  await expect(preview(page)).toBeInViewport({ ratio: 1 });
  await expect(send(page)).toBeInViewport({ ratio: 1 });
  await title(page).fill("Pão de queijo");
  await expect(preview(page)).toContainText("Pão de queijo");
  await lookAt(page, "compose-unfolded");
  await page.setViewportSize({ width: 390, height: 844 });
  const close = page.getByRole("button", { name: "Fechar a pré-visualização" });
  await close.click();
  await expect(preview(page)).toBeHidden();
  // An error folds the preview: the field that has it is in view, above the bar.
  await page.getByRole("button", { name: "Ver a pré-visualização" }).click();
  await title(page).fill("");
  await send(page).click();
  await expect(page.getByText("Corrija 1 campo.")).toBeVisible();
  await expect(preview(page)).toBeHidden();
  await expect(title(page)).toBeFocused();
  await expect
    .poll(async () => (await foot(title(page))) < ((await panel(page).boundingBox())?.y ?? 0))
    .toBe(true);
  await title(page).fill("Pão de queijo");
  await send(page).click();
  await expect(page.getByRole("dialog", { name: "Revisar" })).toBeVisible();
});

test("on the narrowest phone every choice is whole, and the bar hides nothing that has the focus", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit });
  await page.setViewportSize({ width: 320, height: 640 });
  await pick(page, "Para quem", "Mais…");
  await title(page).fill("x".repeat(201));
  await send(page).click();
  await expect(page.getByText("Corrija 2 campos.")).toBeVisible();
  for (const row of ["Para quem", "Outros públicos", "Quando"]) {
    const group = page.getByRole("radiogroup", { name: row, exact: true });
    const cut = await group.evaluate((element) => {
      const edge = element.getBoundingClientRect();
      return Array.from(element.querySelectorAll("label"))
        .filter((label) => {
          const { left, right, bottom } = label.getBoundingClientRect();
          const isOutside = left < edge.left || right > edge.right || bottom > edge.bottom;
          return isOutside || label.scrollWidth > label.clientWidth;
        })
        .map((label) => label.textContent);
    });
    expect(cut, row).toEqual([]);
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await title(page).focus();
  const bar = await panel(page).boundingBox();
  const isBelowBar = () =>
    page.evaluate((barTop) => {
      const { activeElement } = document;
      if (activeElement === null || activeElement.closest("section[aria-label='Enviar']"))
        return null;
      // What is chosen with a radio button is its label.
      const shown = activeElement.parentElement?.querySelector("label") ?? activeElement;
      return shown.getBoundingClientRect().bottom > barTop;
    }, bar?.y ?? 0);
  for (let step = 0; step < 30; step += 1) {
    const hidden = await isBelowBar();
    if (hidden === null) break;
    expect(hidden, `after ${step} steps`).toBe(false);
    await page.keyboard.press("Tab");
  }
  expect(await isBelowBar()).toBeNull();
});

test("a part that few notices have comes with a chip, takes the focus, and gives it back when it goes", async ({
  serve,
  visit,
}) => {
  const { page } = await openComposer({ serve, visit });
  await page.getByRole("button", { name: "Adicionar botão" }).press("Enter");
  await expect(page.getByLabel("Texto do botão")).toBeFocused();
  await page.getByRole("button", { name: "Remover o botão 1" }).press("Enter");
  await expect(page.getByLabel("Texto do botão")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Adicionar botão" })).toBeFocused();

  const add = page.getByRole("button", { name: "Adicionar imagem" });
  await add.press("Enter");
  await expect(add).toHaveCount(0);
  const upload = page.getByRole("button", { name: "Carregar imagem: Imagem grande" });
  await expect(upload).toBeFocused();
  const address = page.getByRole("textbox", { name: "Imagem grande: ou cole o link da imagem" });
  await address.fill("/vitrine.png");
  await page.getByRole("button", { name: "Remover Imagem grande" }).press("Enter");
  await expect(address).toHaveCount(0);
  await expect(add).toBeFocused();
  // What was left out is not sent along, and is not there when the operator comes back.
  await title(page).fill("Pão");
  await expect(state(page)).toHaveText(saved);
  await page.reload();
  await expect(title(page)).toHaveValue("Pão");
  await expect(add).toBeVisible();
});

test("errors can be read in light and dark", async ({ serve, visit }) => {
  const { page } = await openComposer({ serve, visit });
  await expect(reach(page)).toBeVisible();
  await send(page).click();
  await title(page).fill("x".repeat(201));
  await expect(page.getByText("Está longo demais.")).toBeVisible();
  await expect(page.getByText("201 de 200 caracteres", { exact: false })).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
    // While a colour changes from one scheme to the other, its contrast is that of neither.
    await page.evaluate(async () => {
      // A cancelled animation has ended, too.
      await Promise.allSettled(document.getAnimations().map(async (each) => each.finished));
    });
    expect(await violationsOn(page)).toEqual([]);
  }
});
