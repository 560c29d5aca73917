import { Paper } from "@mantine/core";
import type { ReactNode } from "react";
import { WrongAddress } from "../session/wrong-address.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import { Bell } from "./bell.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import classes from "./outside.module.css";

/** A page without the menu: one card, the bell above it. */
export function Outside({
  title,
  width = "narrow",
  help,
  children,
}: {
  title: string;
  width?: "narrow" | "wide";
  /** Stands below the card. */
  help?: ReactNode;
  children: ReactNode;
}) {
  const { frame } = useTexts();
  return (
    <div className={classes.outside}>
      <title>{frame.title(title)}</title>
      <header className={classes.product}>
        <LanguageChoice />
        <Bell size={44} />
        {frame.productName}
      </header>
      <Paper component="main" withBorder radius="lg" className={classes.card} data-width={width}>
        <h1 className={classes.title} tabIndex={-1}>
          {title}
        </h1>
        <WrongAddress />
        {children}
      </Paper>
      {help !== undefined && <footer className={classes.help}>{help}</footer>}
    </div>
  );
}
