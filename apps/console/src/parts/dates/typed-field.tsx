import { TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { leftToRight } from "../../app/theme.ts";

/** How a value is written, and how what people type is read. */
export type Writing = {
  write: (value: string) => string;
  /** @returns null: it cannot be read */
  read: (typed: string) => string | null;
};

/**
 * A field for a value that people type as text. The value follows each key. The field writes the value in full when the operator
 * leaves it or presses Enter, and says then if it cannot read the text. An empty text stands for the value "".
 */
export function TypedField({
  label,
  value,
  writing: { write, read },
  placeholder,
  unreadable,
  error,
  rightSection,
  onChange,
}: {
  label: string;
  value: string;
  writing: Writing;
  placeholder: string;
  /** What the field says of a text that it cannot read. */
  unreadable: string;
  error?: ReactNode;
  rightSection?: ReactNode;
  /** Gets "" for a text that cannot be read: the value from before must not stay in force. */
  onChange: (value: string) => void;
}) {
  /** What the operator typed, and what it reads as. */
  const [typed, setTyped] = useState<{ text: string; found: string | null } | null>(null);
  const [isTyping, setTyping] = useState(false);
  const [before, setBefore] = useState(value);
  if (value !== before) {
    setBefore(value);
    // Something else has chosen another value.
    if (value !== (typed?.found ?? "")) setTyped(null);
  }
  const leave = () => setTyping(false);
  // The value of the address comes a moment after it was typed.
  const isWritten = typed === null || (!isTyping && typed.found === value);
  return (
    <TextInput
      label={label}
      attributes={leftToRight}
      autoComplete="off"
      placeholder={placeholder}
      value={isWritten ? writeAny(value, write) : typed.text}
      error={typed !== null && typed.found === null && !isTyping ? unreadable : error}
      rightSection={rightSection}
      onChange={({ currentTarget: { value: text } }) => {
        const found = text.trim() === "" ? "" : read(text);
        setTyped({ text, found });
        setTyping(true);
        if ((found ?? "") !== value) onChange(found ?? "");
      }}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === "Enter") leave();
      }}
    />
  );
}

function writeAny(value: string, write: Writing["write"]): string {
  return value === "" ? "" : write(value);
}
