import { useLayoutEffect } from "react";
import { pageTitle } from "./lost-focus.ts";

/**
 * Gives the focus back to what had it when a dialog opened. Mantine's own way misses dialogs that are loaded with their
 * first opening: those are there as open ones.
 */
export function useFocusBack(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement;
    return () => {
      // Behind the end of this turn: until then the dialog holds the focus.
      setTimeout(() => {
        const isLost = document.activeElement === document.body;
        const inDialog = document.activeElement?.closest('[role="dialog"]') !== null;
        if (!(isLost || inDialog) || !(before instanceof HTMLElement)) return;
        // The button of an empty list goes with the first entry. The page's title takes the focus then.
        if (before.isConnected) before.focus();
        else pageTitle()?.focus();
      });
    };
  }, [isOpen]);
}
