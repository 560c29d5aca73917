import type { MessageState } from "@sineta/protocol";
import { lazy, Suspense } from "react";
import type { LateDialog } from "../../parts/use-late-dialog.ts";
import type { Cancellable } from "./cancel-notice.tsx";

const CancelNotice = lazy(() =>
  import("./cancel-notice.tsx").then((module) => ({ default: module.CancelNotice })),
);

/** `CancelNotice`, loaded when the operator opens it for the first time. */
export function LateCancelNotice({
  notice,
  dialog,
  onState,
}: {
  notice: Cancellable;
  dialog: LateDialog;
  /** Shows the notice in this state at once, before the server has answered. */
  onState: (state: MessageState) => void;
}) {
  return (
    <Suspense>
      {dialog.isWanted && (
        <CancelNotice
          notice={notice}
          isOpen={dialog.isOpen}
          onClose={dialog.close}
          onState={onState}
        />
      )}
    </Suspense>
  );
}
