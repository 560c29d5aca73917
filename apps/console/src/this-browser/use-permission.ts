import { useEffect, useState } from "react";

/** The browser's answer to whether this site may notify, as it changes; null where there are no notifications. */
export function usePermission(): NotificationPermission | null {
  const [permission, setPermission] = useState(now);
  useEffect(() => {
    const look = () => setPermission(now());
    const ended = new AbortController();
    // What the person changes in the browser's own settings is told by this alone.
    void navigator.permissions?.query({ name: "notifications" }).then(
      (status) => status.addEventListener("change", look, { signal: ended.signal }),
      () => undefined,
    );
    window.addEventListener("focus", look, { signal: ended.signal });
    return () => ended.abort();
  }, []);
  return permission;
}

function now(): NotificationPermission | null {
  return "Notification" in window ? Notification.permission : null;
}
