import { useState } from "react";

/** A dialog that is loaded when it first opens. */
export type LateDialog = {
  isOpen: boolean;
  /** Whether it was ever opened. */
  isWanted: boolean;
  open: () => void;
  close: () => void;
};

/** Loads a dialog when it first opens, and keeps it on the page, so that it closes as smoothly as it opens. */
export function useLateDialog(): LateDialog {
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  return {
    isOpen,
    isWanted,
    open: () => {
      setWanted(true);
      setOpen(true);
    },
    close: () => setOpen(false),
  };
}
