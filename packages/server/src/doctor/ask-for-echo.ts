import { doctorEchoSchema, doctorHeader, type DoctorEcho } from "@sineta/protocol";
import { defaultProjectName } from "../projects/project.ts";
import type { ConnectOptions } from "../webpush/connect.ts";
import { ask, type Answer, type NoAnswer } from "./ask.ts";

export type Echo = { readonly kind: "echo"; readonly echo: DoctorEcho };

/**
 * Asks for what of a request arrives at the server (http/doctor.ts).
 * @param base the server's address, such as https://avisos.example.com/
 * @returns the answer as it is if it is no echo: another program's, or that of a server with another secret
 */
export async function askForEcho(
  base: URL,
  {
    token,
    headers = {},
    body = new Uint8Array(),
    ...options
  }: {
    token: string;
    headers?: Record<string, string>;
    body?: Uint8Array;
    signal: AbortSignal;
    connect?: ConnectOptions;
  },
): Promise<Echo | Answer | NoAnswer> {
  const url = new URL(`/v1/projects/${defaultProjectName}/doctor/echo`, base);
  const answer = await ask(url, {
    ...options,
    body,
    headers: { "Content-Type": "application/octet-stream", [doctorHeader]: token, ...headers },
  });
  if (answer.kind === "none" || answer.status !== 200) return answer;
  const echo = echoIn(answer.text);
  return echo === undefined ? answer : { kind: "echo", echo };
}

function echoIn(text: string): DoctorEcho | undefined {
  try {
    return doctorEchoSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
