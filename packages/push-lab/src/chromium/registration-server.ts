import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { EventStream } from "../events.ts";
import { listen, type Listening } from "../listening.ts";
import { type Credentials, readCheckIn, writeCheckInAnswer } from "./check-in.ts";
import { MalformedInput } from "../malformed-input.ts";
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

type Call = {
  readonly request: IncomingMessage;
  readonly body: Uint8Array;
  readonly response: ServerResponse;
};

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
  const held = new Set<() => void>();

  const checkIn = ({ body, response }: Call): void => {
    if (checkInStatus !== 200) {
      response.writeHead(checkInStatus).end();
      return;
    }
    let known: Credentials | undefined;
    try {
      known = readCheckIn(body);
    } catch (error) {
      if (!(error instanceof MalformedInput)) throw error;
      response.writeHead(400).end();
      return;
    }
    response
      .writeHead(200, { "content-type": "application/x-protobuf" })
      .end(writeCheckInAnswer(profiles.checkIn(known), now()));
  };

  const register = (request: RegistrationRequest, response: ServerResponse): void => {
    const { browser } = request.credentials;
    const answer = (text: string): void => {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end(text);
      const [, error] = /^Error=(.*)$/.exec(text) ?? [];
      if (error !== undefined) events.emit({ type: "registration-refused", browser, error });
    };

    if (!profiles.admits(request.credentials)) answer("Error=AUTHENTICATION_FAILED");
    else if (request.action === "delete" || mood.kind === "well")
      answer(registrations.answer(request));
    else if (mood.kind === "failing") answer(`Error=${mood.error}`);
    else hold(request, response);
  };

  const hold = (request: RegistrationRequest, response: ServerResponse): void => {
    const { browser } = request.credentials;
    const answerNow = (): void => {
      response.off("close", abandon);
      register(request, response);
    };
    // Answered later all the same, it would make a subscription that the browser knows nothing of.
    const abandon = (): void => {
      held.delete(answerNow);
      events.emit({ type: "registration-abandoned", browser });
    };
    held.add(answerNow);
    response.once("close", abandon);
    events.emit({ type: "registration-held", browser });
  };

  const routes: Readonly<Record<string, (call: Call) => void>> = {
    "/checkin": checkIn,
    "/c2dm/register3": ({ request, body, response }) => {
      const form = new URLSearchParams(Buffer.from(body).toString("utf8"));
      const registration = readRegistration(form, request.headers.authorization);
      if (registration === undefined) response.end("Error=INVALID_PARAMETERS");
      else register(registration, response);
    },
  };

  const server = createServer((request, response) => {
    const route = routes[request.url ?? ""];
    if (route === undefined) response.writeHead(404).end();
    else if (request.method !== "POST") response.writeHead(405, { allow: "POST" }).end();
    else {
      readBody(request).then(
        (body) => {
          if (body === undefined) response.writeHead(413).end();
          else route({ request, body, response });
        },
        // The browser went away in the middle of its own request: nobody is left to answer.
        () => {},
      );
    }
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
      const waiting = [...held];
      held.clear();
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
