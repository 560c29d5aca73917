import { useState } from "react";

/** Loads a dialog when it first opens, and keeps it on the page, so that it closes as smoothly as it opens. */
export function useLateDialog(): {
  isOpen: boolean;
  isWanted: boolean;
  open: () => void;
  close: () => void;
} {
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
