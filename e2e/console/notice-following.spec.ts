/** How a notice's page hears what becomes of the notice: by the event stream, and by asking where the stream fails. */
import { publishedSchema } from "@sineta/protocol";
import { api } from "../support/compose.ts";
import { expect, test } from "../support/fixtures.ts";
import { enrolOwner, openConsole } from "../support/operator.ts";

const dayMs = 86_400_000;

test("an answer that is older than the event stream does not overwrite it", async ({
  serve,
  visit,
}) => {
  const server = await serve();
  const cookie = await enrolOwner(server);
  const published = await api(server, cookie, "projects/default/messages", {
    method: "POST",
    body: JSON.stringify({
      target: { kind: "all" },
      notification: { title: "Panetone" },
      scheduleAt: new Date(Date.now() + dayMs).toISOString(),
    }),
  });
  const { id } = publishedSchema.parse(await published.json());
  const path = `projects/default/messages/${id}`;
  const { page } = await openConsole({ server, visit }, cookie, "/avisos");

  // The stream and the second answer wait, each for its own word.
  const [stream, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const taken = Promise.withResolvers<void>();
  let [streams, answers] = [0, 0];
  await page.route(`**/v1/${path}/events`, async (route) => {
    streams += 1;
    await stream.promise;
    await route.continue();
  });
  await page.route(`**/v1/${path}`, async (route) => {
    answers += 1;
    if (answers !== 2) return route.continue();
    const response = await route.fetch();
    taken.resolve();
    await answer.promise;
    // The page may have dropped the request meanwhile.
    return route.fulfill({ response }).catch(() => {});
  });
  await page.getByRole("link", { name: "Panetone" }).click();
  const status = page.getByRole("status").first();
  await expect(status).toHaveText(/^Agendado/);
  await taken.promise;

  // The button leaves the page with the notice's end. The focus goes to the title.
  await page.getByRole("button", { name: "Cancelar aviso" }).focus();
  const cancelled = await api(server, cookie, `${path}/cancel`, { method: "POST", body: "{}" });
  expect(cancelled.status).toBe(200);
  stream.resolve();
  await expect(status).toHaveText(/^Cancelado/);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  answer.resolve();
  // What comes after the old answer has arrived when the next one is asked for.
  await expect.poll(() => answers, { timeout: 40_000 }).toBeGreaterThan(2);
  await expect(status).toHaveText(/^Cancelado/);
  expect(streams).toBe(1);
});
