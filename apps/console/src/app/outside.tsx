import { Paper } from "@mantine/core";
import type { ReactNode } from "react";
import { WrongAddress } from "../session/wrong-address.tsx";
import { useTexts } from "../texts/use-texts.tsx";
import classes from "./outside.module.css";

/** A page for who is not logged in. */
export function Outside({ title, children }: { title: string; children: ReactNode }) {
  const { frame } = useTexts();
  return (
    <div className={classes.outside}>
      <title>{frame.title(title)}</title>
      <header className={classes.product}>
        <img src="/painel/icon.svg" alt="" width="32" height="32" />
        {frame.productName}
      </header>
      <Paper component="main" withBorder radius="lg" className={classes.card}>
        <h1 className={classes.title} tabIndex={-1}>
          {title}
        </h1>
        <WrongAddress />
        {children}
      </Paper>
    </div>
  );
}
