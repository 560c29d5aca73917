import { useFormat } from "../texts/use-texts.tsx";
import { useNow } from "./use-now.ts";

/** A moment as people say it. The tooltip has it exactly. */
export function When({ at }: { at: string }) {
  const format = useFormat();
  const nowMs = useNow(60_000);
  return (
    <time dateTime={at} title={format.dateTime(at)}>
      {format.when(at, nowMs)}
    </time>
  );
}
