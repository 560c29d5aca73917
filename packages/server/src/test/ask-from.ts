import { once } from "node:events";
import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";

export type Answered = { status: number; headers: IncomingHttpHeaders; text: string };

/** Asks over a new connection, from this address of loopback (127.0.0.0/8). @param body none makes it a GET */
export async function askFrom(
  localAddress: string,
  url: URL,
  { headers = {}, body }: { headers?: Record<string, string | string[]>; body?: string } = {},
): Promise<Answered> {
  const method = body === undefined ? "GET" : "POST";
  const asked = request(url, { method, headers, agent: false, localAddress });
  const answered = once(asked, "response");
  asked.end(body);
  const [incoming]: IncomingMessage[] = await answered;
  if (incoming === undefined) throw new Error("there was no answer");
  const text = (await incoming.toArray()).join("");
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
}
