import { Popover, UnstyledButton } from "@mantine/core";
import { mdiHelpCircleOutline } from "@mdi/js";
import { useState, type ReactNode } from "react";
import { useTexts } from "../texts/use-texts.tsx";
import classes from "./help.module.css";
import { Icon } from "./icon.tsx";

/** A "?" that unfolds an explanation. It stands beside what it explains, on the page and for screen readers. */
export function Help({
  about,
  children,
}: {
  /** What is explained. */
  about: string;
  children: ReactNode;
}) {
  const { frame } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width={320}
      position="bottom-start"
      withinPortal={false}
    >
      <Popover.Target>
        <UnstyledButton
          className={classes.sign ?? ""}
          aria-label={frame.help(about)}
          onClick={() => setIsOpen(!isOpen)}
          // The focus stays here, and Mantine closes on the key only where the focus is in the text.
          onKeyDown={({ key }) => {
            if (key === "Escape") setIsOpen(false);
          }}
        >
          <Icon path={mdiHelpCircleOutline} size={18} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.text ?? ""}>{children}</Popover.Dropdown>
    </Popover>
  );
}
