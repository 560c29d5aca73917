import { Drawer, Modal } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { hasEnded, subscribeToEnded } from "../session/ended.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { useFocusBack } from "./use-focus-back.ts";

/** As long as systems wait for a second click by default (Windows, GTK). */
const doubleClickMs = 500;

type DialogProps = {
  isOpen: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
};

/*
 * Mantine's own, put together by hand: its header would be a second banner of the page, and what it does to keep the page
 * behind it from moving takes a <style>, which the page's policy forbids (global.css does that).
 */

/** The log-in that has come up over an open dialog: what is pressed in it must not close the one below, and lose what is typed there. */
function useIsBelowLogIn(): boolean {
  return useSyncExternalStore(subscribeToEnded, hasEnded);
}

/** Whether it has been open for a moment. The second click of a double click lands beside the dialog, and must not close it. */
function useIsSettled(isOpen: boolean): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => setSettled(true), doubleClickMs);
    return () => {
      clearTimeout(timer);
      setSettled(false);
    };
  }, [isOpen]);
  return isSettled;
}

/** Over the middle of the page. @param isFinal whether it can only be left by what it asks for */
export function Dialog({
  isOpen,
  title,
  onClose,
  size = "md",
  isFinal = false,
  children,
}: DialogProps & { size?: "md" | "lg"; isFinal?: boolean }) {
  const { frame } = useTexts();
  useFocusBack(isOpen);
  const isHeld = useIsBelowLogIn() || isFinal;
  const isSettled = useIsSettled(isOpen);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={size}
      lockScroll={false}
      returnFocus={false}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld && isSettled}
    >
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header role="presentation">
          <Modal.Title>{title}</Modal.Title>
          {!isFinal && <Modal.CloseButton aria-label={frame.close} size="xl" />}
        </Modal.Header>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** At the page's side: by default the right one. */
export function SideDialog({
  isOpen,
  title,
  onClose,
  position = "right",
  size = "md",
  children,
}: DialogProps & { position?: "left" | "right"; size?: string }) {
  const { frame } = useTexts();
  useFocusBack(isOpen);
  const isHeld = useIsBelowLogIn();
  const isSettled = useIsSettled(isOpen);
  return (
    <Drawer.Root
      opened={isOpen}
      onClose={onClose}
      position={position}
      size={size}
      lockScroll={false}
      returnFocus={false}
      closeOnEscape={!isHeld}
      closeOnClickOutside={!isHeld && isSettled}
    >
      <Drawer.Overlay />
      <Drawer.Content>
        <Drawer.Header role="presentation">
          <Drawer.Title>{title}</Drawer.Title>
          <Drawer.CloseButton aria-label={frame.close} size="xl" />
        </Drawer.Header>
        <Drawer.Body>{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
