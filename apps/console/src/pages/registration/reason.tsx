import { useTexts } from "../../texts/use-texts.tsx";
import { reasonWords } from "./reason-words.ts";
import classes from "./registration.module.css";

/** Why a message did not simply get through: what it means, what to do, and what is known of it. */
export function Reason({ of }: { of: Parameters<typeof reasonWords>[1] }) {
  const words = reasonWords(useTexts(), of);
  if (words === null) return null;
  const { title, text, detail } = words;
  return (
    <>
      <p>{title}.</p>
      {text !== "" && <p className={classes.soft}>{text}</p>}
      {detail !== "" && <p className={classes.soft}>{detail}</p>}
    </>
  );
}
