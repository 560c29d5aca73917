import { Alert } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { useTexts } from "../texts/use-texts.tsx";

function subscribe(listener: () => void): () => void {
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

export function OfflineNotice() {
  const { frame } = useTexts();
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div aria-live="polite">
      {!isOnline && (
        <Alert color="yellow" mb="md">
          {frame.offline}
        </Alert>
      )}
    </div>
  );
}
