import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { EventStream } from "../events.ts";
import { listen, type Listening } from "../listening.ts";
import { readCheckIn, writeCheckInAnswer } from "./check-in.ts";
import type { Profiles } from "./profiles.ts";
import { readRegistration, type RegistrationRequest, type Registrations } from "./registrations.ts";

/** What a registration can be refused with; the first two Chromium does not try again. */
export type RegistrationError =
  | "INVALID_SENDER"
  | "QUOTA_EXCEEDED"
  | "AUTHENTICATION_FAILED"
  | "INTERNAL_SERVER_ERROR";

export type RegistrationServer = Listening & {
  /** Every registration is answered with this error, until `recover`. */
  readonly failRegistrations: (error: RegistrationError) => void;
  /** No registration is answered, until `recover`. */
  readonly hangRegistrations: () => void;
  /** Every check-in is answered with this HTTP status, until `recover`. Chromium tries again in its own time. */
  readonly failCheckIns: (status: number) => void;
  /** Everything works again; what was kept waiting is answered now. */
  readonly recover: () => void;
};

type Mood =
  | { readonly kind: "well" }
  | { readonly kind: "failing"; readonly error: RegistrationError }
  | { readonly kind: "hanging" };

const maxRequestBytes = 64 * 1024;

/** Where Chromium checks in (`POST /checkin`) and registers (`POST /c2dm/register3`), over plain HTTP on loopback. */
export async function startRegistrationServer({
  port,
  profiles,
  registrations,
  events,
  now,
}: {
  port: number;
  profiles: Profiles;
  registrations: Registrations;
  events: EventStream;
  now: () => number;
}): Promise<RegistrationServer> {
  let mood: Mood = { kind: "well" };
  let checkInStatus = 200;
  let held: (() => void)[] = [];

  const checkIn = (body: Uint8Array, response: ServerResponse): void => {
    if (checkInStatus !== 200) {
      response.writeHead(checkInStatus).end();
      return;
    }
    const credentials = profiles.checkIn(readCheckIn(body));
    response
      .writeHead(200, { "content-type": "application/x-protobuf" })
      .end(writeCheckInAnswer(credentials, now()));
  };

  const register = (request: RegistrationRequest, response: ServerResponse): void => {
    const refused = (error: string): void => {
      const { browser } = request.credentials;
      events.emit({ type: "registration-refused", browser, error });
    };
    const answer = (text: string): void => {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(text);
      if (text.startsWith("Error=")) refused(text.slice("Error=".length));
    };

    if (!profiles.admits(request.credentials)) answer("Error=AUTHENTICATION_FAILED");
    else if (request.action === "delete" || mood.kind === "well")
      answer(registrations.answer(request));
    else if (mood.kind === "failing") answer(`Error=${mood.error}`);
    else {
      held.push(() => {
        // The browser may have given up waiting, and would then have a subscription it knows nothing of.
        if (!response.destroyed) register(request, response);
      });
      refused("held");
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? "/", "http://lab.invalid");
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end();
      return;
    }
    const body = await readBody(request);
    if (body === undefined) response.writeHead(413, { connection: "close" }).end();
    else if (pathname === "/checkin") checkIn(body, response);
    else if (pathname === "/c2dm/register3") {
      const form = new URLSearchParams(Buffer.from(body).toString("utf8"));
      const registration = readRegistration(form, request.headers.authorization);
      if (registration === undefined) response.end("Error=INVALID_PARAMETERS");
      else register(registration, response);
    } else response.writeHead(404).end();
  };

  const server = createServer((request, response) => {
    handle(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(400);
      response.end();
    });
  });
  const listening = await listen(server, port, "check-in and registration");

  return {
    ...listening,
    failRegistrations: (error) => {
      mood = { kind: "failing", error };
    },
    hangRegistrations: () => {
      mood = { kind: "hanging" };
    },
    failCheckIns: (status) => {
      checkInStatus = status;
    },
    recover: () => {
      mood = { kind: "well" };
      checkInStatus = 200;
      const waiting = held;
      held = [];
      for (const answerNow of waiting) answerNow();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes <= maxRequestBytes) chunks.push(chunk);
  }
  return bytes > maxRequestBytes ? undefined : Buffer.concat(chunks);
}
