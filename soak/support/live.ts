import { hello, type Scene } from "./scene.ts";

/** What a dry run to everybody says: how many registrations would be sent to. */
export async function live(scene: Scene): Promise<unknown> {
  const answer = await scene.ask("messages", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...hello, dryRun: true }),
  });
  return answer.json();
}
