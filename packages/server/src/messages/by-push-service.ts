import type { PushServiceName } from "@sineta/protocol";

/** As people read of them: those with the most browsers first. */
const order: readonly PushServiceName[] = ["fcm", "mozilla", "apple", "windows", "other"];

/** What there is of each push service, always in the same order. */
export function inOrder<Value>(services: ReadonlyMap<PushServiceName, Value>): Value[] {
  return order.flatMap((name) => services.get(name) ?? []);
}
