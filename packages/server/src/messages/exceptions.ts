import type { MessageExceptions } from "@sineta/protocol";
import type { ExceptionsOptions, MessageException, Store } from "../store/port.ts";
import { pushServiceOf } from "../webpush/push-hosts.ts";
import { moment } from "./status.ts";

/** A page of who did not simply accept the message. */
export async function exceptionsOf(
  { messages }: Pick<Store, "messages">,
  id: string,
  options: ExceptionsOptions,
): Promise<MessageExceptions> {
  const { exceptions, nextAfterId } = await messages.exceptions(id, options);
  return {
    exceptions: exceptions.map(told),
    ...(nextAfterId === null ? {} : { next: nextAfterId }),
  };
}

function told(exception: MessageException): MessageExceptions["exceptions"][number] {
  const { token, pushOrigin, kind, reason, detail, attempts, dueAtMs, changedAtMs } = exception;
  return {
    ...(token === null ? {} : { token }),
    pushService: pushServiceOf(pushOrigin),
    outcome: kind,
    reason,
    detail,
    attempts,
    changedAt: moment(changedAtMs),
    ...(dueAtMs === null ? {} : { retryAt: moment(dueAtMs) }),
  };
}
