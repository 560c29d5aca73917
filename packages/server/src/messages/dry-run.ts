import { setImmediate as othersTurn } from "node:timers/promises";
import type { DryRun, MessageRequest, PushServiceName } from "@sineta/protocol";
import { readVapidSubject } from "../settings.ts";
import type { AudienceGroup, Breaker, PushOriginKey, Store } from "../store/port.ts";
import { checkEndpoint, type EndpointPolicy } from "../webpush/endpoint.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { inOrder } from "./by-push-service.ts";
import type { MessageProject, MessageRefusal } from "./messages.ts";
import { answerOf, prepare, type PrepareParts } from "./prepare.ts";
import { largestPlaintextBytes } from "./size.ts";

/** Registrations looked at between two turns of everybody else in this process. */
const partKeys = 2_000;
/** What aes128gcm adds to a plaintext (RFC 8188 and 8291). */
const sealBytes = 103;
/** Firefox for Android answers 413 to more, as users report. */
const androidBodyBytes = 3_070;

export type DryRunParts = PrepareParts & {
  store: Pick<Store, "projects" | "breakers">;
  endpointPolicy: EndpointPolicy;
  /** Whom push services may write to. */
  vapidSubject: string;
};

type Why = { reason: string; detail: string };
/** Refused ones are sent to in vain; the others wait until their push service takes pushes again. */
type Obstacle = { kind: "refused" | "waiting"; why: Why };
type ByPushService = DryRun["byPushService"][number];

/** See `Messages.dryRun`. */
export async function dryRun(
  parts: DryRunParts,
  project: MessageProject,
  request: MessageRequest,
  { nowMs, signal }: { nowMs: number; signal?: AbortSignal | undefined },
): Promise<{ kind: "counted"; dryRun: DryRun } | MessageRefusal> {
  const prepared = await prepare(parts, project, request, nowMs);
  if (prepared.kind === "refused") return prepared;
  const { store } = parts;
  const plaintextBytes = await largestPlaintextBytes(store, project, prepared.message);
  const keys = await store.projects.vapidKeys(project.id);
  const obstacleOf = obstacles(
    new Set(keys.map(({ id }) => id)),
    await store.breakers.list(),
    parts.endpointPolicy,
  );

  const services = new Map<PushServiceName, ByPushService>();
  for await (const group of audience(store, project.id, request, signal)) {
    const pushService = pushServiceOf(group.pushOrigin);
    let service = services.get(pushService);
    if (service === undefined) {
      const warnings = warningsFor(pushService, plaintextBytes + sealBytes, parts.vapidSubject);
      services.set(
        pushService,
        (service = { pushService, registrations: 0, refused: [], waiting: [], warnings }),
      );
    }
    service.registrations += group.count;
    const obstacle = obstacleOf(group);
    if (obstacle !== null) countObstacle(service[obstacle.kind], obstacle.why, group.count);
  }
  const byPushService = inOrder(services);
  const registrations = byPushService.reduce((sum, each) => sum + each.registrations, 0);
  const unknown = answerOf(prepared.unknown);
  return { kind: "counted", dryRun: { plaintextBytes, registrations, ...unknown, byPushService } };
}

/** Ends early once nobody waits for it any more. */
async function* audience(
  { registrations }: Pick<Store, "registrations">,
  projectId: number,
  { target }: Pick<MessageRequest, "target">,
  signal: AbortSignal | undefined,
): AsyncGenerator<AudienceGroup> {
  if (target.kind === "all") {
    yield* await registrations.liveGroups(projectId);
    return;
  }
  for (let afterId: number | null = 0; afterId !== null;) {
    if (signal?.aborted === true) return;
    const part: Awaited<ReturnType<typeof registrations.countAudience>> =
      await registrations.countAudience(projectId, target, afterId, partKeys);
    yield* part.groups;
    afterId = part.next;
    if (afterId !== null) await othersTurn();
  }
}

/** Why nothing would be sent to a destination, or not now. */
function obstacles(
  vapidKeyIds: ReadonlySet<number>,
  breakers: readonly Breaker[],
  policy: EndpointPolicy,
): (at: PushOriginKey) => Obstacle | null {
  return ({ pushOrigin, vapidKeyId }) => {
    const endpoint = checkEndpoint(`${pushOrigin}/`, policy);
    if (!endpoint.ok) {
      const detail = `${pushOrigin} is no push service that is allowed (${endpoint.reason})`;
      return { kind: "refused", why: { reason: "endpoint-not-allowed", detail } };
    }
    if (!vapidKeyIds.has(vapidKeyId)) {
      const detail = "made with a key that the project lacks";
      return { kind: "refused", why: { reason: "vapid-key-unknown", detail } };
    }
    const breaker = breakers.find(
      (each) => each.pushOrigin === pushOrigin && each.vapidKeyId === vapidKeyId,
    );
    if (breaker === undefined) return null;
    return { kind: "waiting", why: { reason: breaker.reason, detail: breaker.detail } };
  };
}

function countObstacle(counted: ByPushService["refused"], why: Why, count: number): void {
  const same = counted.find(({ reason, detail }) => reason === why.reason && detail === why.detail);
  if (same === undefined) counted.push({ ...why, registrations: count });
  else same.registrations += count;
}

function warningsFor(service: PushServiceName, bodyBytes: number, vapidSubject: string): string[] {
  if (service === "mozilla" && bodyBytes > androidBodyBytes) {
    return [
      `Firefox for Android may get nothing: sealed it has ${bodyBytes} bytes, and more than about ${androidBodyBytes} are refused there.`,
    ];
  }
  if (service === "apple" && readVapidSubject(vapidSubject) === undefined) {
    return [
      `Apple refuses ${JSON.stringify(vapidSubject)} as the VAPID subject: expected a https: or mailto: address that is not on localhost.`,
    ];
  }
  return [];
}
